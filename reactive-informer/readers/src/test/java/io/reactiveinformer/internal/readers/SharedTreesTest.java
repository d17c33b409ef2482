package io.reactiveinformer.internal.readers;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonMerge;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.reactiveinformer.internal.codec.Bodies;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.internal.codec.SharedScalars;
import io.reactiveinformer.internal.codec.SharedStrings;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SharedTreesTest {

    private static final String SIDECAR = """
            {"name": "proxy", "image": "proxy:1", "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "a \\"quoted\\" }]"}],
             "resources": {"limits": {"cpu": "1"}, "requests": {"cpu": "1"}}, "securityContext": {}}""".replace("\n", "");

    private final ObjectCodec codec = ObjectCodec.create();

    @Test
    void whatIsTheSameIsBoundAgainOnceAndThenShared() {
        List<V1Container> sidecars = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            sidecars.add(pod("pod-" + i, "{\"name\":\"main\",\"image\":\"main:" + i + "\"}," + SIDECAR).getSpec().getContainers().get(1));
        }
        assertThat(sidecars).allMatch(sidecars.get(0)::equals);
        assertThat(sidecars.get(1)).isNotSameAs(sidecars.get(0));
        assertThat(sidecars.get(2)).isSameAs(sidecars.get(1));
        assertThat(sidecars.get(3)).isSameAs(sidecars.get(1));
        assertThat(sidecars.get(1).getEnv().get(1).getValue()).isEqualTo("a \"quoted\" }]");
    }

    @Test
    void partsOfWhatDiffersAreShared() {
        V1Container last = null;
        for (int i = 0; i < 4; i++) {
            V1Container before = last;
            last = pod("pod-" + i, SIDECAR.replace("proxy:1", "proxy:" + i)).getSpec().getContainers().get(0);
            assertThat(last.getImage()).isEqualTo("proxy:" + i);
            if (before != null && i > 1) {
                assertThat(last).isNotSameAs(before);
                assertThat(last.getEnv()).isSameAs(before.getEnv());
                assertThat(last.getResources()).isSameAs(before.getResources());
            }
        }
    }

    @Test
    void aPartOfWhatIsSharedIsSharedWithOthers() {
        for (int i = 0; i < 3; i++) {
            pod("pod-" + i, SIDECAR.replace("proxy:1", "proxy:" + i));
        }
        List<V1Container> others = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            others.add(pod("other-" + i, SIDECAR.replace("proxy:1", "proxy:3")).getSpec().getContainers().get(0));
        }
        assertThat(others.get(2)).isSameAs(others.get(1));
        V1Container different = pod("different", SIDECAR.replace("proxy:1", "proxy:4")).getSpec().getContainers().get(0);
        assertThat(different.getResources()).isSameAs(others.get(2).getResources());
    }

    @Test
    void aPartOfWhatIsKeptIsKeptOnItsOwnOnceItIsMetElsewhere() {
        List<V1Container> containers = new ArrayList<>();
        for (String image : List.of("proxy:1", "proxy:1", "proxy:1", "proxy:2", "proxy:3")) {
            containers.add(pod("pod-" + containers.size(), SIDECAR.replace("proxy:1", image)).getSpec().getContainers().get(0));
        }
        assertThat(containers.get(2)).isSameAs(containers.get(1));
        V1ResourceRequirements first = containers.get(3).getResources();
        assertThat(first).isEqualTo(containers.get(2).getResources()).isNotSameAs(containers.get(2).getResources());
        assertThat(containers.get(4).getResources()).isSameAs(first);
    }

    @Test
    void whatIsInOneObjectTwiceIsReadOnce() {
        List<V1Container> containers = pod("pod", SIDECAR + "," + SIDECAR.replace("\"proxy\"", "\"other\"") + "," + SIDECAR)
                .getSpec().getContainers();
        assertThat(containers.get(1).getName()).isEqualTo("other");
        assertThat(containers.get(1).getEnv()).hasSize(2).isSameAs(containers.get(0).getEnv());
        assertThat(containers.get(2)).isSameAs(containers.get(0));
    }

    @Test
    void whereObjectsAreChangedNotEvenOneObjectSharesWithinItself() {
        String event = "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"pod\"},\"spec\":{\"containers\":["
                + SIDECAR + "," + SIDECAR + "]}}}\n";
        ObjectEvent<V1Pod> added = codec.watch(Bodies.of(event), ResourceType.of(V1Pod.class), Reading.unshared(), "watch").blockLast();
        assertThat(added).isInstanceOf(ObjectEvent.Applied.class);
        List<V1Container> containers = ((ObjectEvent.Applied<V1Pod>) added).entry().object().getSpec().getContainers();
        assertThat(containers.get(1)).isEqualTo(containers.get(0)).isNotSameAs(containers.get(0));
        assertThat(containers.get(1).getResources()).isNotSameAs(containers.get(0).getResources());
        assertThat(containers.get(1).getEnv().get(0)).isNotSameAs(containers.get(0).getEnv().get(0));
    }

    @Test
    void theFirstTreesOfALargeObjectAreFoundAgain() {
        List<String> names = IntStream.range(0, 1_000).mapToObj(i -> "c-" + i).toList();
        String others = names.stream().map(name -> "{\"name\":\"" + name + "\",\"env\":[]}").collect(Collectors.joining(","));
        V1PodSpec spec = pod("pod", SIDECAR + "," + others + "," + SIDECAR + "," + others).getSpec();
        List<String> once = Stream.concat(Stream.of("proxy"), names.stream()).toList();
        assertThat(spec.getContainers()).extracting(V1Container::getName)
                .containsExactlyElementsOf(Stream.concat(once.stream(), once.stream()).toList());
        assertThat(spec.getContainers().get(1_001)).isSameAs(spec.getContainers().get(0));
    }

    @Test
    void whatIsFoundInAnObjectIsOfThatObject() {
        List<List<V1Container>> read = containers(IntStream.range(0, 300).mapToObj(i -> SIDECAR.replace("proxy", "proxy-" + i))
                .map(one -> one + "," + one).toList());
        for (int i = 0; i < 300; i++) {
            assertThat(read.get(i)).extracting(V1Container::getName).containsExactly("proxy-" + i, "proxy-" + i);
            assertThat(read.get(i).get(1)).isSameAs(read.get(i).get(0));
        }
    }

    /** An object that is left to Jackson halfway leaves nothing behind. */
    @Test
    void whatIsUnusualKeepsNothingFromBeingShared() {
        String unusual = "{\"n\\u0061me\":\"unusual\"}";
        List<V1Container> read = containers(List.of(unusual, unusual, SIDECAR, SIDECAR, SIDECAR))
                .stream().map(each -> each.get(0)).toList();
        assertThat(read).extracting(V1Container::getName).containsExactly("unusual", "unusual", "proxy", "proxy", "proxy");
        assertThat(read.get(4)).isSameAs(read.get(3));
    }

    @Test
    void theSameBytesAreAnotherTreeWhereTheyMeanSomethingElse() {
        for (int i = 0; i < 4; i++) {
            V1Pod pod = read(codec, """
                    {"metadata": {"name": "pod-%d", "labels": {"cpu": "1"}, "annotations": {"cpu": "1"}},
                     "spec": {"overhead": {"cpu": "1"}, "nodeSelector": {"cpu": "1"}, "containers": []}}""".formatted(i), V1Pod.class);
            assertThat(pod.getMetadata().getLabels()).isEqualTo(Map.of("cpu", "1"));
            assertThat(pod.getSpec().getOverhead().get("cpu").getNumber()).isEqualByComparingTo("1");
            assertThat(pod.getSpec().getNodeSelector()).isEqualTo(Map.of("cpu", "1"));
        }
    }

    @Test
    void ofTwoTreesWithTheSameHashTheRightOneIsFound() {
        var trees = new SharedTrees(1 << 20);
        TreeShape reader = reader();
        byte[] first = bytes("{\"name\":\"a\"}");
        byte[] second = bytes("{\"name\":\"b\"}");
        trees.put(reader, first, 7, "first");
        trees.put(reader, second, 7, "second");
        assertThat(trees.find(reader, first, 0, first.length, 7)).isEqualTo("first");
        assertThat(trees.find(reader, second, 0, second.length, 7)).isEqualTo("second");
        assertThat(trees.find(reader, bytes("{\"name\":\"c\"}"), 0, second.length, 7)).isNull();
        assertThat(trees.find(reader, first, 0, first.length - 1, 7)).isNull();
        assertThat(trees.find(reader(), first, 0, first.length, 7)).isNull();
    }

    @Test
    void noMoreIsKeptThanIsAllowed() {
        var trees = new SharedTrees(100_000);
        TreeShape reader = reader();
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = bytes("{\"name\":\"name-" + i + "\"}");
            trees.put(reader, bytes, i * 31 + 1, i);
        }
        int found = 0;
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = bytes("{\"name\":\"name-" + i + "\"}");
            Object known = trees.find(reader, bytes, 0, bytes.length, i * 31 + 1);
            assertThat(known).isIn(null, i);
            found += known == null ? 0 : 1;
        }
        assertThat(found).isBetween(200, 100_000 / 64);
        byte[] newest = bytes("{\"name\":\"name-9999\"}");
        assertThat(trees.find(reader, newest, 0, newest.length, 9_999 * 31 + 1)).isEqualTo(9_999);
    }

    @Test
    void aNumberInPlaceOfATreeIsNoTree() {
        for (int i = 0; i < 4; i++) {
            pod("pod-" + i, SIDECAR);
        }
        for (String number : List.of("0", "1", "00")) {
            ObjectEvent<V1Pod> event = event("{\"metadata\":{\"name\":\"odd\"},\"spec\":{\"containers\":["
                    + SIDECAR + "],\"securityContext\":" + number + "}}", V1Pod.class);
            assertThat(event).isInstanceOfSatisfying(ObjectEvent.Unreadable.class,
                    unreadable -> assertThat(unreadable.failure()).hasMessageStartingWith("cannot read pods.v1 odd"));
        }
        assertThat(event("{\"metadata\":{\"name\":\"odd\"},\"spec\":{\"containers\":[" + SIDECAR + "],\"securityContext\":0}}",
                V1Pod.class))
                .isInstanceOfSatisfying(ObjectEvent.Unreadable.class, unreadable ->
                        assertThat(unreadable.failure()).hasMessageContaining("spec.securityContext"));
    }

    @Test
    void whatIsNoJsonIsReportedAsWithoutSharing() {
        for (int i = 0; i < 4; i++) {
            pod("pod-" + i, SIDECAR);
        }
        for (String broken : List.of("{\"name\" \"x\"}", "{\"name\":\"x\",,}", "{name:1}", "{\"a\":1 \"b\":2}")) {
            assertThat(event("{\"metadata\":{\"name\":\"odd\"},\"spec\":{\"containers\":[" + SIDECAR + "," + broken + "]}}", V1Pod.class))
                    .as(broken).isInstanceOfSatisfying(ObjectEvent.Unreadable.class,
                            unreadable -> assertThat(unreadable.failure()).hasMessageContaining("no well-formed JSON"));
        }
        String bracketTooMany = "{\"metadata\":{\"name\":\"odd\"},\"spec\":{\"containers\":[" + SIDECAR + ",{\"name\":[}]}]}}";
        assertThatThrownBy(() -> event(bracketTooMany, V1Pod.class)).isInstanceOf(UnexpectedAnswerException.class);
    }

    @Test
    void howDeepAnObjectMayBeDoesNotDependOnWhatWasReadBefore() {
        for (int depth : new int[] {200, 800, 3_500}) {
            String schema = "{\"not\":".repeat(depth) + "{}" + "}".repeat(depth);
            String crd = "{\"metadata\":{\"name\":\"deep\"},\"spec\":{\"versions\":[{\"name\":\"v1\",\"schema\":{\"openAPIV3Schema\":"
                    + schema + "}}]}}";
            String unknown = "{\"metadata\":{\"name\":\"deep\"},\"spec\":{\"names\":{\"kind\":\"A\",\"strange\":" + schema + "}}}";
            for (int i = 0; i < 4; i++) {
                for (String deep : List.of(crd, unknown)) {
                    assertThat(event(deep, V1CustomResourceDefinition.class)).as(depth + ", " + i)
                            .isInstanceOf(depth < ObjectCodec.DEEPEST ? ObjectEvent.Applied.class : ObjectEvent.Unreadable.class);
                }
            }
        }
    }

    /** What a user's class asks of Jackson may reach across trees. */
    record Widget(
            V1ObjectMeta metadata,
            @Nullable List<Shape> shapes,
            @Nullable List<Rule> rules,
            @Nullable Map<String, Shape> byName,
            @Nullable JsonNode any,
            @Nullable List<Point> points,
            @Nullable Open open,
            @Nullable Raw raw,
            @Nullable Merged merged,
            @Nullable Node node,
            @Nullable Lenient lenient) {}

    record Point(int x, int y) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({@JsonSubTypes.Type(value = Circle.class, name = "circle"), @JsonSubTypes.Type(value = Square.class, name = "square")})
    interface Shape {}

    record Circle(Point centre, int radius) implements Shape {}

    record Square(Point corner) implements Shape {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type", defaultImpl = Rule.class)
    @JsonSubTypes(@JsonSubTypes.Type(value = Deny.class, name = "deny"))
    static class Rule {
        public @Nullable String name;
    }

    static final class Deny extends Rule {
        public @Nullable String reason;
    }

    /** Takes whatever comes. */
    static final class Open {
        @JsonAnySetter
        final Map<String, Object> all = new TreeMap<>();
    }

    static final class Raw {

        public final Map<String, Object> all;

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Raw(Map<String, Object> all) {
            this.all = all;
        }

        public void setSub(Point sub) {
            all.put("sub", sub);
        }
    }

    static final class Merged {
        @JsonMerge
        public Sub sub = new Sub();
    }

    static final class Sub {
        public int x = 7;
        public int y = 8;
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    static final class Node {
        public int id;
        public @Nullable String name;
        public @Nullable Node next;
    }

    static final class Lenient {
        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        public List<Point> points = List.of();
    }

    @Test
    void classesOfUsersAreReadAsWithoutSharing() {
        for (int i = 0; i < 5; i++) {
            String widget = """
                    {"metadata": {"name": "widget", "resourceVersion": "1", "labels": {"a": "b"}},
                     "shapes": [{"type": "circle", "centre": {"x": 1, "y": 2}, "radius": 3}], "rules": [{"type": "deny", "name": "n", \
                    "reason": "r"}],
                     "byName": {"a": {"type": "square", "corner": {"x": 1, "y": 2}}}, "any": {"x": 1, "y": [{"x": 1, "y": 2}]}, \
                    "points": [{"x": 1, "y": 2}],
                     "open": {"a": {"x": 1, "y": 2}, "b": [1]}, "raw": {"sub": {"x": 1, "y": 2}, "n": %d}, "merged": {"sub": {"x": 1}},
                     "node": {"id": 1, "name": "n%d", "next": {"id": 2, "next": 1}}, "lenient": {"points": {"x": 1, "y": \
                    2}}}""".formatted(i, i);
            ObjectCodec first = ObjectCodec.create();
            assertThat(read(codec, widget, Widget.class)).as(widget).usingRecursiveComparison()
                    .isEqualTo(read(first, widget, Widget.class));
        }
    }

    /** As a user's generator makes them, with a part that is not plain. */
    static final class Gadget {
        @SerializedName("metadata")
        public @Nullable V1ObjectMeta metadata;

        @SerializedName("first")
        public @Nullable Holder first;

        @SerializedName("second")
        public @Nullable Holder second;
    }

    static final class Holder {
        @SerializedName("node")
        public @Nullable Node node;
    }

    @Test
    void whatIsWithinAPlainClassCountsToo() {
        for (int i = 0; i < 5; i++) {
            String gadget = """
                    {"metadata": {"name": "gadget"}, "first": {"node": {"id": 1, "name": "n%d"}}, "second": {"node": 1}}""".formatted(i);
            assertThat(read(codec, gadget, Gadget.class)).usingRecursiveComparison()
                    .isEqualTo(read(ObjectCodec.create(), gadget, Gadget.class));
        }
    }

    @Test
    void threadsDisturbNobody() throws Exception {
        var threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Boolean>> results = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                Callable<Boolean> work = () -> {
                    for (int i = 0; i < 2_000; i++) {
                        int app = i % 97;
                        V1Container container = pod("pod-" + i, SIDECAR.replace("proxy:1", "proxy:" + app))
                                .getSpec().getContainers().get(0);
                        if (!container.getImage().equals("proxy:" + app) || container.getEnv().size() != 2) {
                            return false;
                        }
                    }
                    return true;
                };
                results.add(threads.submit(work));
            }
            for (Future<Boolean> result : results) {
                assertThat(result.get()).isTrue();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static TreeShape reader() {
        TreeShape reader = new Readers(new SharedStrings()).shared(ResourceType.of(V1Pod.class)).shape();
        assertThat(reader).isNotNull();
        return reader;
    }

    /** Of one body, in which each object has those containers. */
    private List<List<V1Container>> containers(List<String> ofEach) {
        String body = IntStream.range(0, ofEach.size()).mapToObj(i -> "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"pod-" + i
                + "\"},\"spec\":{\"containers\":[" + ofEach.get(i) + "]}}}\n").collect(Collectors.joining());
        return codec.watch(Bodies.of(body), ResourceType.of(V1Pod.class), Reading.anew(), "watch")
                .map(event -> ((ObjectEvent.Applied<V1Pod>) event).entry().object().getSpec().getContainers()).collectList().block();
    }

    private V1Pod pod(String name, String containers) {
        return read(codec, "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"containers\":[" + containers + "]}}", V1Pod.class);
    }

    private static <T> T read(ObjectCodec codec, String object, Class<T> type) {
        ObjectEvent<T> event = event(codec, object, type);
        assertThat(event).isInstanceOf(ObjectEvent.Applied.class);
        return ((ObjectEvent.Applied<T>) event).entry().object();
    }

    private <T> ObjectEvent<T> event(String object, Class<T> type) {
        return event(codec, object, type);
    }

    private static <T> ObjectEvent<T> event(ObjectCodec codec, String object, Class<T> type) {
        ResourceType<T> of = type.getName().startsWith("io.kubernetes.")
                ? ResourceType.of(type) : ResourceType.of("example.com", "v1", "widgets", Scope.NAMESPACED, type);
        return codec.watch(Bodies.of("{\"type\":\"ADDED\",\"object\":" + object.replace("\n", "") + "}\n"), of, Reading.anew(), "watch")
                .blockLast();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Four trees of one hash fill a bucket. */
    @Test
    void theOldestOfABucketMakesRoom() {
        var trees = new SharedTrees(1 << 20);
        MapShape shape = new Shapes(() -> {
            throw new AssertionError("no mapper is needed");
        }, new SharedScalars()).any().maps();
        for (byte i = 0; i < 6; i++) {
            trees.put(shape, new byte[] {i}, 4711, "tree " + i);
        }
        List<Object> found = new ArrayList<>();
        for (byte i = 0; i < 6; i++) {
            found.add(trees.find(shape, new byte[] {i}, 0, 1, 4711));
        }
        assertThat(found).containsExactly(null, null, "tree 2", "tree 3", "tree 4", "tree 5");
    }
}
