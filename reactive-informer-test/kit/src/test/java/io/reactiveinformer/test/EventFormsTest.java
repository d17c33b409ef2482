package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Events of {@code v1} and of {@code events.k8s.io/v1} are the same objects; transcript 29 shows how a real server answers. */
class EventFormsTest {

    private static final ResourceType<CoreV1Event> CORE = ResourceType.of(CoreV1Event.class);
    private static final ResourceType<EventsV1Event> LATER = ResourceType.of(EventsV1Event.class);
    private static final String CORE_URI = "/api/v1/namespaces/default/events";
    private static final String LATER_URI = "/apis/events.k8s.io/v1/namespaces/default/events";
    private static final Headers MERGE = Headers.of("Content-Type", "application/merge-patch+json");
    private static final String SYNCED = """
            {"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"web.1"},"eventTime":"2026-11-21T01:57:56.993710Z",
            "reportingController":"example.com/ctl","reportingInstance":"ctl-1","action":"Syncing","reason":"Synced","type":"Normal",\
            "note":"all is well",
            "regarding":{"kind":"Pod","namespace":"default","name":"web","uid":"1","apiVersion":"v1"}}""";
    private static final String STARTED = """
            {"apiVersion":"v1","kind":"Event","metadata":{"name":"web.2"},"reason":"Started","message":"it runs","type":"Warning","count":4,
            "source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2026-11-21T01:57:56Z","lastTimestamp":"2026-11-21T01:58:56Z",
            "involvedObject":{"kind":"Pod","namespace":"default","name":"web","fieldPath":"spec.containers{c}"}}""";

    private final FakeApiServer server = FakeApiServer.create();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private static String fields(JsonNode event) {
        return ((ObjectNode) event.deepCopy()).remove(List.of("kind", "apiVersion", "metadata")).toString();
    }

    private List<String> names(String uri) {
        return requests.get(uri).json().path("items").valueStream().map(event -> event.at("/metadata/name").asString()).toList();
    }

    @Test
    void whatIsWrittenAsTheLaterFormIsReadAsTheFirst() {
        JsonNode written = requests.post(LATER_URI, SYNCED).json();
        JsonNode read = requests.get(CORE_URI + "/web.1").json();
        assertThat(read.path("apiVersion").asString()).isEqualTo("v1");
        assertThat(read.path("metadata")).isEqualTo(written.path("metadata"));
        assertThat(fields(read))
                .isEqualTo("{\"involvedObject\":{\"kind\":\"Pod\",\"namespace\":\"default\",\"name\":\"web\",\"uid\":\"1\","
                + "\"apiVersion\":\"v1\"},\"reason\":\"Synced\",\"message\":\"all is "
                + "well\",\"source\":{},\"firstTimestamp\":null,\"lastTimestamp\":null,\"type\":\"Normal\","
                + "\"eventTime\":\"2026-11-21T01:57:56.993710Z\",\"action\":\"Syncing\",\"reportingComponent\":\"example.com/ctl\","
                + "\"reportingInstance\":\"ctl-1\"}");
        assertThat(requests.get(LATER_URI + "/web.1").json()).isEqualTo(written);
    }

    @Test
    void whatIsWrittenAsTheFirstFormIsReadAsTheLater() {
        JsonNode written = requests.post(CORE_URI, STARTED).json();
        JsonNode read = requests.get(LATER_URI + "/web.2").json();
        assertThat(read.path("apiVersion").asString()).isEqualTo("events.k8s.io/v1");
        assertThat(read.path("metadata")).isEqualTo(written.path("metadata"));
        assertThat(fields(read)).isEqualTo("{\"eventTime\":null,\"reason\":\"Started\","
                + "\"regarding\":{\"kind\":\"Pod\",\"namespace\":\"default\",\"name\":\"web\",\"fieldPath\":\"spec.containers{c}\"},"
                + "\"note\":\"it runs\",\"type\":\"Warning\",\"deprecatedSource\":{\"component\":\"kubelet\",\"host\":\"node-1\"},"
                + "\"deprecatedFirstTimestamp\":\"2026-11-21T01:57:56Z\",\"deprecatedLastTimestamp\":\"2026-11-21T01:58:56Z\","
                + "\"deprecatedCount\":4}");
    }

