package io.reactiveinformer.apiserver;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** ValidatingAdmissionPolicies: accepted or refused with the words of a real server. See {@link Judge} for how to ask one. */
class PoliciesTest {

    private static final String API = "/apis/admissionregistration.k8s.io/v1/";
    private static final String POLICIES = API + "validatingadmissionpolicies";
    private static final String BINDINGS = API + "validatingadmissionpolicybindings";
    private static final int UNTIL_THEY_APPLY = 8_000; // milliseconds, of the real server

    private static ObjectNode object(String apiVersion, String kind, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode().put("apiVersion", apiVersion).put("kind", kind);
        object.putObject("metadata").put("name", name);
        return object;
    }

    private static ObjectNode policy(String name, JsonNode given) {
        ObjectNode policy = object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", name);
        ObjectNode spec = policy.putObject("spec").put("failurePolicy", "Fail");
        ObjectNode rule = spec.putObject("matchConstraints").putArray("resourceRules").addObject();
        rule.putArray("apiGroups").add("");
        rule.putArray("apiVersions").add("v1");
        rule.putArray("resources").add("configmaps");
        rule.putArray("operations").add("CREATE").add("UPDATE");
        ObjectNode constraints = spec.path("matchConstraints").deepCopy().asObject();
        spec.setAll(given.deepCopy().asObject());
        spec.set("matchConstraints", constraints.setAll(given.path("matchConstraints").isObject()
                ? given.path("matchConstraints").asObject() : JsonNodeFactory.instance.objectNode()));
        return policy;
    }

    private static ObjectNode binding(String name, JsonNode given) {
        ObjectNode binding = object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", name);
        ObjectNode spec = binding.putObject("spec").put("policyName", name);
        spec.putArray("validationActions").add("Deny");
        spec.putObject("matchResources").putObject("namespaceSelector").putObject("matchLabels").put("kubernetes.io/metadata.name", name);
        if (given.isObject()) {
            spec.setAll(given.asObject());
        }
        return binding;
    }

    @Test
    void writesAreJudgedAsByTheRealServer() throws InterruptedException {
        List<JsonNode> tests = Judge.table("policies.yaml");
        try (var judge = new Judge()) {
            for (int i = 0; i < tests.size(); i++) {
                assertThat(judge.send("POST", "/api/v1/namespaces", object("v1", "Namespace", "judged-" + i))).isEqualTo("ok");
                assertThat(judge.send("POST", POLICIES, policy("judged-" + i, tests.get(i).path("policy")))).isEqualTo("ok");
                assertThat(judge.send("POST", BINDINGS, binding("judged-" + i, tests.get(i).path("binding")))).isEqualTo("ok");
            }
            Thread.sleep(judge.isReal() ? UNTIL_THEY_APPLY : 0);
            for (int i = 0; i < tests.size(); i++) {
                for (JsonNode write : tests.get(i).path("writes")) {
                    judge.answered("judged-" + i + " " + tests.get(i).path("policy").path("validations") + " " + write,
                            write(judge, "/api/v1/namespaces/judged-" + i + "/configmaps", write));
                }
            }
            for (int i = 0; i < tests.size(); i++) {
                judge.send("DELETE", POLICIES + "/judged-" + i, null);
                judge.send("DELETE", BINDINGS + "/judged-" + i, null);
            }
            for (int i = 0; judge.isReal() && i < tests.size(); i++) {
                Thread.sleep(i == 0 ? UNTIL_THEY_APPLY : 0);
                ObjectNode namespace = object("v1", "Namespace", "judged-" + i);
                namespace.putObject("spec").putArray("finalizers");
                judge.send("DELETE", "/api/v1/namespaces/judged-" + i + "/configmaps", null);
                judge.send("DELETE", "/api/v1/namespaces/judged-" + i, null);
                judge.send("PUT", "/api/v1/namespaces/judged-" + i + "/finalize", namespace); // where no controller does this
            }
            judge.areThoseOf("policies.txt");
        }
    }

    private static String write(Judge judge, String path, JsonNode write) {
        String how = write.propertyNames().iterator().next();
        JsonNode given = write.path(how);
        ObjectNode object = object("v1", "ConfigMap", given.path("name").asString());
        if (given.has("data")) {
            object.set("data", given.path("data"));
        }
        if (given.has("labels")) {
            object.withObjectProperty("metadata").set("labels", given.path("labels"));
        }
        String one = path + "/" + given.path("name").asString();
        return switch (how) {
            case "create" -> judge.send("POST", path, object);
            case "update" -> judge.send("PUT", one, object);
            default -> judge.send("DELETE", one, null);
        };
    }

    @Test
    void brokenPoliciesAreRefusedAsByTheRealServer() {
        try (var judge = new Judge()) {
            int i = 0;
            for (JsonNode test : Judge.table("broken-policies.yaml")) {
                judge.answered(test.toString(), judge.send("POST", POLICIES, policy("broken-" + i++, test)));
            }
            judge.areThoseOf("broken-policies.txt");
        }
    }

