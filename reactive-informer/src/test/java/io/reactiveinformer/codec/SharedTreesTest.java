package io.reactiveinformer.codec;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Reach;
import io.reactiveinformer.resource.WatchEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

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
    void theSameBytesAreAnotherTreeWhereTheyMeanSomethingElse() {
        for (int i = 0; i < 4; i++) {
            V1Pod pod = read("""
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
        TreeDeserializer reader = reader();
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
    void noMoreIsHeldThanIsAllowed() {
        var trees = new SharedTrees(100_000);
        TreeDeserializer reader = reader();
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
            WatchEvent<V1Pod> event = event("{\"metadata\":{\"name\":\"odd\"},\"spec\":{\"containers\":[" + SIDECAR + "],\"securityContext\":" + number + "}}", V1Pod.class);
            assertThat(event).isInstanceOfSatisfying(WatchEvent.Unreadable.class,
                    unreadable -> assertThat(unreadable.failure()).hasMessageStartingWith("cannot read pods.v1 odd"));
        }
        assertThat(event("{\"metadata\":{\"name\":\"odd\"},\"spec\":{\"containers\":[" + SIDECAR + "],\"securityContext\":0}}", V1Pod.class))
                .isInstanceOfSatisfying(WatchEvent.Unreadable.class, unreadable -> assertThat(unreadable.failure()).hasMessageContaining("spec.securityContext"));
    }

    @Test
    void whatIsNoJsonIsToldAsWithoutSharing() {
        for (int i = 0; i < 4; i++) {
            pod("pod-" + i, SIDECAR);
        }
        for (String broken : List.of("{\"name\" \"x\"}", "{\"name\":\"x\",,}", "{name:1}", "{\"name\":[}]}", "{\"a\":1 \"b\":2}")) {
            assertThat(event("{\"metadata\":{\"name\":\"odd\"},\"spec\":{\"containers\":[" + SIDECAR + "," + broken + "]}}", V1Pod.class))
                    .as(broken).isInstanceOfSatisfying(WatchEvent.Unreadable.class,
                            unreadable -> assertThat(unreadable.failure()).hasMessageContaining("no well-formed JSON"));
        }
    }

    /** Classes of a user, with what only Jackson understands. */
    record Widget(V1ObjectMeta metadata, @Nullable List<Shape> shapes, @Nullable Map<String, Shape> byName, @Nullable JsonNode any, @Nullable List<Point> points) {}

    record Point(int x, int y) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({@JsonSubTypes.Type(value = Circle.class, name = "circle"), @JsonSubTypes.Type(value = Square.class, name = "square")})
    interface Shape {}

    record Circle(Point centre, int radius) implements Shape {}

    record Square(Point corner) implements Shape {}

    @Test
    void classesOfUsersAreReadAsWithoutSharing() {
        List<Widget> widgets = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            widgets.add(read("""
                    {"metadata": {"name": "widget", "resourceVersion": "1"}, "shapes": [{"type": "circle", "centre": {"x": 1, "y": 2}, "radius": 3}],
                     "byName": {"a": {"type": "square", "corner": {"x": 1, "y": 2}}}, "any": {"x": 1, "y": [{"x": 1, "y": 2}]}, "points": [{"x": 1, "y": 2}]}""",
                    Widget.class));
        }
        Widget first = widgets.get(0);
        assertThat(first.shapes()).containsExactly(new Circle(new Point(1, 2), 3));
        assertThat(first.byName()).isEqualTo(Map.of("a", new Square(new Point(1, 2))));
        assertThat(first.any().at("/y/0/x").intValue()).isEqualTo(1);
        assertThat(widgets).allMatch(first::equals);
        assertThat(widgets.get(3).points()).isSameAs(widgets.get(2).points());
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
                        V1Container container = pod("pod-" + i, SIDECAR.replace("proxy:1", "proxy:" + app)).getSpec().getContainers().get(0);
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

    private static TreeDeserializer reader() {
        TreeDeserializer reader = new Readers(new SharedStrings()).shared(ResourceType.of(V1Pod.class)).root();
        assertThat(reader).isNotNull();
        return reader;
    }

    private V1Pod pod(String name, String containers) {
        return read("{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"containers\":[" + containers + "]}}", V1Pod.class);
    }

    private <T> T read(String object, Class<T> type) {
        WatchEvent<T> event = event(object, type);
        assertThat(event).isInstanceOf(WatchEvent.Added.class);
        return ((WatchEvent.Added<T>) event).entry().object();
    }

    private <T> WatchEvent<T> event(String object, Class<T> type) {
        ResourceType<T> of = type == V1Pod.class ? ResourceType.of(type) : ResourceType.of("example.com", "v1", "widgets", Reach.NAMESPACED, type);
        return codec.watch(Bodies.of("{\"type\":\"ADDED\",\"object\":" + object.replace("\n", "") + "}\n"), of, key -> null, "watch").blockLast();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