    @Test
    void aSeriesThatIsCountedAsOneFormIsSeenAsTheOther() {
        requests.post(LATER_URI, SYNCED);
        JsonNode counted = requests.send("PATCH", LATER_URI + "/web.1", MERGE,
                "{\"series\":{\"count\":2,\"lastObservedTime\":\"2026-11-21T01:57:57.020894Z\"}}").json();
        JsonNode read = requests.get(CORE_URI + "/web.1").json();
        assertThat(read.at("/series/count").asInt()).isEqualTo(2);
        assertThat(read.at("/metadata/resourceVersion")).isEqualTo(counted.at("/metadata/resourceVersion"));

        requests.send("PATCH", CORE_URI + "/web.1", MERGE, "{\"message\":\"all was well\"}");
        assertThat(requests.get(LATER_URI + "/web.1").json().path("note").asString()).isEqualTo("all was well");
        assertThat(requests.get(LATER_URI + "/web.1").json().at("/metadata/managedFields")
                .valueStream().map(entry -> entry.path("apiVersion").asString()))
                .as("who wrote fields of the one form still has them").containsExactly("events.k8s.io/v1", "v1");
    }

    @Test
    void aNameIsTakenInBothAndDeletedInBoth() {
        requests.post(LATER_URI, SYNCED);
        assertThat(requests.post(CORE_URI, STARTED.replace("web.2", "web.1")).status()).isEqualTo(409);
        assertThat(requests.send("DELETE", CORE_URI + "/web.1", Headers.empty(), "").status()).isEqualTo(200);
        assertThat(requests.get(LATER_URI + "/web.1").json().path("message").asString())
                .isEqualTo("events.events.k8s.io \"web.1\" not found");
        assertThat(names(CORE_URI)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "involvedObject.name=web, regarding.name=web, 2",
        "involvedObject.fieldPath=spec.containers{c}, regarding.fieldPath=spec.containers{c}, 1",
        "involvedObject.uid=1, regarding.uid=1, 1",
        "'involvedObject.kind=Pod,involvedObject.namespace=default', 'regarding.kind=Pod,regarding.namespace=default', 2",
        "reason=Synced, reason=Synced, 1",
        "type!=Normal, type!=Normal, 1",
        "reportingComponent=example.com/ctl, reportingController=example.com/ctl, 1",
        "source=kubelet, source=kubelet, 1",
        "source=example.com/ctl, source=example.com/ctl, 1"
    })
    void eachFormIsSelectedByItsOwnNames(String core, String later, int found) {
        requests.post(LATER_URI, SYNCED);
        requests.post(CORE_URI, STARTED);
        assertThat(names(CORE_URI + "?fieldSelector=" + encoded(core))).hasSize(found);
        assertThat(names(LATER_URI + "?fieldSelector=" + encoded(later))).hasSize(found);
    }

    private static String encoded(String selector) {
        return URLEncoder.encode(selector, StandardCharsets.UTF_8);
    }

    @Test
    void aFormIsNotSelectedByTheNamesOfTheOther() {
        assertThat(requests.get(LATER_URI + "?fieldSelector=involvedObject.name%3Dweb").json().path("message").asString())
                .isEqualTo("field label not supported: involvedObject.name");
    }

    @Test
    void aWatchOfOneFormSeesWhatIsWrittenAsTheOther() {
        requests.post(LATER_URI, SYNCED);
        assertThat(requests.watch(CORE_URI + "?watch=1&resourceVersion=0&fieldSelector=" + encoded("involvedObject.name=web"))
                .blockFirst(Duration.ofSeconds(10)))
                .contains("\"type\":\"ADDED\"", "\"apiVersion\":\"v1\"", "\"message\":\"all is well\"").doesNotContain("\"note\"");
    }

    @Test
    void aRestoredServerHasEachOnce() {
        requests.post(LATER_URI, SYNCED);
        Backup backup = Backup.parse(server.backup().text());
        server.objects().delete(CORE, ObjectKey.of("default", "web.1"));
        server.restore(backup);
        assertThat(server.objects().list(CORE)).hasSize(1).isNotEqualTo(server.objects().list(LATER));
        assertThat(server.objects().list(LATER)).hasSize(1).first()
                .satisfies(event -> assertThat(event.path("note").asString()).isEqualTo("all is well"));
    }

    @Test
    void peopleAreShownWhenWhatHappenedToWhat() {
        requests.post(LATER_URI, SYNCED);
        requests.post(CORE_URI, STARTED);
        Headers table = Headers.of("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
        JsonNode core = requests.send("GET", CORE_URI, table, "").json();
        JsonNode later = requests.send("GET", LATER_URI, table, "").json();
        assertThat(core.at("/rows/1/cells").valueStream().map(JsonNode::asString).toList().subList(1, 7))
                .containsExactly("Warning", "Started", "pod/web", "spec.containers{c}", "kubelet, node-1", "it runs");
        assertThat(later.at("/rows/0/cells").valueStream().map(JsonNode::asString).toList().subList(1, 7))
                .containsExactly("Normal", "Synced", "pod/web", "", "example.com/ctl, ctl-1", "all is well");
        assertThat(core.at("/rows/1/cells/8").asInt()).isEqualTo(4);
        assertThat(later.at("/rows/0/cells/8").asInt()).isEqualTo(1);
    }
}
