package io.reactiveinformer.apiserver;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What a new object gets from others, and what is refused because another is missing, in the words of a real server. */
class ReferredObjectsTest {

    private static final String CORE = "/api/v1/namespaces/default/";

    private final ApiServer server = ApiServer.builder().build().start(0);
    private final ApiCalls calls = new ApiCalls(server);

    @AfterEach
    void close() {
        server.close();
    }

    private static String object(String kind, String name, String fields) {
        return "{kind: " + kind + ", metadata: {name: " + name + "}, " + fields + "}";
    }

    private static String pod(String spec) {
        return object("Pod", "p", "spec: {containers: [{name: c, image: i}], " + spec + "}");
    }

    private static String service(String name, String port) {
        return object("Service", name, "spec: {type: NodePort, ports: [" + port + "]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "priorityClassName: none | no PriorityClass with name none was found",
        "runtimeClassName: none  | pod rejected: RuntimeClass \"none\" not found",
    })
    void aPodOfAMissingClassIsRefused(String spec, String why) {
        assertThat(calls.refused("POST", CORE + "pods", pod(spec))).isEqualTo("403 pods \"p\" is forbidden: " + why);
    }

    @Test
    void aPodHasThePriorityOfItsClassOrOfTheDefaultOne() {
        JsonNode system = calls.ok("POST", CORE + "pods?dryRun=All", pod("priorityClassName: system-node-critical"));
        assertThat(system.path("spec").path("priority").asInt()).isEqualTo(2_000_001_000);
        calls.ok("POST", "/apis/scheduling.k8s.io/v1/priorityclasses",
                object("PriorityClass", "usual", "value: 7, globalDefault: true, preemptionPolicy: Never"));
        JsonNode spec = calls.ok("POST", CORE + "pods", pod("")).path("spec");
        assertThat(Stream.of("priority", "priorityClassName", "preemptionPolicy").map(field -> spec.path(field).asString()))
                .containsExactly("7", "usual", "Never");
    }

    @Test
    void aPodHasTheZoneOfItsNodeFromTheStartOrFromItsBinding() {
        calls.ok("POST", "/api/v1/nodes", "{kind: Node, metadata: {name: n, labels: {topology.kubernetes.io/zone: z, other: o}}}");
        assertThat(calls.ok("POST", CORE + "pods?dryRun=All", pod("nodeName: n")).path("metadata").path("labels").toString())
                .isEqualTo("{\"topology.kubernetes.io/zone\":\"z\"}");
        calls.ok("POST", CORE + "pods", pod(""));
        calls.ok("POST", CORE + "pods/p/binding", "{kind: Binding, metadata: {name: p}, target: {kind: Node, name: n}}");
        assertThat(calls.ok("GET", CORE + "pods/p", "").path("metadata").path("labels").toString())
                .isEqualTo("{\"topology.kubernetes.io/zone\":\"z\"}");
    }

    @Test
    void aClaimHasTheDefaultClassAndGoesAtOnceThoughItIsProtected() {
        calls.ok("POST", "/apis/storage.k8s.io/v1/storageclasses", "{kind: StorageClass, metadata: {name: fast, annotations:"
                + " {storageclass.kubernetes.io/is-default-class: 'true'}}, provisioner: p}");
        JsonNode claim = calls.ok("POST", CORE + "persistentvolumeclaims", object("PersistentVolumeClaim", "c",
                "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"));
        assertThat(claim.path("spec").path("storageClassName").asString()).isEqualTo("fast");
        assertThat(claim.path("metadata").path("finalizers").toString()).isEqualTo("[\"kubernetes.io/pvc-protection\"]");
        calls.ok("DELETE", CORE + "persistentvolumeclaims/c", "");
        assertThat(calls.refused("GET", CORE + "persistentvolumeclaims/c", "")).startsWith("404 ");
    }

    @Test
    void aNodePortIsInTheRangeAndFree() {
        calls.ok("POST", CORE + "services", service("a", "{port: 80, nodePort: 30080}"));
        String start = "422 Service \"b\" is invalid: spec.ports[0].nodePort: Invalid value: ";
        assertThat(calls.refused("POST", CORE + "services", service("b", "{port: 80, nodePort: 80}")))
                .isEqualTo(start + "80: provided port is not in the valid range. The range of valid ports is 30000-32767");
        assertThat(calls.refused("POST", CORE + "services", service("b", "{port: 80, nodePort: 30080}")))
                .isEqualTo(start + "30080: provided port is already allocated");
        calls.ok("PATCH", CORE + "services/a", "{\"spec\":{\"ports\":[{\"port\":81,\"nodePort\":30080}]}}");
        assertThat(calls.refused("PATCH", CORE + "services/a", "{\"spec\":{\"clusterIP\":\"10.0.0.77\"}}")).contains("may not change once set");
    }
}
