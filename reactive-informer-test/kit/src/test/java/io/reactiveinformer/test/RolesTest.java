package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Roles and bindings in the cluster decide about requests, and reviews of access tell the same. */
class RolesTest {

    private static final String PODS = "/api/v1/namespaces/shop/pods";

    private final FakeApiServer server = FakeApiServer.create();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private void role(String kind, String name, String rules) {
        server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: " + kind + ", metadata: {name: " + name
                + (kind.equals("Role") ? ", namespace: shop" : ", labels: {aggregate: " + name + "}") + "}, " + rules + "}");
    }

    private void bind(String binding, String kind, String role, String subject) {
        server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: " + binding + ", metadata: {name: " + role + "-to-some"
                + (binding.equals("RoleBinding") ? ", namespace: shop" : "") + "}, subjects: [" + subject
                + "], roleRef: {apiGroup: rbac.authorization.k8s.io, kind: " + kind + ", name: " + role + "}}");
    }

    private Headers as(String user) {
        return Headers.of("Accept", "application/json").with("Authorization", "Bearer " + user);
    }

    private int send(String user, String method, String path) {
        return requests.send(method, path, as(user), null).status();
    }

    private JsonNode review(Headers headers, String kind, String spec) {
        return requests.send("POST", "/apis/authorization.k8s.io/v1/" + kind.toLowerCase(java.util.Locale.ROOT) + "s",
                        headers.with("Content-Type", "application/json"),
                        "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"" + kind + "\",\"spec\":" + spec.replace('\'', '"') + "}")
                .json().path("status");
    }