    @Test
    void aWarningIsSentWithTheAnswer() throws Exception {
        try (ApiServer server = ApiServer.builder().build().start(0)) {
            server.objects().create(policy("p", Judge.read("{validations: [{expression: 'false', message: 'say \"no\"'}]}")).toString());
            server.objects().create(binding("p", Judge.read("{validationActions: [Warn], matchResources: {}}")).toString());
            HttpResponse<String> answer = HttpClient.newHttpClient().send(HttpRequest.newBuilder(
                    URI.create(server.url() + "/api/v1/namespaces/default/configmaps")).header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(object("v1", "ConfigMap", "c").toString())).build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(201);
            assertThat(answer.headers().allValues("Warning")).containsExactly("299 - \"Validation failed for ValidatingAdmissionPolicy 'p'"
                    + " with binding 'p': say \\\"no\\\"\"");
        }
    }

    private final ApiServer server = ApiServer.builder().build().start(0);
    private final ApiCalls calls = new ApiCalls(server);

    @AfterEach
    void close() {
        server.close();
    }

    private void bind(String name, String policy, String binding) {
        server.objects().create(policy(name, Judge.read(policy)).toString());
        server.objects().create(binding(name, Judge.read("{matchResources: {}, " + binding + "}")).toString());
    }

    private static String map(String data) {
        return "{\"metadata\":{\"name\":\"c\"},\"data\":" + data + "}";
    }

    @Test
    void errorsRefuseWhateverTheBindingSays() {
        String maps = "/api/v1/namespaces/default/configmaps";
        String start = "422 configmaps \"c\" is forbidden: ValidatingAdmissionPolicy ";
        bind("q", "{auditAnnotations: [{key: k, valueExpression: 'string(object.data.x)'}]}", "validationActions: [Warn]");
        assertThat(calls.refused("POST", maps, map("{}"))).isEqualTo(start
                + "'q' with binding 'q' denied request: expression 'string(object.data.x)' resulted in error: no such key: data");
        calls.ok("POST", maps, map("{\"x\":\"1\"}"));
        calls.ok("DELETE", maps + "/c", "");
        bind("p", "{paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression: 'true'}]}",
                "validationActions: [Warn], paramRef: {name: none, namespace: default, parameterNotFoundAction: Deny}");
        assertThat(calls.refused("POST", maps, map("{\"x\":\"1\"}"))).isEqualTo(start + "'p' with binding 'p' denied request: failed to"
                + " configure binding: no params found for policy binding with `Deny` parameterNotFoundAction");
        bind("r", "{validations: [{expression: 'false', message: r}]}", "validationActions: [Warn]");
        HttpResponse<String> answer = calls.send("POST", maps, map("{\"x\":\"1\"}"));
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.headers().allValues("Warning")).as("of a later policy").hasSize(1);
    }

    @Test
    void aRequestIsSeenAsByTheRealServer() {
        bind("p", """
                {matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], resources: [namespaces], operations: ['*']}]},
                 validations: [{expression: 'false', messageExpression: "request.options.kind + ' ' + request.namespace
                   + (has(request.subResource) || has(request.requestSubResource) ? ' part' : '')"}]}""", "validationActions: [Deny]");
        String end = "ValidatingAdmissionPolicy 'p' with binding 'p' denied request: ";
        assertThat(calls.refused("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"made\"}}")).endsWith(end + "CreateOptions made");
        assertThat(calls.refused("PATCH", "/api/v1/namespaces/default", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"))
                .endsWith(end + "UpdateOptions default");
        assertThat(calls.refused("DELETE", "/api/v1/namespaces/kube-node-lease", "")).endsWith(end + "DeleteOptions kube-node-lease");
        assertThat(calls.refused("DELETE", "/api/v1/namespaces/default", "")).endsWith("this namespace may not be deleted");
    }

    @Test
    void aPolicyHasToSayWhatItIsAbout() {
        String policy = """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"p"},
                 "spec":{%s"validations":[{"expression":"true"}]}}""";
        assertThat(calls.refused("POST", POLICIES, policy.formatted(""))).endsWith("is invalid: spec.matchConstraints: Required value");
        assertThat(calls.refused("POST", POLICIES, policy.formatted("\"matchConstraints\":{},")))
                .endsWith("is invalid: spec.matchConstraints.resourceRules: Required value");
    }

    @Test
    void anEquivalentVersionIsConverted() {
        server.objects().create(Definitions.WIDGETS.formatted("{strategy: None}"));
        String policy = """
                {matchConstraints: {matchPolicy: %s, resourceRules: [{apiGroups: [example.com], apiVersions: [v1], resources: [widgets],
                 operations: ['*']}]}, validations: [{expression: 'false', messageExpression: "request.requestKind.version
                 + request.kind.version + object.apiVersion"}]}""";
        String widget = "{\"apiVersion\":\"example.com/v2\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"size\":1}}";
        String widgets = "/apis/example.com/v2/namespaces/default/widgets";
        bind("e", policy.formatted("Exact"), "validationActions: [Deny]");
        calls.ok("POST", widgets, widget.formatted("a"));
        bind("p", policy.formatted("Equivalent"), "validationActions: [Deny]");
        assertThat(calls.refused("POST", widgets, widget.formatted("b"))).endsWith("denied request: v2v1example.com/v1");
    }
}
