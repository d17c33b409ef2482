package io.reactiveinformer.internal.codec;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ObjectCodecTest {

    private static final ObjectCodec CODEC = ObjectCodec.create();
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final String ITEM =
            "{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"7\"},\"data\":{\"k\":\"v\"}}";

    @ParameterizedTest
    @ValueSource(strings = {
        "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"t\"},\"items\":[ITEM]}",
        "{\"items\":[ITEM],\"metadata\":{\"continue\":\"t\",\"resourceVersion\":\"9\"}}",
        "\n { \"items\" :\n[\n ITEM \n]\n,\t\"other\":[{\"metadata\":{}},\"]}\"], \"metadata\": {\"resourceVersion\" : "
                + "\"9\",\"continue\":\"t\"}\r\n}\n"
    })
    void listsAreReadInWhateverOrderAndLayout(String list) {
        List<ObjectEvent<V1ConfigMap>> events = list(list.replace("ITEM", ITEM));
        assertThat(events).hasSize(2);
        V1ConfigMap item = ((ObjectEvent.Applied<V1ConfigMap>) events.get(0)).entry().object();
        assertThat(item.getData()).isEqualTo(Map.of("k", "v"));
        assertThat(events.get(1)).isEqualTo(new ObjectEvent.PageEnd<>("9", "t"));
    }

    @Test
    void itemsOfAListEqualThoseOfAWatch() {
        V1ConfigMap item = ((ObjectEvent.Applied<V1ConfigMap>) list("{\"items\":[" + ITEM + "],\"metadata\":{}}").get(0)).entry().object();
        String event = "{\"type\":\"ADDED\",\"object\":" + ITEM.replaceFirst("\\{", "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",") + "}";
        assertThat(watch(CONFIG_MAPS, event)).containsExactly(
                new ObjectEvent.Applied<>(ObjectKey.of("n", "a"), new Versioned<>("u", "7", item)));
        assertThat(item.getKind()).isEqualTo("ConfigMap");
        assertThat(item.getApiVersion()).isEqualTo("v1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"metadata":{"resourceVersion":"5","continue":""},"items":null}   | 5
            {"metadata":{"resourceVersion":"5"},"items":[]}                   | 5
            {"items":[],"metadata":{}}                                        | ''
            {"items":[],"metadata":null}                                      | ''
            {"items":[]}                                                      | ''
            """)
    void emptyListsHaveAnEnd(String list, String resourceVersion) {
        assertThat(list(list)).containsExactly(new ObjectEvent.PageEnd<>(resourceVersion, null));
    }

    @Test
    void aListThatBreaksOffFailsAfterWhatCame() {
        String list = "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[" + ITEM + "," + ITEM + "]}";
        StepVerifier.create(CODEC.list(Bodies.of(list.substring(0, list.length() - 5)), CONFIG_MAPS, Reading.anew()))
                .expectNextCount(1)
                .verifyErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(TransportException.class).hasMessage("the list of configmaps.v1 broke off before its end"));
    }

    /** Among others 8.1.36: a Table where a list was asked for. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <html><title>Sign in</title></html>              | "<html><title>Sign in</title></html>"
            404 page not found                               | "404 page not found"
            {"kind":"Table","rows":[]}                       | a Table
            {"kind":"Status","status":"Success"}             | a Status
            {"kind":"Status","items":[],"code":200}          | a Status
            {"kind":"Pod","metadata":{"name":"a"}}           | a Pod
            {"items":[null]}                                 | an item that is no object
            {}                                               | JSON of no kind
            {"a" 5}                                          | "5}"
            """)
    void whatIsNoListFailsAsWhatItIs(String body, String came) {
        assertThatThrownBy(() -> list(body))
                .isInstanceOf(UnexpectedAnswerException.class)
                .hasMessage("expected a list of configmaps.v1, but " + came + " came");
    }

    @Test
    void oneItemThatCannotBeReadHarmsNoOther() {
        String bad = ITEM.replace("\"v\"", "{\"secret\":1}").replace("\"a\"", "\"bad\"");
        List<ObjectEvent<V1ConfigMap>> events = list("{\"items\":[" + bad + "," + ITEM + "],\"metadata\":{\"resourceVersion\":\"9\"}}");
        assertThat(events).hasSize(3);
        var unreadable = (ObjectEvent.Unreadable<V1ConfigMap>) events.get(0);
        assertThat(unreadable.key()).isEqualTo(ObjectKey.of("n", "bad"));
        assertThat(unreadable.resourceVersion()).isEqualTo("7");
        assertThat(unreadable.failure()).hasMessage("cannot read configmaps.v1 n/bad at data.k: expected String").hasNoCause();
        assertThat(events.get(1)).isInstanceOf(ObjectEvent.Applied.class);
    }

    @Test
    void whatIsCachedInTheSameVersionIsNotDecodedAgain() {
        String undecodable = ITEM.replace("{\"k\":\"v\"}", "7");
        var cached = new Versioned<>("u", "7", new V1ConfigMap());
        String list = "{\"items\":[" + undecodable + "],\"metadata\":{}}";
        ObjectEvent<V1ConfigMap> known = CODEC.list(Bodies.of(list), CONFIG_MAPS, Reading.of(key -> cached)).blockFirst();
        assertThat(((ObjectEvent.Applied<V1ConfigMap>) known).entry()).isSameAs(cached);
        for (var other : List.of(new Versioned<>("u", "6", cached.object()), new Versioned<>("x", "7", cached.object()))) {
            assertThat(CODEC.list(Bodies.of(list), CONFIG_MAPS, Reading.of(key -> other)).blockFirst())
                    .isInstanceOf(ObjectEvent.Unreadable.class);
        }
    }

    @Test
    void anObjectThatIsTooLargeIsPassedByWithItsKey() {
        String large = ITEM.replace("\"v\"", "\"" + "x".repeat(5_000) + "\"").replace("\"a\"", "\"large\"");
        ObjectCodec small = ObjectCodec.create(1_000);
        byte[] list = ("{\"items\":[" + large + "," + ITEM + "],\"metadata\":{}}").getBytes(StandardCharsets.UTF_8);
        List<ObjectEvent<V1ConfigMap>> items = small.list(Bodies.byteByByte(list), CONFIG_MAPS, Reading.anew()).collectList().block();
        assertThat(items).hasSize(3).first().isInstanceOfSatisfying(ObjectEvent.Unreadable.class,
                item -> assertThat(item.key()).isEqualTo(ObjectKey.of("n", "large")));
        byte[] watch = (event("MODIFIED", large) + "\n" + event("ADDED", ITEM)).getBytes(StandardCharsets.UTF_8);
        assertThat(small.watch(Bodies.byteByByte(watch), CONFIG_MAPS, Reading.anew(), "watch").collectList().block())
                .satisfiesExactly(
                        first -> assertThat(first).isInstanceOfSatisfying(ObjectEvent.Unreadable.class, event -> {
                            assertThat(event.key()).isEqualTo(ObjectKey.of("n", "large"));
                            assertThat(event.resourceVersion()).isEqualTo("7");
                            assertThat(event.failure()).hasMessageContaining("larger than");
                        }),
                        second -> assertThat(second).isInstanceOf(ObjectEvent.Applied.class));
    }

    /** Custom resources have their annotations before their name, and their namespace after it. */
    @Test
    void anObjectThatIsTooLargeIsNamedWhereverItsNameStands() {
        String notes = "\"annotations\":{\"a\":\"" + "x".repeat(5_000) + "\"},";
        String afterNotes = ITEM.replace("\"metadata\":{", "\"metadata\":{" + notes).replace("\"a\",", "\"large\",");
        String amongNotes = "{\"metadata\":{\"name\":\"large\"," + notes + "\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}";
        ObjectCodec small = ObjectCodec.create(1_000);
        for (String large : List.of(afterNotes, amongNotes)) {
            byte[] list = ("{\"items\":[" + large + "," + ITEM + "],\"metadata\":{}}").getBytes(StandardCharsets.UTF_8);
            List<ObjectEvent<V1ConfigMap>> items = small.list(Bodies.byteByByte(list), CONFIG_MAPS, Reading.anew()).collectList().block();
            assertThat(items).hasSize(3).first().isInstanceOfSatisfying(ObjectEvent.Unreadable.class,
                    item -> assertThat(item.key()).isEqualTo(ObjectKey.of("n", "large")));
            byte[] watch = (event("DELETED", large) + "\n" + event("ADDED", ITEM)).getBytes(StandardCharsets.UTF_8);
            assertThat(small.watch(Bodies.byteByByte(watch), CONFIG_MAPS, Reading.anew(), "watch").collectList().block()).hasSize(2).first()
                    .isInstanceOfSatisfying(ObjectEvent.Unreadable.class, event -> {
                        assertThat(event.key()).isEqualTo(ObjectKey.of("n", "large"));
                        assertThat(event.resourceVersion()).isEqualTo("7");
                        assertThat(event.deleted()).isTrue();
                    });
        }
    }

    @Test
    void anEventOfAnUnknownTypeIsUnreadable() {
        assertThat(watch(CONFIG_MAPS, event("RENAMED", ITEM))).singleElement()
                .isInstanceOfSatisfying(ObjectEvent.Unreadable.class, event -> {
                    assertThat(event.key()).isEqualTo(ObjectKey.of("n", "a"));
                    assertThat(event.resourceVersion()).isEqualTo("7");
                });
    }

    @Test
    void theObjectOfAnEventMayComeBeforeItsType() {
        assertThat(watch(CONFIG_MAPS, "{\"object\":" + ITEM + ",\"type\":\"DELETED\"}")).singleElement()
                .isInstanceOf(ObjectEvent.Deleted.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a}}\n",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\"}\n",
        "@@@@ garbage\n",
        "}}\n"
    })
    void whatIsNoJsonIsReportedAndEndsTheWatch(String broken) {
        String good = event("ADDED", ITEM) + "\n";
        StepVerifier.create(CODEC.watch(Bodies.of(good + broken + good), CONFIG_MAPS, Reading.anew(), "watch configmaps"))
                .assertNext(first -> assertThat(first).isInstanceOf(ObjectEvent.Applied.class))
                .assertNext(second -> assertThat(second).isInstanceOfSatisfying(ObjectEvent.Unreadable.class,
                        event -> assertThat(event.resourceVersion()).isNull()))
                .verifyErrorMessage("events of configmaps.v1 came after something else than JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{\"type\":\"ADDED\",\"object\":null}\n",
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"uid\":\"u\",\"resourceVersion\":\"8\"}}}\n"
    })
    void whatIsNoEventIsReportedAndGonePast(String broken) {
        String good = event("ADDED", ITEM) + "\n";
        assertThat(watch(CONFIG_MAPS, good + broken + good)).satisfiesExactly(
                first -> assertThat(first).isInstanceOf(ObjectEvent.Applied.class),
                second -> assertThat(second).isInstanceOfSatisfying(ObjectEvent.Unreadable.class,
                        event -> assertThat(event.resourceVersion()).isNull()),
                third -> assertThat(third).isInstanceOf(ObjectEvent.Applied.class));
    }

    /** Stream scenario 16. */
    @Test
    void anEventThatWasNotSaidToItsEndIsIgnored() {
        String event = event("ADDED", ITEM);
        assertThat(watch(CONFIG_MAPS, event + "\n" + event.substring(0, event.length() - 1))).hasSize(1);
    }

    /** Each item is decoded only when it is asked for. */
    @Test
    void nothingIsReadThatIsNotRequested() {
        StepVerifier.create(CODEC.list(Bodies.of("{\"items\":[" + ITEM + ",", ITEM + "],\"metadata\":{}}"), CONFIG_MAPS, Reading.anew()), 0)
                .thenRequest(1).expectNextCount(1)
                .thenRequest(1).expectNextCount(1)
                .thenRequest(1).expectNext(new ObjectEvent.PageEnd<>("", null))
                .verifyComplete();
    }

    @Test
    void managedFieldsAreLeftOutWhereverTheyStand() {
        String fields = "\"managedFields\":[{\"manager\":\"m\",\"fieldsV1\":{\"f:x\":{}}}]";
        for (String metadata : List.of("{" + fields + ",\"name\":\"a\"}", "{\"name\":\"a\"," + fields + "}",
                "{" + fields + " , \"name\":\"a\",\"uid\":\"u\"}",
                "{\"name\":\"a\" , " + fields + " ,\"uid\":\"u\"}")) {
            String event = event("ADDED", "{\"metadata\":" + metadata + ",\"data\":{\"k\":\"v\"}}");
            JsonNode tree = ((ObjectEvent.Applied<JsonNode>) watch(ResourceType.dynamic("", "v1", "configmaps"), event).get(0))
                    .entry().object();
            assertThat(tree.get("metadata").has("managedFields")).isFalse();
            assertThat(tree.at("/metadata/name").asString()).isEqualTo("a");
            assertThat(tree.at("/data/k").asString()).isEqualTo("v");
        }
    }

    record Widget(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, Map<String, String> labels) {
        record Spec(@JsonProperty("max-size") int size, List<String> tags, OffsetDateTime at) {}
    }

    @Test
    void aRecordOfTheUsersIsReadAndWritten() {
        String body = "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\",\"labels\":{\"a\":\"b\"}},"
                + "\"spec\":{\"max-size\":3,\"tags\":null,\"at\":\"2026-11-21T01:52:58Z\",\"more\":{}}}";
        ResourceType<Widget> widgets = ResourceType.of("example.com", "v1", "widgets", Scope.NAMESPACED, Widget.class);
        Widget widget = CODEC.object(Bodies.of(body), widgets).block().object();
        assertThat(widget.spec()).isEqualTo(new Widget.Spec(3, List.of(), OffsetDateTime.parse("2026-11-21T01:52:58Z")));
        assertThat(widget.metadata().getLabels()).isEqualTo(Map.of("a", "b"));
        assertThat(widget.labels()).isEmpty();
        assertThat(json(CODEC.write(widget))).isEqualTo(json(("{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\","
                + "\"metadata\":{\"name\":\"w\",\"labels\":{\"a\":\"b\"}},\"spec\":{\"max-size\":3,"
                + "\"at\":\"2026-11-21T01:52:58.000000Z\"}}")
                .getBytes(StandardCharsets.UTF_8)));
    }

    record PodSummary(
            @FieldPath("spec.nodeName") String node,
            @FieldPath("status.phase") String phase,
            @FieldPath("metadata.labels['app.kubernetes.io/name']") String app,
            @FieldPath("spec.containers") List<Container> containers,
            @FieldPath("spec.priority") int priority,
            String kind) {
        record Container(String image) {}
    }

    @Test
    void aProjectionTakesWhatItsPathsName() {
        String pod = "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"labels\":{\"app.kubernetes.io/name\":\"web\",\"x\":\"y\"}},"
                + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"nginx\",\"env\":[{}]}],\"volumes\":[1,{}],\"nodeName\":\"n-1\"},"
                + "\"status\":{\"conditions\":[{\"phase\":\"no\"}],\"phase\":\"Running\"}}";
        assertThat(((ObjectEvent.Applied<PodSummary>) watch(PODS.as(PodSummary.class), event("ADDED", pod)).get(0)).entry().object())
                .isEqualTo(new PodSummary("n-1", "Running", "web", List.of(new PodSummary.Container("nginx")), 0, "Pod"));
        assertThat(((ObjectEvent.Applied<PodSummary>) watch(PODS.as(PodSummary.class),
                event("ADDED", "{\"metadata\":{\"name\":\"p\"},\"spec\":5}")).get(0))
                .entry().object()).isEqualTo(new PodSummary(null, null, null, List.of(), 0, null));
    }

    /** As the compiler of Kotlin makes it of {@code data class Line(@FieldPath(…) val node: String?, …)}: without names of parameters. */
    static final class Line {
        private final @Nullable String node;
        private final List<PodSummary.Container> containers;
        private final @Nullable V1ObjectMeta metadata;
        private final boolean hasNode; // a property that the constructor does not take

        Line(@FieldPath("spec.nodeName") @Nullable String p0,
                @FieldPath("spec.containers") List<? extends PodSummary.Container> p1, @Nullable V1ObjectMeta p2) {
            this.node = p0;
            this.containers = List.copyOf(p1);
            this.metadata = p2;
            this.hasNode = p0 != null;
        }
    }

    /** As of {@code data class Phase(@field:FieldPath(…) val phase: String?)}. */
    static final class Phase {
        @FieldPath("status.phase")
        private final @Nullable String phase;

        Phase(@Nullable String p0) {
            this.phase = p0;
        }
    }

    /** As of {@code @JvmRecord data class Node(@FieldPath(…) val node: String?)}: only the parameter has the annotation. */
    record Node(@Nullable String node) {
        Node(@FieldPath("spec.nodeName") @Nullable String node) {
            this.node = node;
        }
    }

    @Test
    void aDataClassIsAProjectionToo() {
        String pod = "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},"
                + "\"spec\":{\"containers\":[{\"image\":\"nginx\"}],\"nodeName\":\"n-1\"},\"status\":{\"phase\":\"Running\"}}";
        Line line = projected(Line.class, pod);
        assertThat(line.node).isEqualTo("n-1");
        assertThat(line.containers).containsExactly(new PodSummary.Container("nginx"));
        assertThat(line.metadata.getName()).isEqualTo("p");
        assertThat(line.hasNode).isTrue();
        assertThat(projected(Phase.class, pod).phase).isEqualTo("Running");
        assertThat(projected(Node.class, pod)).isEqualTo(new Node("n-1"));

        assertThat(json(CODEC.write(line))).isEqualTo(json(("{\"spec\":{\"containers\":[{\"image\":\"nginx\"}],\"nodeName\":\"n-1\"},"
                + "\"metadata\":{\"name\":\"p\"}}").getBytes(StandardCharsets.UTF_8)));
        Line empty = projected(Line.class, "{\"metadata\":{\"name\":\"p\"}}");
        assertThat(empty.node).isNull();
        assertThat(empty.containers).isEmpty();
    }

    private static <T> T projected(Class<T> projection, String pod) {
        return ((ObjectEvent.Applied<T>) watch(PODS.as(projection), event("ADDED", pod)).get(0)).entry().object();
    }

    record Overlapping(@FieldPath("spec.nodeName") String node, V1ObjectMeta spec) {}

    static final class NoConstructor {
        @FieldPath("spec.nodeName")
        private String node = "";

        String node() {
            return node;
        }
    }

    static final class NoField {
        private final int length;

        NoField(@FieldPath("spec.nodeName") String p0) {
            length = p0.length();
        }

        int length() {
            return length;
        }
    }

    record Malformed(@FieldPath("spec.[0]") String node) {}

    @Test
    void pathsThatCannotBeAreRefused() {
        for (Class<?> projection : List.of(Overlapping.class, Malformed.class, NoConstructor.class, NoField.class)) {
            StepVerifier.create(CODEC.prepare(PODS.as(projection)))
                    .verifyErrorSatisfies(failure -> assertThat(failure)
                            .isInstanceOf(IllegalArgumentException.class).hasStackTraceContaining(projection.getName()));
        }
    }

    @Test
    void metadataAloneIsRead() {
        String item = "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"name\":\"a\","
                + "\"labels\":{\"x\":\"y\"}}}";
        ResourceType<PartialObjectMetadata> type = ResourceType.metadata("apps", "v1", "deployments");
        PartialObjectMetadata metadata = ((ObjectEvent.Applied<PartialObjectMetadata>)
                CODEC.list(Bodies.of("{\"items\":[" + item + "],\"metadata\":{}}"), type, Reading.anew()).blockFirst()).entry().object();
        assertThat(metadata.kind()).isEqualTo("PartialObjectMetadata");
        assertThat(metadata.metadata().getLabels()).isEqualTo(Map.of("x", "y"));
    }

    @Test
    void numbersInTreesAreExact() {
        String spec = "{\"a\":9223372036854775808,\"b\":0.10,\"c\":1e400,\"d\":9007199254740993}";
        String event = event("ADDED", "{\"metadata\":{\"name\":\"a\"},\"spec\":" + spec + "}");
        JsonNode tree = ((ObjectEvent.Applied<JsonNode>) watch(ResourceType.dynamic("", "v1", "x"), event).get(0)).entry().object();
        assertThat(new String(CODEC.write(tree.get("spec")), StandardCharsets.UTF_8)).isEqualTo(spec.replace("1e400", "1E+400"));
    }

    @Test
    void aWrittenMicroTimeHasSixDigits() {
        var lease = new V1Lease().spec(new V1LeaseSpec().renewTime(OffsetDateTime.parse("2026-11-21T01:52:58.5Z")).leaseTransitions(0));
        assertThat(new String(CODEC.write(lease), StandardCharsets.UTF_8))
                .isEqualTo("{\"spec\":{\"leaseTransitions\":0,\"renewTime\":\"2026-11-21T01:52:58.500000Z\"}}");
    }

    @Test
    void writingInventsNoEmptyCollections() {
        assertThat(new String(CODEC.write(new V1Deployment().metadata(new V1ObjectMeta().name("d").namespace(""))), StandardCharsets.UTF_8))
                .isEqualTo("{\"metadata\":{\"name\":\"d\",\"namespace\":\"\"}}");
    }

    @Test
    void anObjectIsItsCallersOwn() {
        V1Pod pod = CODEC.object(Bodies.of("{\"metadata\":{\"name\":\"p\",\"labels\":{\"a\":\"b\"},\"finalizers\":[\"x\"]}}"), PODS)
                .block().object();
        pod.getMetadata().putLabelsItem("c", "d").addFinalizersItem("y");
        assertThat(pod.getMetadata().getLabels()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  \n", "{\"metadata\":{\"name\":\"p\"}", "{\"metadata\":{\"name\":\"p"})
    void anObjectThatBreaksOffIsATransportFailure(String body) {
        StepVerifier.create(CODEC.object(Bodies.of(body), PODS)).verifyError(TransportException.class);
        StepVerifier.create(CODEC.tree(Bodies.of(body))).verifyError(TransportException.class);
    }

    @Test
    void anObjectThatDoesNotFitIsUnreadable() {
        StepVerifier.create(CODEC.object(Bodies.of("{\"metadata\":{\"name\":\"p\"},\"spec\":[]}"), PODS))
                .verifyErrorSatisfies(failure -> assertThat(failure).isInstanceOf(UnreadableObjectException.class)
                        .hasMessage("cannot read pods.v1 p at spec: expected V1PodSpec"));
        StepVerifier.create(CODEC.object(Bodies.of("<html>"), PODS)).verifyError(UnexpectedAnswerException.class);
        StepVerifier.create(CODEC.tree(Bodies.of("<html>"))).verifyError(UnexpectedAnswerException.class);
    }

    /** Jackson says so by an exception that is none of its own. */
    @Test
    void failsOnANumberThatNothingCanHold() {
        String number = "1E-" + "9".repeat(100);
        StepVerifier.create(CODEC.tree(Bodies.of(number)))
                .verifyErrorSatisfies(failure -> assertThat(failure).isInstanceOf(UnexpectedAnswerException.class)
                        .hasMessage("the answer cannot be read: a number in it is larger or smaller than can be read"));
        String object = "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\"},\"size\":" + number + "}";
        StepVerifier.create(CODEC.object(Bodies.of(object), ResourceType.dynamic("", "v1", "things")))
                .verifyErrorSatisfies(failure -> assertThat(failure).isInstanceOf(UnreadableObjectException.class)
                        .hasMessageEndingWith("things.v1 a: a number in it is larger or smaller than can be read"));
    }

    @Test
    void equalStringsAndEmptyCollectionsAreShared() {
        String pods = "{\"items\":[POD,POD],\"metadata\":{}}".replace("POD",
                "{\"metadata\":{\"name\":\"p\",\"labels\":{\"app\":\"web\"}},\"spec\":{\"nodeName\":\"node-1\","
                        + "\"containers\":[{\"name\":\"c\"}]}}");
        List<V1Pod> read = CODEC.list(Bodies.of(pods), PODS, Reading.anew()).ofType(ObjectEvent.Applied.class)
                .map(item -> (V1Pod) item.entry().object()).collectList().block();
        V1Pod one = read.get(0);
        V1Pod other = read.get(1);
        assertThat(one.getSpec().getNodeName()).isSameAs(other.getSpec().getNodeName());
        assertThat(one.getMetadata().getLabels().keySet().iterator().next())
                .isSameAs(other.getMetadata().getLabels().keySet().iterator().next());
        assertThat(one.getSpec().getVolumes()).isSameAs(other.getSpec().getTolerations()).isEmpty();
        assertThatThrownBy(() -> one.getSpec().getContainers().add(null)).isInstanceOf(UnsupportedOperationException.class);
    }

    private static List<ObjectEvent<V1ConfigMap>> list(String body) {
        return CODEC.list(Bodies.of(body), CONFIG_MAPS, Reading.anew()).collectList().block();
    }

    private static <T> List<ObjectEvent<T>> watch(ResourceType<T> type, String body) {
        return CODEC.watch(Bodies.of(body), type, Reading.anew(), "watch things").collectList().block();
    }

    private static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
    }

    private static JsonNode json(byte[] bytes) {
        return JsonMapper.shared().readTree(bytes);
    }

    @SuppressWarnings("UnusedVariable") // read by nobody, since it cannot be made
    static final class Broken {
        static final int LIMIT = Integer.parseInt("many");

        @SerializedName("metadata")
        private @Nullable V1ObjectMeta metadata;
    }

    enum Sick {
        SICK;

        static final int LIMIT = Integer.parseInt("many");
    }

    public record WithSick(Sick sick) {}

    @Test
    void aClassThatCannotBeInitializedFailsWhatNeedsIt() {
        ResourceType<Broken> broken = ResourceType.of("example.com", "v1", "widgets", ResourceType.Scope.NAMESPACED, Broken.class);
        String list = "{\"items\":[" + ITEM + "," + ITEM + "],\"metadata\":{\"resourceVersion\":\"9\"}}";
        List<ObjectEvent<Broken>> events = CODEC.list(Bodies.of(list), broken, Reading.anew()).collectList().block(Duration.ofSeconds(20));
        assertThat(events).hasSize(3).startsWith(events.get(0)).element(1).isInstanceOfSatisfying(ObjectEvent.Unreadable.class,
                unreadable -> assertThat(unreadable.failure()).hasMessageContaining("NoClassDefFoundError"));
        ResourceType<WithSick> sick = ResourceType.of("example.com", "v1", "widgets", ResourceType.Scope.NAMESPACED, WithSick.class);
        StepVerifier.create(CODEC.prepare(sick)).expectErrorSatisfies(failure -> assertThat(failure)
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("WithSick")).verify(Duration.ofSeconds(20));
        StepVerifier.create(CODEC.prepare(ResourceType.of(V1Lease.class))).as("the next in line")
                .expectComplete().verify(Duration.ofSeconds(20));
    }

    /** Another thread may be making the same, and Jackson has it wait. */
    @Test
    void aThreadThatMustNotBlockDoesNotMakeReaders() {
        ObjectCodec codec = ObjectCodec.create(1 << 20, Schedulers.immediate());
        Mono<Boolean> object = codec.object(Bodies.of(ITEM), CONFIG_MAPS).map(read -> Schedulers.isInNonBlockingThread());
        Mono<Boolean> prepared = codec.prepare(PODS).then(Mono.fromSupplier(Schedulers::isInNonBlockingThread));
        for (Mono<Boolean> first : List.of(object, prepared)) {
            StepVerifier.create(first.subscribeOn(Schedulers.parallel())).expectNext(false).expectComplete().verify(Duration.ofSeconds(20));
        }
        StepVerifier.create(object.subscribeOn(Schedulers.parallel())).expectNext(true).as("made already")
                .expectComplete().verify(Duration.ofSeconds(20));
        Mono<Thread> here = codec.object(Bodies.of(ITEM.replace("ConfigMap", "Secret")), ResourceType.of(V1Lease.class))
                .map(read -> Thread.currentThread());
        assertThat(here.block()).as("who may block").isSameAs(Thread.currentThread());
    }
}
