package io.reactiveinformer.apiserver;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** ResourceQuotas and LimitRanges, applied to what clients write. */
class QuotasTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";

    private final ApiServer server = ApiServer.builder().build().start(0);
    private final ApiCalls calls = new ApiCalls(server);

    @AfterEach
    void close() {
        server.close();
    }

    private void limit(String kind, String spec) {
        calls.ok("POST", "/api/v1/namespaces/default/" + kind.toLowerCase(java.util.Locale.ROOT) + "s",
                "{apiVersion: v1, kind: %s, metadata: {name: q}, spec: %s}".formatted(kind, spec));
    }

    private static String pod(String name, String resources) {
        return "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {containers: [{name: c, image: i, resources: %s}]}}"
                .formatted(name, resources);
    }

    private String status() {
        return calls.ok("GET", "/api/v1/namespaces/default/resourcequotas/q", "").path("status").path("used").toString();
    }

    @Test
    void aQuotaCountsAndRefuses() {
        limit("ResourceQuota", "{hard: {pods: '2', count/deployments.apps: '0', configmaps: '5'}}");
        calls.ok("POST", PODS, pod("a", "{}"));
        calls.ok("POST", PODS, pod("b", "{}"));
        assertThat(status()).contains("\"pods\":\"2\"").contains("\"configmaps\":\"0\"");
        assertThat(calls.refused("POST", PODS, pod("c", "{}")))
                .isEqualTo("403 pods \"c\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2");
        assertThat(calls.refused("POST", PODS + "?dryRun=All", pod("c", "{}"))).startsWith("403 ");
        calls.ok("PATCH", PODS + "/b/status", "{\"status\":{\"phase\":\"Succeeded\"}}");
        assertThat(status()).contains("\"pods\":\"1\"");
        calls.ok("POST", PODS, pod("c", "{}"));
        calls.ok("DELETE", PODS + "/a", "");
        assertThat(status()).contains("\"pods\":\"1\"");
        assertThat(calls.refused("POST", "/apis/apps/v1/namespaces/default/deployments", """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {matchLabels: {a: b}}, template:
                {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}"""))
                .isEqualTo("403 deployments.apps \"d\" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used:"
                        + " count/deployments.apps=0, limited: count/deployments.apps=0");
    }

    @Test
    void aNewQuotaCanBeUpdatedAsItCame() {
        calls.ok("POST", PODS, pod("a", "{}"));
        limit("ResourceQuota", "{hard: {pods: '2'}}");
        var quota = calls.ok("GET", "/api/v1/namespaces/default/resourcequotas/q", "");
        assertThat(quota.path("status").toString()).isEqualTo("{\"hard\":{\"pods\":\"2\"},\"used\":{\"pods\":\"1\"}}");
        var changed = calls.ok("PUT", "/api/v1/namespaces/default/resourcequotas/q",
                quota.toString().replace("\"pods\":\"2\"", "\"pods\":\"3\""));
        assertThat(changed.path("status").path("hard").path("pods").asString()).isEqualTo("3");
    }

    @Test
    void aQuotaOfAmountsNeedsThemAndAddsThemUp() {
        limit("ResourceQuota", "{hard: {requests.cpu: '1', limits.memory: 1Gi}}");
        assertThat(calls.refused("POST", PODS, pod("a", "{requests: {cpu: 100m}}")))
                .isEqualTo("403 pods \"a\" is forbidden: failed quota: q: must specify limits.memory for: c");
        calls.ok("POST", PODS, pod("a", "{requests: {cpu: 600m}, limits: {memory: 512Mi}}"));
        assertThat(status()).isEqualTo("{\"limits.memory\":\"512Mi\",\"requests.cpu\":\"600m\"}");
        assertThat(calls.refused("POST", PODS, pod("b", "{requests: {cpu: 500m}, limits: {memory: 600Mi}}")))
                .isEqualTo("403 pods \"b\" is forbidden: exceeded quota: q, requested: limits.memory=600Mi,requests.cpu=500m, used:"
                        + " limits.memory=512Mi,requests.cpu=600m, limited: limits.memory=1Gi,requests.cpu=1");
        calls.ok("POST", PODS, pod("b", "{limits: {cpu: 400m, memory: 512Mi}}"));
        assertThat(status()).as("requests are limits by default").contains("\"requests.cpu\":\"1\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{hard: {pods: '0'}, scopes: [BestEffort]} | {} | 403",
        "{hard: {pods: '0'}, scopes: [NotBestEffort]} | {} | 201",
        "{hard: {pods: '0'}, scopes: [Terminating]} | {} | 201",
        "{hard: {pods: '0'}, scopes: [NotTerminating]} | {} | 403",
        "{hard: {pods: '0'}, scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}} | {} | 201",
        "{hard: {secrets: '0'}} | {} | 201",
    })
    void aQuotaIsAboutItsScopes(String spec, String resources, int code) {
        limit("ResourceQuota", spec);
        assertThat(calls.send("POST", PODS, pod("a", resources)).statusCode()).isEqualTo(code);
    }

    @Test
    void aClaimThatGrowsIsCountedByTheDifference() {
        limit("ResourceQuota", "{hard: {requests.storage: 3Gi, persistentvolumeclaims: '1'}}");
        String claims = "/api/v1/namespaces/default/persistentvolumeclaims";
        calls.ok("POST", claims, """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: p}, spec: {accessModes: [ReadWriteOnce], resources:
                {requests: {storage: 2Gi}}}}""");
        calls.ok("PATCH", claims + "/p/status", "{\"status\":{\"phase\":\"Bound\",\"capacity\":{\"storage\":\"2Gi\"}}}");
        assertThat(calls.refused("PATCH", claims + "/p", "{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"4Gi\"}}}}"))
                .isEqualTo("403 persistentvolumeclaims \"p\" is forbidden: exceeded quota: q, requested: requests.storage=2Gi, used:"
                        + " requests.storage=2Gi, limited: requests.storage=3Gi");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{type: Container, max: {cpu: '1'}} | {limits: {cpu: '2'}} | maximum cpu usage per Container is 1, but limit is 2",
        "{type: Container, min: {cpu: 100m}} | {requests: {cpu: 50m}} | minimum cpu usage per Container is 100m, but request is 50m",
        "{type: Container, min: {memory: 1Mi}, defaultRequest: {cpu: 1m}} | {requests: {cpu: 2m}, limits: {memory: 1k}} | minimum memory"
                + " usage per Container is 1Mi, but request is 1k",
        "{type: Container, maxLimitRequestRatio: {cpu: '2'}} | {requests: {cpu: 100m}, limits: {cpu: 300m}} | cpu max limit to request"
                + " ratio per Container is 2, but provided ratio is 3.000000",
        "{type: Container, maxLimitRequestRatio: {cpu: '2'}} | {} | cpu max limit to request ratio per Container is 2, but no request is"
                + " specified or request is 0",
        "{type: Pod, max: {memory: 1Gi}} | {limits: {memory: 2Gi}} | maximum memory usage per Pod is 1Gi, but limit is 2Gi",
        "{type: Pod, max: {memory: 1Gi}} | {} | maximum memory usage per Pod is 1Gi.  No limit is specified",
        "{type: Pod, min: {cpu: '1'}, max: {cpu: '2'}} | {requests: {cpu: '3'}, limits: {cpu: '3'}} | maximum cpu usage"
                + " per Pod is 2, but limit is 3",
    })
    void aPodOutOfBoundsIsRefused(String limits, String resources, String refusal) {
        limit("LimitRange", "{limits: [" + limits + "]}");
        assertThat(calls.refused("POST", PODS, pod("a", resources))).isEqualTo("403 pods \"a\" is forbidden: " + refusal);
    }

    @Test
    void aPodGetsTheDefaultsOfItsNamespace() {
        limit("LimitRange", "{limits: [{type: Container, default: {cpu: 500m, memory: 64Mi}, defaultRequest: {cpu: 100m}}]}");
        var pod = calls.ok("POST", PODS, pod("a", "{}"));
        assertThat(pod.path("spec").path("containers").path(0).path("resources").toString())
                .isEqualTo("{\"limits\":{\"cpu\":\"500m\",\"memory\":\"64Mi\"},\"requests\":{\"cpu\":\"100m\",\"memory\":\"64Mi\"}}");
        assertThat(pod.path("metadata").path("annotations").path("kubernetes.io/limit-ranger").asString())
                .isEqualTo("LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c");
        assertThat(pod.path("metadata").path("managedFields").toString()).doesNotContain("limit-ranger").doesNotContain("f:cpu");
    }

    @Test
    void aClaimOutOfBoundsIsRefused() {
        limit("LimitRange",
                "{limits: [{type: PersistentVolumeClaim, max: {storage: 1Gi}, min: {storage: 1Mi}}, {type: Pod, max: {cpu: 1}}]}");
        assertThat(calls.refused("POST", "/api/v1/namespaces/default/persistentvolumeclaims", """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: p}, spec: {accessModes: [ReadWriteOnce], resources:
                {requests: {storage: 2Gi}}}}""")).isEqualTo("403 persistentvolumeclaims \"p\" is forbidden: maximum storage usage per"
                        + " PersistentVolumeClaim is 1Gi, but request is 2Gi");
    }

    @Test
    void whatAPodSaysItselfIsCounted() {
        limit("ResourceQuota", "{hard: {requests.cpu: '1', limits.memory: 2Gi}}");
        String pod = pod("a", "{requests: {cpu: 100m}}");
        calls.ok("POST", PODS, pod.replace("spec: {", "spec: {resources: {requests: {cpu: 600m}, limits: {memory: 1Gi}}, "));
        assertThat(status()).isEqualTo("{\"limits.memory\":\"1Gi\",\"requests.cpu\":\"600m\"}");
        limit("LimitRange", "{limits: [{type: Pod, max: {cpu: '3'}}]}");
        String other = pod.replace("name: a", "name: b");
        assertThat(calls.refused("POST", PODS, other.replace("spec: {", "spec: {resources: {limits: {cpu: '4'}}, ")))
                .isEqualTo("403 pods \"b\" is forbidden: maximum cpu usage per Pod is 3, but limit is 4");
    }

    @Test
    void aPodThatComesIntoAScopeIsCounted() {
        limit("ResourceQuota", "{hard: {pods: '0'}, scopes: [Terminating]}");
        calls.ok("POST", PODS, pod("a", "{}"));
        assertThat(calls.refused("PATCH", PODS + "/a", "{\"spec\":{\"activeDeadlineSeconds\":100}}"))
                .isEqualTo("403 pods \"a\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0");
    }

    @Test
    void portsThatAreNotAllocatedAreNotCounted() {
        limit("ResourceQuota", "{hard: {services.nodeports: '0'}}");
        String service = "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: LoadBalancer, %sports: [{port: 80}]}}";
        assertThat(calls.refused("POST", PODS.replace("pods", "services"), service.formatted(""))).contains("services.nodeports=1");
        calls.ok("POST", PODS.replace("pods", "services"), service.formatted("allocateLoadBalancerNodePorts: false, "));
    }

    @Test
    void aReasonIsGivenOnce() {
        limit("LimitRange", "{limits: [{type: Container, max: {memory: 1Gi}}]}");
        String twice = pod("a", "{limits: {memory: 2Gi}}}, {name: d, image: i, resources: {limits: {memory: 2Gi}}");
        assertThat(calls.refused("POST", PODS, twice))
                .isEqualTo("403 pods \"a\" is forbidden: maximum memory usage per Container is 1Gi, but limit is 2Gi");
    }
}
