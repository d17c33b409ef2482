package io.reactiveinformer.json;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.SubscriberStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class InformerModuleTest {

    private static final ObjectKey KEY = ObjectKey.of("shop", "web");

    private final JsonMapper mapper = JsonMapper.builder().addModule(new InformerModule()).build();

    private static Versioned<V1Pod> pod(String version) {
        return new Versioned<>("u", version, new V1Pod().metadata(new V1ObjectMeta().name("web").resourceVersion(version)));
    }

    private static String podJson(String version) {
        return "{'metadata':{'name':'web','resourceVersion':'" + version + "'}}";
    }

    private void assertWritten(Object value, String json) {
        assertThat(mapper.writeValueAsString(value)).isEqualTo(json.replace('\'', '"'));
    }

    private void assertTree(Object value, String json) {
        assertThat(mapper.<JsonNode>valueToTree(value)).isEqualTo(mapper.readTree(json));
    }

    @Test
    void anAddition() {
        assertWritten(new Change.Added<>(KEY, pod("7"), true),
                "{'type':'ADDED','key':'shop/web','resourceVersion':'7','initial':true,'object':" + podJson("7") + "}");
    }

    @Test
    void anUpdateWithBothStates() {
        assertWritten(new Change.Updated<>(KEY, pod("7"), pod("8")),
                "{'type':'UPDATED','key':'shop/web','resourceVersion':'8','object':" + podJson("8")
                        + ",'beforeResourceVersion':'7','before':" + podJson("7") + "}");
    }

    @Test
    void aDeletionAndHowItIsKnown() {
        assertWritten(new Change.Deleted<>(KEY, pod("8"), DeletionCause.OBSERVED, "9"),
                "{'type':'DELETED','key':'shop/web','resourceVersion':'8','deletedAt':'9','cause':'OBSERVED','object':"
                        + podJson("8") + "}");
        assertWritten(new Change.Deleted<>(ObjectKey.clusterScoped("n"), new Versioned<>(null, null, "row"), DeletionCause.INFERRED, null),
                "{'type':'DELETED','key':'n','cause':'INFERRED','object':'row'}");
    }

    @Test
    void theEndOfWhatWasThere() {
        assertWritten(new Change.Synced<>("7", 2), "{'type':'SYNCED','resourceVersion':'7','count':2}");
        assertWritten(new Change.Synced<>(null, 0), "{'type':'SYNCED','count':0}");
    }

    @Test
    void aChangeByItsDeclaredType() {
        List<Change<ObjectKey, V1Pod>> changes = List.of(new Change.Synced<>("7", 0));
        String json = mapper.writerFor(new TypeReference<List<Change<ObjectKey, V1Pod>>>() {}).writeValueAsString(changes);
        assertThat(json).isEqualTo("[{\"type\":\"SYNCED\",\"resourceVersion\":\"7\",\"count\":0}]");
    }

    @Test
    void objectsAsTheServerWritesThem() {
        var container = new V1Container()
                .name("main")
                .command(List.of())
                .env(List.of())
                .resources(new V1ResourceRequirements().limits(Map.of("cpu", Quantity.fromString("500m"))).requests(Map.of()))
                .readinessProbe(new V1Probe().httpGet(new V1HTTPGetAction().path("/").port(new IntOrString(8080))))
                .livenessProbe(new V1Probe().httpGet(new V1HTTPGetAction().path("/").port(new IntOrString("http"))));
        var pod = new V1Pod()
                .apiVersion("v1")
                .metadata(new V1ObjectMeta().name("web").creationTimestamp(OffsetDateTime.parse("2026-11-21T01:52:58Z")).labels(Map.of()))
                .spec(new V1PodSpec().addContainersItem(container));
        assertTree(pod, """
                {"apiVersion": "v1", "metadata": {"name": "web", "creationTimestamp": "2026-11-21T01:52:58.000000Z"},
                 "spec": {"containers": [{"name": "main", "resources": {"limits": {"cpu": "500m"}},
                   "readinessProbe": {"httpGet": {"path": "/", "port": 8080}}, "livenessProbe": {"httpGet": {"path": "/", "port": \
                "http"}}}]}}""");
    }

    @Test
    void theServersNamesNotJavas() {
        var schema = new V1JSONSchemaProps().$ref("#/a").xKubernetesIntOrString(true)._default(List.of(1));
        assertTree(schema, "{\"$ref\": \"#/a\", \"default\": [1], \"x-kubernetes-int-or-string\": true}");
    }

    private record Row(ObjectKey key, V1Pod pod, Quantity memory, List<String> notes) {}

    @Test
    void recordsOfTheApplicationAsItsMapperDoes() {
        assertWritten(new Row(KEY, pod("7").object(), Quantity.fromString("1Gi"), List.of()),
                "{'key':'shop/web','pod':" + podJson("7") + ",'memory':'1Gi','notes':[]}");
        assertWritten(Map.of(KEY, List.of(pod("7").object())), "{'shop/web':[" + podJson("7") + "]}");
    }

    record ForGson(@SerializedName("n") String name, int port) {}

    /** They were written so before this module was there. */
    @Test
    void classesOfTheApplicationWithGsonsAnnotationsAsItsMapperDoes() {
        assertTree(new ForGson("web", 80), "{\"name\": \"web\", \"port\": 80}");
    }

    @Test
    void secretsAreNotHidden() {
        var secret = new V1Secret().data(Map.of("password", "s3cr3t".getBytes(StandardCharsets.UTF_8)));
        assertWritten(secret, "{'data':{'password':'czNjcjN0'}}");
    }

    @Test
    void aStatusWithItsCauseAsText() {
        Instant since = Instant.parse("2026-11-21T01:52:58Z");
        var status = new InformerStatus(State.DISRUPTED, since, true, since,
                new TransportException("cannot connect", new Exception("refused")), 3,
                Duration.ofSeconds(5), Map.of(KEY, new Stale("7", "spec: expected an object")), Map.of());
        assertWritten(status,
                "{'state':'DISRUPTED','since':'2026-11-21T01:52:58Z','synced':true,'staleSince':'2026-11-21T01:52:58Z','cause':'"
                + status.cause().getMessage() + "','attempt':3,'retryIn':'PT5S',"
                + "'stale':{'shop/web':{'resourceVersion':'7','reason':'spec: expected an object'}}}");
        assertWritten(InformerStatus.idle(since),
                "{'state':'IDLE','since':'2026-11-21T01:52:58Z','synced':false,'awaitedSince':'2026-11-21T01:52:58Z','attempt':0}");
    }

    @Test
    void aSubscriber() {
        assertWritten(new SubscriberStatus("browser", 1, 2, 3, 4), "{'name':'browser','backlog':1,'emitted':2,'conflated':3,'missed':4}");
    }
}
