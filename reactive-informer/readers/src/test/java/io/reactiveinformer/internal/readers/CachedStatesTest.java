package io.reactiveinformer.internal.readers;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.internal.codec.SharedStrings;
import io.reactiveinformer.internal.codec.Skim;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.Versioned;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** A state shares with the cached one what is the same in both, and is otherwise as if none were cached. */
class CachedStatesTest {

    private static final String POD = """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1","namespace":"shop","uid":"u-1","resourceVersion":"1",\
            "generation":12345678901,
            "labels":{"app":"web","tier":"front"},"annotations":{"a":"b","mark":"1"}},
            "spec":{"nodeName":"node-1","terminationGracePeriodSeconds":3000,"containers":[{"name":"main","image":"web:1","args":["-v","2"],
            "ports":[{"containerPort":8080,"protocol":"TCP"}],"resources":{"limits":{"cpu":"1"}},"livenessProbe":{"httpGet":{"path":"/",\
            "port":"http"},"periodSeconds":1000}},
            {"name":"side","image":"side:1","readinessProbe":{"tcpSocket":{"port":8080}}}],"volumes":[{"name":"t","emptyDir":{}}]},
            "status":{"phase":"Running","startTime":"2026-11-21T01:52:58Z","conditions":[{"type":"Ready","status":"True",\
            "lastTransitionTime":"2026-11-21T01:52:59Z"},
            {"type":"Initialized","status":"True","lastTransitionTime":"2026-11-21T01:52:57Z"}]}}
            """;

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);

    private final SharedStrings strings = new SharedStrings();
    private final Readers readers = new Readers(strings);

    @Test
    void whatHasNotChangedIsSharedAndTheRestIsNot() {
        V1Pod cached = read(PODS, POD, null);
        String changed = POD.replace("\"resourceVersion\":\"1\"", "\"resourceVersion\":\"2\"").replace("\"mark\":\"1\"", "\"mark\":\"2\"")
                .replace("\"Ready\",\"status\":\"True\"", "\"Ready\",\"status\":\"False\"");
        V1Pod pod = read(PODS, changed, cached);
        assertThat(pod).isEqualTo(read(PODS, changed, null)).isNotEqualTo(cached);
        assertThat(pod.getSpec()).isSameAs(cached.getSpec());
        assertThat(pod.getMetadata().getLabels()).isSameAs(cached.getMetadata().getLabels());
        assertThat(pod.getMetadata().getAnnotations()).isEqualTo(Map.of("a", "b", "mark", "2"));
        List<V1PodCondition> conditions = pod.getStatus().getConditions();
        assertThat(conditions.get(0).getStatus()).isEqualTo("False");
        assertThat(conditions.get(1)).isSameAs(cached.getStatus().getConditions().get(1));
        assertThat(cached).as("what is cached").isEqualTo(read(PODS, POD, null));
    }

    /** But for the metadata, whose strings are those of the key and the row. */
    @Test
    void whereNothingHasChangedAllIsShared() {
        V1Pod cached = read(PODS, POD, null);
        String inAnotherOrder = POD.replace("\"nodeName\":\"node-1\",", "").replace("\"volumes\"", "\"nodeName\":\"node-1\",\"volumes\"");
        for (String object : List.of(POD, inAnotherOrder)) {
            V1Pod again = read(PODS, object, cached);
            assertThat(again.getSpec()).isSameAs(cached.getSpec());
            assertThat(again.getStatus()).isSameAs(cached.getStatus());
            assertThat(again.getMetadata().getAnnotations()).isSameAs(cached.getMetadata().getAnnotations());
        }
    }

    @Test
    void longStringsWithEscapesAreSharedToo() {
        String script = "echo \\\"é\\\"; ".repeat(100);
        String scripted = POD.replace("\"-v\"", '"' + script + '"');
        V1Pod cached = read(PODS, scripted, null);
        assertThat(read(PODS, scripted, cached).getSpec()).isSameAs(cached.getSpec());
        V1Pod other = read(PODS, scripted.replace('é', 'è'), cached);
        assertThat(other.getSpec().getContainers().get(0).getArgs()).containsExactly("echo \"è\"; ".repeat(100), "2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "nodeName":"node-1",                 |
            "image":"web:1",                     |
            "args":["-v","2"],                   |
            "args":["-v","2"],                   | "args":["-v"],
            "args":["-v","2"],                   | "args":["-v","2","-x"],
            "args":["-v","2"],                   | "args":[],
            "args":["-v","2"],                   | "args":null,
            "nodeName":"node-1",                 | "nodeName":"node-1","hostname":"h",
            "nodeName":"node-1",                 | "nodeName":"node-1","nodeName":null,
            "nodeName":"node-1",                 | "nodeName":"node-2","nodeName":"node-1",
            {"limits":{"cpu":"1"}}               | {"limits":{"cpu":"1000m"}}
            {"limits":{"cpu":"1"}}               | {"limits":{"memory":"1"}}
            {"limits":{"cpu":"1"}}               | {"limits":{"cpu":"1","memory":"1"}}
            {"limits":{"cpu":"1"}}               | {"limits":{}}
            {"limits":{"cpu":"1"}}               | {}
            "port":"http"                        | "port":80
            "port":8080                          | "port":"8080"
            "terminationGracePeriodSeconds":3000 | "terminationGracePeriodSeconds":3001
            "labels":{"app":"web","tier":"front"}| "labels":{"tier":"front","app":"web"}
            "labels":{"app":"web","tier":"front"}| "labels":{"app":"web"}
            "labels":{"app":"web","tier":"front"}| "labels":{"app":"web","app":"web","tier":"front"}
            "startTime":"2026-11-21T01:52:58Z"   | "startTime":"2026-11-21T02:52:58+01:00"
            """)
    void isTheSameAsWithoutOne(String text, @Nullable String instead) {
        String changed = POD.replace(text, instead == null ? "" : instead);
        assertThat(changed).isNotEqualTo(POD);
        for (String[] states : new String[][] {{POD, changed}, {changed, POD}}) {
            V1Pod cached = read(PODS, states[0], null);
            V1Pod pod = read(PODS, states[1], cached);
            assertThat(pod).isEqualTo(read(PODS, states[1], null)).hasToString(read(PODS, states[1], null).toString());
            assertThat(cached).as("what is cached").isEqualTo(read(PODS, states[0], null))
                    .hasToString(read(PODS, states[0], null).toString());
        }
    }

    @SuppressWarnings("UnusedVariable") // compared by reflection
    static final class Widget {
        @SerializedName("part")
        private @Nullable Part part;

        @SerializedName("limited")
        private @Nullable Limited limited;

        @SerializedName("sizes")
        private @Nullable List<@Nullable Integer> sizes;
    }

    static final class Limited {
        @SerializedName("limit")
        private Quantity limit = Quantity.fromString("1");

        @SerializedName("size")
        private int size;
    }

    @SuppressWarnings("UnusedVariable") // compared by reflection
    static final class Part {
        @SerializedName("phase")
        private String phase = "Pending";

        @SerializedName("size")
        private int size = 1000;

        @SerializedName("names")
        private List<String> names = new ArrayList<>(List.of("of its own"));

        @SerializedName("ratio")
        private @Nullable Double ratio;

        @SerializedName("metadata")
        private @Nullable V1ObjectMeta metadata;
    }

    private static final ResourceType<Widget> WIDGETS = ResourceType.of("example.com", "v1", "widgets", Scope.NAMESPACED, Widget.class);

    private Part part(String part, @Nullable Widget cached) {
        return Objects.requireNonNull(widget(part, cached).part);
    }

    private Widget widget(String part, @Nullable Widget cached) {
        return read(WIDGETS, "{'part':%s}".formatted(part).replace('\'', '"'), cached);
    }

    @Test
    void whatIsNotMentionedIsWhatTheClassSays() {
        Widget cached = widget("{'phase':'Ready','size':2000,'names':['a']}", null);
        Part without = part("{'size':2000,'names':['a']}", cached);
        assertThat(without.phase).isEqualTo("Pending");
        assertThat(without.size).isEqualTo(2000);
        assertThat(without.names).isSameAs(Objects.requireNonNull(cached.part).names);
        Widget none = widget("{}", cached);
        Part empty = Objects.requireNonNull(none.part);
        assertThat(empty.size).isEqualTo(1000);
        assertThat(empty.names).isEmpty();
        assertThat(part("{'phase':'Pending','size':1000}", cached).size).isEqualTo(1000);
    }

    @Test
    void aDefaultThatIsEqualToWhatIsCachedMayBeAnother() {
        Widget cached = read(WIDGETS, "{\"limited\":{\"limit\":\"1000m\",\"size\":7}}", null);
        Limited limited = Objects.requireNonNull(read(WIDGETS, "{\"limited\":{\"size\":7}}", cached).limited);
        assertThat(limited.size).isEqualTo(7);
        assertThat(limited.limit).isEqualTo(Objects.requireNonNull(cached.limited).limit);
        assertThat(limited.limit.getNumber()).as("it has no digits after the point").isEqualTo("1");
    }

    @Test
    void anObjectAsAWholeIsNeverTheOneThatIsCached() {
        Widget cached = widget("{'size':2000}", null);
        Widget again = widget("{'size':2000}", cached);
        assertThat(again).isNotSameAs(cached);
        assertThat(again.part).isSameAs(cached.part);
    }

    @Test
    void namesOfObjectsWithinAreSharedToo() {
        Widget cached = widget("{'metadata':{'name':'data','labels':{'a':'b'}}}", null);
        assertThat(part("{'metadata':{'name':'data','labels':{'a':'b'}}}", cached)).isSameAs(cached.part);
    }

    @Test
    void whatOnlyJacksonReadsIsReadAnew() {
        Widget cached = widget("{'ratio':0.5,'size':2000}", null);
        assertThat(part("{'ratio':0.5,'size':2000}", cached)).usingRecursiveComparison().isEqualTo(cached.part);
        assertThat(part("{'ratio':0.25,'size':2000}", cached).ratio).isEqualTo(0.25);
    }

    @Test
    void nullsInListsAreReadAlong() {
        Widget cached = read(WIDGETS, "{\"sizes\":[1000,null]}", null);
        for (String sizes : List.of("[1000,null]", "[1000]", "[1000,null,null]", "[null,1000]", "[]")) {
            String object = "{\"sizes\":" + sizes + "}";
            assertThat(read(WIDGETS, object, cached)).usingRecursiveComparison().isEqualTo(read(WIDGETS, object, null));
        }
    }

    /** The code that filled the store with it may write to it. */
    @Test
    void aListThatMayChangeIsNotGivenBack() {
        V1Pod cached = read(PODS, POD, null);
        List<V1Container> own = new ArrayList<>(cached.getSpec().getContainers());
        cached.getSpec().setContainers(own);
        V1Pod pod = read(PODS, POD, cached);
        assertThat(pod.getSpec().getContainers()).isNotSameAs(own).isEqualTo(own);
        assertThat(pod.getSpec().getContainers().get(0)).isSameAs(own.get(0));
        cached.getSpec().setContainers(null);
        assertThat(read(PODS, POD, cached)).isEqualTo(pod);
    }

    static class Open extends V1Pod {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void anObjectOfAnotherClassSharesNothing() {
        V1Pod cached = new Open().spec(read(PODS, POD, null).getSpec());
        V1Pod pod = read(PODS, POD, cached);
        assertThat(pod).isExactlyInstanceOf(V1Pod.class).isEqualTo(read(PODS, POD, null));
        assertThat(pod.getSpec()).isNotSameAs(cached.getSpec());
    }

    @Test
    void whatIsTooLargeForTheTableIsSharedAllTheSame() {
        String large = POD.replace("\"-v\",\"2\"", IntStream.range(0, 5_000).mapToObj(i -> "\"" + i + "\"")
                .collect(Collectors.joining(",")));
        V1Pod cached = read(PODS, large, null);
        assertThat(read(PODS, large, cached).getSpec()).isSameAs(cached.getSpec());
        assertThat(read(PODS, large.replace("\"4711\"", "\"x\""), cached).getSpec().getContainers().get(0).getArgs())
                .contains("x").doesNotContain("4711");
    }

    @Test
    void whatIsCachedIsNotReplacedByWhatWasNotedInTheSameObject() {
        String probe = "{\"httpGet\":{\"path\":\"/\",\"port\":80},\"periodSeconds\":10}";
        String one = "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"containers\":[{\"name\":\"web\",\"readinessProbe\":" + probe + "}]}}";
        V1Pod cached = read(PODS, one, null);
        V1Container web = read(PODS, one.replace("\"readinessProbe\"", "\"livenessProbe\":" + probe + ",\"readinessProbe\""), cached)
                .getSpec().getContainers().get(0);
        assertThat(web.getReadinessProbe()).isSameAs(cached.getSpec().getContainers().get(0).getReadinessProbe())
                .isEqualTo(web.getLivenessProbe());
    }

    /** Its parts are met again in it, not in what is new. */
    @Test
    void whatIsGivenBackIsMetInThisStateToo() {
        var trees = new SharedTrees(1 << 20);
        String probe = "\"readinessProbe\":{\"httpGet\":{\"path\":\"/\",\"port\":80},\"periodSeconds\":10}";
        String one = "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"containers\":[{\"name\":\"web\"," + probe + "}]}}";
        String two = one.replace("}]}}", "},{\"name\":\"side\"," + probe + "}]}}");
        V1Pod first = read(PODS, one, null, trees);
        V1Pod second = read(PODS, two, first, trees);
        assertThat(second.getSpec().getContainers().get(0)).isSameAs(first.getSpec().getContainers().get(0));
        V1Pod third = read(PODS, two.replace("\"web\"},", "\"web\",\"resourceVersion\":\"3\"},"), second, trees);
        assertThat(third.getMetadata().getResourceVersion()).isEqualTo("3");
        assertThat(third.getSpec()).isSameAs(second.getSpec());
    }

    /** Its room is for what objects share. */
    @Test
    void whatIsGivenBackIsNotEnteredInTheTable() {
        var trees = new SharedTrees(1 << 20);
        V1Pod cached = null;
        for (String version : List.of("1", "2", "3", "4")) {
            cached = read(PODS, POD.replace("\"resourceVersion\":\"1\"", "\"resourceVersion\":\"" + version + "\""), cached, trees);
        }
        assertThat(read(PODS, POD, null, trees).getSpec()).isEqualTo(cached.getSpec()).isNotSameAs(cached.getSpec());
    }

    @Test
    void anEventSharesWithWhatIsCachedOfItsObject() {
        var cached = new Versioned<>("u-1", "1", read(PODS, POD, null));
        List<ObjectEvent.Applied<V1Pod>> events = modified(Reading.of(key -> key.equals(ObjectKey.of("shop", "web-1")) ? cached : null),
                "1", "2");
        assertThat(events.get(0).entry()).as("the state that is cached").isSameAs(cached);
        V1Pod later = events.get(1).entry().object();
        assertThat(later.getSpec()).isSameAs(cached.object().getSpec());
        assertThat(later.getMetadata().getResourceVersion()).isEqualTo("2");
        assertThat(cached.object().getMetadata().getResourceVersion()).isEqualTo("1");
    }

    @Test
    void whereObjectsAreChangedTheyShareNothing() {
        var cached = new Versioned<>("u-1", "1", read(PODS, POD, null));
        List<ObjectEvent.Applied<V1Pod>> events = modified(new Reading<>(key -> cached, null, false), "2", "3", "4");
        List<V1PodSpec> specs = events.stream().map(event -> Objects.requireNonNull(event.entry().object().getSpec())).toList();
        for (V1PodSpec spec : specs) {
            assertThat(spec).isEqualTo(cached.object().getSpec()).isNotSameAs(cached.object().getSpec());
            assertThat(spec.getContainers().get(0)).isNotSameAs(cached.object().getSpec().getContainers().get(0));
        }
        specs.subList(0, 2).forEach(spec -> spec.setNodeName("another"));
        assertThat(specs.get(2).getNodeName()).as("of what was met for the third time").isEqualTo("node-1");
    }

    private static List<ObjectEvent.Applied<V1Pod>> modified(Reading<V1Pod> known, String... versions) {
        Flux<ByteBuf> body = Flux.just(versions).map(version -> "{\"type\":\"MODIFIED\",\"object\":"
                + POD.replace("\n", "").replace("\"resourceVersion\":\"1\"", "\"resourceVersion\":\"" + version + "\"") + "}\n")
                .map(event -> Unpooled.copiedBuffer(event, StandardCharsets.UTF_8));
        return Objects.requireNonNull(ObjectCodec.create().watch(body, PODS, known, "watch pods")
                .map(event -> (ObjectEvent.Applied<V1Pod>) event).collectList().block());
    }

    /** With nothing but what is cached to share with. */
    private <T> T read(ResourceType<T> type, String object, @Nullable T before) {
        return read(type, object, before, new SharedTrees(0));
    }

    private <T> T read(ResourceType<T> type, String object, @Nullable T before, SharedTrees trees) {
        Readers.Reader reader = readers.shared(type);
        var skim = new Skim(strings);
        var shapes = new ShapeReader(strings, trees, skim, reader.mapper());
        byte[] bytes = object.getBytes(StandardCharsets.UTF_8);
        skim.object(bytes, 0, bytes.length);
        return type.objectClass().cast(shapes.read(Objects.requireNonNull(reader.shape()), bytes, 0, bytes.length, before));
    }
}
