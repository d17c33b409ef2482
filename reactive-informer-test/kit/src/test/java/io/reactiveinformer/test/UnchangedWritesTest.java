package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A write that changes nothing makes no new version and no event, whatever its JSON looks like: objects are compared as they are stored.
 * The stored forms were read from a kube-apiserver 1.36.
 */
class UnchangedWritesTest {

    private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/o";
    private static final String MAP = "/api/v1/namespaces/default/configmaps/o";
    private static final String POD = "/api/v1/namespaces/default/pods/o";
    private static final String SERVICE = "/api/v1/namespaces/default/services/o";
    private static final String WIDGET = "/apis/example.com/v1/namespaces/default/widgets/o";

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder()
            .scheduler(time)
            .with(Widgets.definition("Namespaced", Widgets.version("v1", true, """
                    {type: object, properties: {
                      size: {type: integer, default: 5}, mode: {type: string, default: fast},
                      tags: {type: array, items: {type: string}}, free: {type: object, x-kubernetes-preserve-unknown-fields: true}}}""")))
            .build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private static Headers content(String type) {
        return Headers.of("Content-Type", "application/" + type);
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    /** Whole objects with all that a program may write although it is empty, or in another form than the stored one. */
    static Stream<Arguments> objects() {
        return Stream.of(
                Arguments.of(MAP, "v1", "ConfigMap", "'data':{'z':'1','a':'2'},'binaryData':{},'immutable':null"),
                Arguments.of(POD, "v1", "Pod", """
                        'spec':{'hostNetwork':false,'nodeSelector':{},'volumes':[{'name':'v','emptyDir':{}}],
                        'restartPolicy':'','containers':[{'image':'i','name':'c','tty':false,'stdin':false,
                        'command':[],'env':[{'value':'','name':'E'}],'ports':[{'containerPort':80,'hostPort':0}],
                        'livenessProbe':{'initialDelaySeconds':0,'tcpSocket':{'port':80}},
                        'volumeMounts':[{'name':'v','mountPath':'/v','readOnly':false}]}]}"""),
                Arguments.of(DEPLOYMENT, "apps/v1", "Deployment", """
                        'spec':{'replicas':3,'minReadySeconds':0,'paused':false,
                        'selector':{'matchLabels':{'a':'b'},'matchExpressions':[]},
                        'template':{'metadata':{'creationTimestamp':null,'labels':{'a':'b'}},'spec':{'hostPID':false,'containers':[
                        {'name':'c','image':'i','resources':{'limits':{'memory':'1024Mi','cpu':'0.5'},'requests':{}}}]}}}"""),
                Arguments.of(SERVICE, "v1", "Service",
                        "'spec':{'publishNotReadyAddresses':false,'selector':{},'ports':[{'port':80,'nodePort':0,'name':''}]}"),
                Arguments.of(WIDGET, "example.com/v1", "Widget",
                        "'spec':{'size':3.0,'mode':null,'tags':[],'free':{'deep':[{'n':1e0}],'none':{}}}"));
    }

    private String whole(String apiVersion, String kind, String rest) {
        return json("{'apiVersion':'" + apiVersion + "','kind':'" + kind + "','metadata':{'name':'o','namespace':'default','labels':{},"
                + "'annotations':{},'finalizers':[],'ownerReferences':[]}," + rest + "}");
    }

    private void expectNoVersion(String what, String version, Requests.Answered answered) {
        assertThat(answered.status()).as("%s: %s", what, answered.body()).isEqualTo(200);
        assertThat(answered.json().at("/metadata/resourceVersion").asString()).as("version after %s", what).isEqualTo(version);
        assertThat(server.resourceVersion()).as("latest version after %s", what).isEqualTo(version);
    }

    private static JsonNode without(JsonNode object, String metadata) {
        ObjectNode copy = (ObjectNode) object.deepCopy();
        ((ObjectNode) copy.path("metadata")).remove(metadata);
        return copy;
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource("objects")
    void theSameWriteAgainChangesNothing(String path, String apiVersion, String kind, String rest) {
        String whole = whole(apiVersion, kind, rest);
        String list = path.substring(0, path.length() - 2);
        JsonNode created = requests.post(list + "?fieldManager=m", whole).json();
        String version = created.at("/metadata/resourceVersion").asString();
        time.advanceTimeBy(Duration.ofHours(1));
        assertThat(requests.get(path).json()).isEqualTo(created);
        expectNoVersion("an empty patch", version, requests.send("PATCH", path, content("merge-patch+json"), "{}"));
        expectNoVersion("the object as a merge patch", version, requests.send("PATCH", path, content("merge-patch+json"), whole));
        if (!kind.equals("Widget")) {
            expectNoVersion("the object as a strategic patch", version,
                    requests.send("PATCH", path, content("strategic-merge-patch+json"), whole));
        }
        expectNoVersion("a JSON patch", version, requests.send("PATCH", path, content("json-patch+json"),
                json("[{'op':'add','path':'/metadata/labels','value':{}},{'op':'test','path':'/metadata/name','value':'o'}]")));
        expectNoVersion("what was read", version, requests.send("PUT", path, content("json"), created.toString()));
        expectNoVersion("what was read, without managed fields", version,
                requests.send("PUT", path, content("json"), without(created, "managedFields").toString()));
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource("objects")
    void theSameApplyAgainChangesNothing(String path, String apiVersion, String kind, String rest) {
        String whole = whole(apiVersion, kind, rest);
        String uri = path + "?fieldManager=m";
        Requests.Answered created = requests.send("PATCH", uri, content("apply-patch+yaml"), whole);
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        String version = created.json().at("/metadata/resourceVersion").asString();
        time.advanceTimeBy(Duration.ofHours(1));
        expectNoVersion("the same apply", version, requests.send("PATCH", uri, content("apply-patch+yaml"), whole));
        expectNoVersion("a patch by another manager", version, requests.send("PATCH", path, content("merge-patch+json"), whole));
        assertThat(requests.get(path).json()).isEqualTo(created.json());
    }

    /** What a test has put there is in the form in which the server stores, so that the first request does not change it. */
    @ParameterizedTest(name = "{2}")
    @MethodSource("objects")
    void theFirstPatchAfterACreateChangesNothing(String path, String apiVersion, String kind, String rest) {
        ObjectNode put = server.objects().create(JsonMapper.shared().readTree(whole(apiVersion, kind, rest)));
        String version = put.at("/metadata/resourceVersion").asString();
        assertThat(requests.get(path).json()).isEqualTo(put);
        expectNoVersion("an empty patch", version, requests.send("PATCH", path, content("merge-patch+json"), "{}"));
        expectNoVersion("the object as a patch", version,
                requests.send("PATCH", path, content("merge-patch+json"), whole(apiVersion, kind, rest)));
        server.objects().update(put);
        assertThat(server.resourceVersion()).as("latest version after the same object").isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{'n':3.0,'f':5e-1,'e':[],'m':{},'x':null}", "{'n':3,'f':0.5,'e':[],'m':{}}", "{'n':3e0,'f':0.50}", "{}"
    })
    void aStatusInAnotherFormChangesNothing(String status) {
        requests.post(WIDGET.substring(0, WIDGET.length() - 2), whole("example.com/v1", "Widget", "'spec':{}"));
        String whole = json("{'status':{'n':3,'f':0.5,'e':[],'m':{}}}");
        String version = requests.send("PATCH", WIDGET + "/status", content("merge-patch+json"), whole).json()
                .at("/metadata/resourceVersion").asString();
        time.advanceTimeBy(Duration.ofSeconds(2));
        expectNoVersion(status, version,
                requests.send("PATCH", WIDGET + "/status", content("merge-patch+json"), json("{'status':" + status + "}")));
        String apply = json("{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'o'},'status':" + status + "}");
        String applied = requests.send("PATCH", WIDGET + "/status?fieldManager=a", content("apply-patch+yaml"), apply).json()
                .at("/metadata/resourceVersion").asString();
        time.advanceTimeBy(Duration.ofSeconds(2));
        expectNoVersion("apply " + status, applied,
                requests.send("PATCH", WIDGET + "/status?fieldManager=a", content("apply-patch+yaml"), apply));
    }

    /** Compared with the answers of a kube-apiserver 1.36. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "1024Mi | 1Gi", "0.5 | 500m", "1000m | 1", "1.5Gi | 1536Mi", "100 | 100", "1500 | 1500", "1500m | 1500m", "2000 | 2k",
            "0 | 0", "0Mi | 0", "1Ki | 1Ki", "1000Ki | 1000Ki", "0.1Ki | 102400m", "1e3 | 1e3", "12e6 | 12e6", "1.0 | 1", "0.5e1 | 5",
            ".5 | 500m", "1000000u | 1", "0.5Mi | 512Ki", "1Ei | 1Ei", "1e20 | 100e18", "100000k | 100M", "1E | 1E",
            "1025 | 1025", "1000000Mi | 1000000Mi"
    })
    void quantitiesHaveOneForm(String sent, String stored) {
        server.objects().create(json("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'o'},'spec':{'containers':[{'name':'c',"
                + "'image':'i','resources':{'limits':{'cpu':'" + sent + "'}}}]}}"));
        assertThat(requests.get(POD).json().at("/spec/containers/0/resources/limits/cpu").asString()).isEqualTo(stored);
    }

    @Test
    void zeroValuesThatGoOmitsAreNotStoredAndPointersAre() {
        JsonNode pod = server.objects().create(json("""
                {'apiVersion':'v1','kind':'Pod','metadata':{'name':'o'},'spec':{'hostNetwork':false,'automountServiceAccountToken':false,
                'terminationGracePeriodSeconds':0,'securityContext':{'runAsUser':0},'containers':[{'name':'c','image':'i','tty':false,
                'env':[{'name':'E','value':''}],'livenessProbe':{'initialDelaySeconds':0,'tcpSocket':{'port':80}},
                'volumeMounts':[{'name':'v','mountPath':'/v','readOnly':false}],
                'resources':{'limits':{'cpu':'0'}}}],'volumes':[{'name':'v','emptyDir':{}}]},'status':{'conditions':[
                {'type':'Ready','status':'True','lastProbeTime':null,'lastTransitionTime':'2026-01-01T01:00:00.5+01:00'}]}}"""));
        JsonNode spec = pod.path("spec");
        assertThat(spec.has("hostNetwork")).isFalse();
        assertThat(spec.path("automountServiceAccountToken").asBoolean(true)).as("a pointer").isFalse();
        assertThat(spec.path("terminationGracePeriodSeconds").asInt(-1)).as("a pointer").isZero();
        assertThat(spec.path("securityContext").path("runAsUser").asInt(-1)).as("a pointer").isZero();
        JsonNode container = spec.path("containers").path(0);
        assertThat(container.has("tty")).isFalse();
        assertThat(container.path("env").toString()).isEqualTo(json("[{'name':'E'}]"));
        assertThat(container.path("livenessProbe").has("initialDelaySeconds")).isFalse();
        assertThat(container.path("livenessProbe").path("tcpSocket").path("port").asInt(-1)).isEqualTo(80);
        assertThat(container.path("volumeMounts").toString()).isEqualTo(json("[{'name':'v','mountPath':'/v'}]"));
        assertThat(container.path("resources").path("limits").path("cpu").asString()).isEqualTo("0");
        assertThat(spec.path("volumes").toString()).isEqualTo(json("[{'name':'v','emptyDir':{}}]"));
        assertThat(pod.at("/status/conditions/0").toString()).isEqualTo(
                json("{'type':'Ready','status':'True','lastProbeTime':null,'lastTransitionTime':'2026-01-01T00:00:00Z'}"));
    }

    /** The manager of an apply owns what it sent, stored or not; otherwise its next apply would take the field away. */
    @Test
    void anAppliedZeroIsOwnedThoughItIsNotStored() {
        JsonNode applied = requests.send("PATCH", DEPLOYMENT + "?fieldManager=m", content("apply-patch+yaml"),
                whole("apps/v1", "Deployment", "'spec':{'paused':false,'replicas':0,'selector':{'matchLabels':{'a':'b'}},"
                        + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}")).json();
        assertThat(applied.path("spec").has("paused")).isFalse();
        assertThat(applied.at("/spec/replicas").asInt(-1)).as("a pointer").isZero();
        assertThat(applied.at("/metadata/managedFields/0/fieldsV1").toString()).startsWith(json(
                "{'f:metadata':{'f:annotations':{},'f:labels':{}},"
                        + "'f:spec':{'f:paused':{},'f:replicas':{},"));
    }

    @Test
    void aChangeMakesAVersion() {
        server.objects().create(JsonMapper.shared().readTree(whole("example.com/v1", "Widget", "'spec':{'size':3}")));
        String version = server.resourceVersion();
        requests.send("PATCH", WIDGET, content("merge-patch+json"), json("{'spec':{'size':4.0}}"));
        assertThat(server.resourceVersion()).isNotEqualTo(version);
        assertThat(requests.get(WIDGET).json().at("/metadata/generation").asInt()).isEqualTo(2);
    }
}