    @Test
    void aRoleAllowsWhatItsRulesSayInItsNamespace() {
        server.access().user("jane", "jane").user("bob", "bob");
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop},"
                + " spec: {containers: [{name: c, image: i}]}}");
        assertThat(send("jane", "GET", PODS)).isEqualTo(403);
        role("Role", "reader", "rules: [{apiGroups: [''], resources: [pods], verbs: [get, list, watch]}]");
        bind("RoleBinding", "Role", "reader", "{kind: User, name: jane}");
        assertThat(send("jane", "GET", PODS)).isEqualTo(200);
        assertThat(send("jane", "GET", PODS + "/web")).isEqualTo(200);
        assertThat(send("jane", "GET", PODS + "/web/log")).as("a subresource").isEqualTo(403);
        assertThat(send("jane", "DELETE", PODS + "/web")).as("another verb").isEqualTo(403);
        assertThat(send("jane", "GET", "/api/v1/namespaces/shop/secrets")).as("another resource").isEqualTo(403);
        assertThat(send("jane", "GET", "/api/v1/namespaces/default/pods")).as("another namespace").isEqualTo(403);
        assertThat(send("jane", "GET", "/api/v1/pods")).as("all namespaces").isEqualTo(403);
        assertThat(send("bob", "GET", PODS)).as("another user").isEqualTo(403);
        server.access().deny("jane", "list", "pods", null);
        assertThat(send("jane", "GET", PODS)).as("a rule of the test comes first").isEqualTo(403);
        server.objects().delete("{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader, namespace: shop}}");
        assertThat(send("jane", "GET", PODS + "/web")).as("without the role").isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{kind: User, name: 'system:serviceaccount:shop:app'}          | 200",
        "{kind: ServiceAccount, name: app, namespace: shop}            | 200",
        "{kind: ServiceAccount, name: app, namespace: other}           | 403",
        "{kind: Group, name: 'system:serviceaccounts:shop'}            | 200",
        "{kind: Group, name: 'system:serviceaccounts'}                 | 200",
        "{kind: Group, name: 'system:authenticated'}                   | 200",
        "{kind: Group, name: 'system:masters'}                         | 403",
    })
    void aBindingIsForUsersGroupsAndServiceAccounts(String subject, int status) {
        server.access().user("app", "system:serviceaccount:shop:app");
        role("ClusterRole", "reader", "rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]");
        bind("RoleBinding", "ClusterRole", "reader", subject);
        assertThat(send("app", "GET", PODS)).isEqualTo(status);
        assertThat(send("app", "GET", "/api/v1/pods")).as("a RoleBinding is for its namespace").isEqualTo(403);
        bind("ClusterRoleBinding", "ClusterRole", "reader", subject);
        assertThat(send("app", "GET", "/api/v1/pods")).isEqualTo(status);
    }

    @Test
    void aTokenOfAServiceAccountIsKnownAgain() {
        server.objects().create("{apiVersion: v1, kind: ServiceAccount, metadata: {name: app, namespace: shop}}");
        role("Role", "reader", "rules: [{apiGroups: [''], resources: [pods], verbs: [list]}]");
        bind("RoleBinding", "Role", "reader", "{kind: ServiceAccount, name: app}");
        server.access().admin("root", "root");
        String path = "/api/v1/namespaces/shop/serviceaccounts/app/token";
        String token = requests.send("POST", path, as("root").with("Content-Type", "application/json"), "{\"spec\":{}}").json()
                .path("status").path("token").asString();
        assertThat(send(token, "GET", PODS)).isEqualTo(200);
        assertThat(send(token, "GET", "/api/v1/pods")).isEqualTo(403);
        assertThat(send(token + "x", "GET", PODS)).as("another signature").isEqualTo(401);
        assertThat(requests.send("POST", path, as("root").with("Content-Type", "application/json"),
                "{\"spec\":{\"expirationSeconds\":60}}").body()).contains("may not specify a duration less than 10 minutes");
    }

    @Test
    void aServiceAccountWithoutANamespaceIsOfTheBindings() {
        server.access().user("app", "system:serviceaccount:shop:app").user("other", "system:serviceaccount:other:app");
        role("Role", "reader", "rules: [{apiGroups: [''], resources: [pods], verbs: [list]}]");
        bind("RoleBinding", "Role", "reader", "{kind: ServiceAccount, name: app}");
        assertThat(send("app", "GET", PODS)).isEqualTo(200);
        assertThat(send("other", "GET", PODS)).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "GET    | configmaps/mine                               | {resources: [configmaps], resourceNames: [mine], verbs: [get]}",
        "GET    | configmaps?fieldSelector=metadata.name%3Dmine | {resources: [configmaps], resourceNames: [mine], verbs: [list]}",
        "DELETE | deployments/web                               | {resources: ['*'], verbs: ['*']}",
        "GET    | deployments/web/scale                         | {resources: ['*/scale'], verbs: [get]}",
        "GET    |                                               | {resources: [namespaces], verbs: [get]}",
    })
    void aRuleIsReadAsTheServerReadsIt(String method, @Nullable String resource, String rule) {
        server.access().user("jane", "jane");
        boolean apps = resource != null && resource.startsWith("deployments");
        role("ClusterRole", "some", "rules: [" + rule.replace("{", "{apiGroups: [" + (apps ? "apps" : "''") + "], ") + "]");
        String path = (apps ? "/apis/apps/v1" : "/api/v1") + "/namespaces/shop" + (resource == null ? "" : "/" + resource);
        assertThat(send("jane", method, path)).isEqualTo(403);
        bind("RoleBinding", "ClusterRole", "some", "{kind: User, name: jane}");
        assertThat(send("jane", method, path)).isIn(200, 404);
        String other = path.contains("mine") ? path.replace("mine", "yours") : path.replace("shop", "default");
        assertThat(send("jane", method, other)).as(other).isEqualTo(403);
    }

    @Test
    void aRoleAggregatesOthersByTheirLabels() {
        server.access().user("jane", "jane");
        role("ClusterRole", "other", "rules: [{apiGroups: [''], resources: [secrets], verbs: [list]}]");
        role("ClusterRole", "whole", "aggregationRule: {clusterRoleSelectors: [{matchLabels: {aggregate: other}}]}, rules: []");
        bind("RoleBinding", "ClusterRole", "whole", "{kind: User, name: jane}");
        assertThat(send("jane", "GET", "/api/v1/namespaces/shop/secrets")).isEqualTo(200);
        assertThat(send("jane", "GET", PODS)).isEqualTo(403);
    }

    @Test
    void anAdministratorsRoleNeedNotBeThere() {
        server.access().user("jane", "jane");
        bind("ClusterRoleBinding", "ClusterRole", "cluster-admin", "{kind: User, name: jane}");
        assertThat(send("jane", "GET", "/apis/apps/v1/deployments")).isEqualTo(200);
    }

    @Test
    void reviewsOfAccessTellTheTruth() {
        server.access().user("jane", "jane").user("bob", "bob").allow("bob", "*", "deployments.apps/scale", null);
        role("Role", "reader", "rules: [{apiGroups: [''], resources: [pods], verbs: [get, list]}]");
        bind("RoleBinding", "Role", "reader", "{kind: User, name: jane}");
        String list = "{'resourceAttributes':{'verb':'list','resource':'pods','namespace':'shop'}}";
        JsonNode yes = review(as("jane"), "SelfSubjectAccessReview", list);
        assertThat(yes.path("allowed").asBoolean()).isTrue();
        assertThat(yes.path("reason").asString())
                .isEqualTo("RBAC: allowed by RoleBinding \"reader-to-some/shop\" of Role \"reader\" to User \"jane\"");
        JsonNode no = review(as("jane"), "SelfSubjectAccessReview", list.replace("shop", "default"));
        assertThat(no.toString()).isEqualTo("{\"allowed\":false}");
        assertThat(review(as("bob"), "SelfSubjectAccessReview", list).path("allowed").asBoolean()).isFalse();
        String scale = "{'resourceAttributes':{'verb':'patch','group':'apps','resource':'deployments','subresource':'scale'}}";
        assertThat(review(as("bob"), "SelfSubjectAccessReview", scale).path("allowed").asBoolean()).isTrue();
        server.access().admin("root", "root");
        String ofJane = list.replace("{'res", "{'user':'jane','res");
        assertThat(review(as("root"), "SubjectAccessReview", ofJane).path("allowed").asBoolean()).isTrue();
        assertThat(review(as("root"), "SubjectAccessReview", ofJane.replace("jane", "bob")).path("allowed").asBoolean()).isFalse();
        assertThat(review(as("jane"), "SelfSubjectRulesReview", "{'namespace':'shop'}").path("resourceRules").toString())
                .isEqualTo("[{\"verbs\":[\"get\",\"list\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}]");
        assertThat(review(as("bob"), "SelfSubjectRulesReview", "{'namespace':'shop'}").path("resourceRules").toString())
                .isEqualTo("[{\"verbs\":[\"*\"],\"apiGroups\":[\"apps\"],\"resources\":[\"deployments/scale\"]}]");
        assertThat(review(as("jane"), "SelfSubjectRulesReview", "{'namespace':'default'}").path("resourceRules")).isEmpty();
    }

    @Test
    void impersonationNeedsARightAndThenCounts() {
        Headers asJane = Headers.of("Accept", "application/json").with("Impersonate-User", "jane");
        String list = "{'resourceAttributes':{'verb':'list','resource':'pods','namespace':'default'}}";
        assertThat(review(asJane, "SelfSubjectAccessReview", list).path("allowed").asBoolean()).as("no bindings yet").isTrue();
        role("Role", "reader", "rules: [{apiGroups: [''], resources: [pods], verbs: [get, list]}]");
        bind("RoleBinding", "Role", "reader", "{kind: Group, name: readers}");
        assertThat(review(asJane, "SelfSubjectAccessReview", list).path("allowed").asBoolean()).isFalse();
        assertThat(requests.send("GET", PODS, asJane, null).status()).isEqualTo(403);
        assertThat(requests.send("GET", PODS, asJane.with("Impersonate-Group", "readers"), null).status()).isEqualTo(200);
        assertThat(requests.get(PODS).status()).as("a client without a name, while no token is known").isEqualTo(200);
        server.access().user("bob", "bob");
        Requests.Answered refused = requests.send("GET", PODS, as("bob").with("Impersonate-User", "jane"), null);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("message").asString()).isEqualTo("users \"jane\" is forbidden: User \"bob\" cannot impersonate "
                + "resource \"users\" in API group \"\" at the cluster scope");
    }

    @Test
    void theRolesThatAProgramNeededAreEnoughForIt() {
        requests.get("/apis/apps/v1/deployments?watch=true&timeoutSeconds=1");
        requests.get("/apis/apps/v1/deployments");
        requests.get(PODS);
        requests.get("/api/v1/namespaces/kube-system/configmaps/none");
        String roles = server.requests().roles("app");
        server.reset();
        List<String> needed = new ArrayList<>(List.of("/apis/apps/v1/deployments", PODS, "/api/v1/namespaces/kube-system/configmaps/none"));
        server.access().user("jane", "jane");
        assertThat(needed).allSatisfy(path -> assertThat(send("jane", "GET", path)).isEqualTo(403));
        server.objects().create(roles);
        bind("ClusterRoleBinding", "ClusterRole", "app", "{kind: User, name: jane}");
        for (String namespace : List.of("shop", "kube-system")) {
            server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: app, namespace: "
                    + namespace + "}, subjects: [{kind: User, name: jane}], roleRef: {kind: Role, name: app}}");
        }
        assertThat(needed).allSatisfy(path -> assertThat(send("jane", "GET", path)).isIn(200, 404));
    }
}
