package io.reactiveinformer.test;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecordedRequestsTest {

    private static final String CONFIG_MAP =
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"v\"}}";

    private final FakeApiServer server = FakeApiServer.create();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void tellsWhatWasChangedInOrder() {
        requests.get("/api/v1/pods");
        requests.post("/api/v1/namespaces/default/configmaps", CONFIG_MAP);
        requests.send("DELETE", "/api/v1/namespaces/default/configmaps/a", Headers.empty(), null);
        server.requests().verifyWrites("create configmaps in default", "delete configmaps a in default");
        assertThat(server.requests().writes().get(0).body().path("data").path("k").asString()).isEqualTo("v");
    }

    private void event(String namespace, String verb) {
        requests.send(verb, "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events" + (verb.equals("PATCH") ? "/e" : ""),
                Headers.of("Content-Type", "application/strategic-merge-patch+json"), "{}");
    }

    /** They were allowed in the namespace of the test only; each other namespace had to do without. */
    @Test
    void eventsAreAllowedWhereverObjectsAreListed() {
        requests.get("/api/v1/pods");
        event("shop", "POST");
        event("shop", "PATCH");
        assertThat(server.requests().roles("notes")).isEqualTo("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata:
                  name: notes
                rules:
                - apiGroups: [""]
                  resources: ["pods"]
                  verbs: ["list"]
                - apiGroups: ["events.k8s.io"]
                  resources: ["events"]
                  verbs: ["create", "patch"]
                """);
    }

    @Test
    void eventsAreAllowedInEachNamespaceOfAnOperatorOfSome() {
        requests.get("/api/v1/namespaces/shop/pods");
        requests.get("/api/v1/namespaces/bank/pods");
        event("shop", "POST");
        assertThat(server.requests().roles("notes")).doesNotContain("ClusterRole").contains("""
                  namespace: bank
                rules:
                - apiGroups: [""]
                  resources: ["pods"]
                  verbs: ["list"]
                - apiGroups: ["events.k8s.io"]
                  resources: ["events"]
                  verbs: ["create"]
                """);
    }

    @Test
    void writesTheRolesThatItNeeds() {
        requests.get("/api/v1/pods");
        requests.get("/api/v1/namespaces/default/pods");
        requests.get("/version");
        requests.send("DELETE", "/api/v1/namespaces/default/pods/a", Headers.empty(), null);
        requests.get("/api/v1/namespaces/default/pods/a/log");
        server.requests().clear();
        requests.get("/apis/batch/v1/namespaces/other/jobs?watch=true&timeoutSeconds=1");
        requests.post("/api/v1/namespaces/default/configmaps", CONFIG_MAP);
        requests.send("PATCH", "/apis/apps/v1/namespaces/default/deployments/web?fieldManager=a",
                Headers.of("Content-Type", "application/apply-patch+yaml"), "{}");
        requests.send("PATCH", "/apis/apps/v1/namespaces/default/deployments/web/status",
                Headers.of("Content-Type", "application/merge-patch+json"), "{}");
        assertThat(server.requests().roles("notes")).isEqualTo("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata:
                  name: notes
                rules:
                - apiGroups: [""]
                  resources: ["pods"]
                  verbs: ["delete", "list"]
                - apiGroups: [""]
                  resources: ["pods/log"]
                  verbs: ["get"]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata:
                  name: notes
                  namespace: default
                rules:
                - apiGroups: [""]
                  resources: ["configmaps"]
                  verbs: ["create"]
                - apiGroups: ["apps"]
                  resources: ["deployments"]
                  verbs: ["create", "patch"]
                - apiGroups: ["apps"]
                  resources: ["deployments/status"]
                  verbs: ["patch"]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata:
                  name: notes
                  namespace: other
                rules:
                - apiGroups: ["batch"]
                  resources: ["jobs"]
                  verbs: ["list", "watch"]
                """);
    }

    @Test
    void saysWhereItWentAnotherWay() {
        requests.post("/api/v1/namespaces/default/configmaps", CONFIG_MAP);
        assertThatThrownBy(() -> server.requests().verifyWrites("create replicasets.apps in default"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("request 1: expected: create replicasets.apps in default; was: create configmaps in default");
    }

    /** A recorder writes them in its own time, so their place among the writes is not known. */
    @Test
    void verifiesWritesWithoutEvents() {
        requests.post("/api/v1/namespaces/default/events", "{\"metadata\":{\"name\":\"e\"}}");
        requests.post("/api/v1/namespaces/default/configmaps", CONFIG_MAP);
        requests.post("/apis/events.k8s.io/v1/namespaces/default/events", "{\"metadata\":{\"name\":\"f\"}}");
        server.requests().verifyWrites("create configmaps in default");
        assertThat(server.requests().writes()).extracting(ApiRequest::resource)
                .containsExactly("events", "configmaps", "events.events.k8s.io");
    }

    @Test
    void aRequestWithoutAResourceIsNoWrite() {
        requests.post("/version", "{}");
        server.requests().verifyWrites();
        assertThat(server.requests().writes()).isEmpty();
        assertThat(server.requests().all()).hasSize(1);
    }

    @Test
    void refusesAVerbThatDoesNotExist() {
        assertThatThrownBy(() -> server.faults().on("lst", "pods")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no such verb: \"lst\"; verbs are [get, list, watch, ");
        assertThatThrownBy(() -> server.access().deny("write", "pods")).hasMessageContaining("no such verb");
    }

    @Test
    void waitsForARequestThatIsStillToCome() {
        var coming = server.requests().await(request -> request.verb() == Verb.LIST, Duration.ofSeconds(10)).toFuture();
        requests.get("/apis/apps/v1/deployments");
        assertThat(coming.join()).hasToString("list deployments.apps");
    }

    @Test
    void missesNoRequestThatComesAsOneBeginsToWait() {
        for (int round = 0; round < Rounds.races(2_000); round++) {
            server.requests().clear();
            var seen = new AtomicReference<CompletableFuture<ApiRequest>>();
            RaceTestUtils.race(
                    () -> requests.get("/api/v1/nodes"),
                    () -> seen.set(server.requests().await(request -> true, Duration.ofSeconds(10)).toFuture()));
            assertThat(seen.get()).as("round %d", round).succeedsWithin(Duration.ofSeconds(2));
        }
    }

    @Test
    void logsHowAWatchWasAnsweredThatItsClientLeftLater() {
        var watch = requests.watch("/api/v1/nodes?watch=true").subscribe();
        watch.dispose();
        assertThat(server.log()).singleElement().asString().endsWith("watch nodes: 200");
    }

    @Test
    void refusesByUserAndVerb() {
        server.access().admin("root", "admin").user("reader", "viewer").allow("viewer", "list", "pods", "prod");
        assertThat(as("reader", "/api/v1/namespaces/prod/pods")).isEqualTo(200);
        assertThat(as("reader", "/api/v1/namespaces/test/pods")).isEqualTo(403);
        assertThat(as("root", "/api/v1/namespaces/test/pods")).isEqualTo(200);
        assertThat(as("stolen", "/api/v1/pods")).isEqualTo(401);
        server.access().deny("list", "pods");
        assertThat(as("root", "/api/v1/pods")).isEqualTo(403);
    }

    @Test
    void tellsAnObjectFromItsSubresourceAndOneGroupFromAnother() {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, image: i}]}}");
        server.access().admin("root", "admin").deny("patch", "pods/status").deny("list", "events.events.k8s.io");
        String status = "{\"status\":{\"message\":\"m\"}}";
        assertThat(patch("/api/v1/namespaces/default/pods/a/status", status)).isEqualTo(403);
        assertThat(patch("/api/v1/namespaces/default/pods/a", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")).isEqualTo(200);
        assertThat(as("root", "/api/v1/events")).isEqualTo(200);
        assertThat(as("root", "/apis/events.k8s.io/v1/events")).isEqualTo(403);
        server.access().deny("*", "pods/*");
        assertThat(as("root", "/api/v1/namespaces/default/pods/a")).isEqualTo(403);
    }

    @Test
    void answersInTheServersPlace() {
        server.faults().on("create", "configmaps").answer("{apiVersion: v1, kind: ConfigMap, metadata: {name: pretended}}");
        server.faults().on("create", "configmaps").answer("{apiVersion: v1, kind: Status, status: Failure, code: 422, reason: Invalid}");
        assertThat(requests.post("/api/v1/namespaces/default/configmaps", CONFIG_MAP).status()).isEqualTo(201);
        assertThat(requests.post("/api/v1/namespaces/default/configmaps", CONFIG_MAP).status()).isEqualTo(422);
        assertThat(requests.get("/api/v1/configmaps").json().path("items")).isEmpty();
        server.requests().verifyWrites("create configmaps in default", "create configmaps in default");
    }

    private int patch(String uri, String body) {
        return requests.send("PATCH", uri, Headers.of("Authorization", "Bearer root").with("Content-Type", "application/merge-patch+json"),
                body).status();
    }

    private int as(String token, String uri) {
        return requests.send("GET", uri, Headers.of("Authorization", "Bearer " + token), null).status();
    }
}
