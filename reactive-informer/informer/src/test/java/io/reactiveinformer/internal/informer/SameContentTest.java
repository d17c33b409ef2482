package io.reactiveinformer.internal.informer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.POJONode;

import static org.assertj.core.api.Assertions.assertThat;

class SameContentTest {

    /** Leaves equals to Object. */
    @SuppressWarnings("UnusedVariable") // read by reflection
    static class Plain {

        private final @Nullable String text;
        private final Map<String, int[]> numbers;

        private @Nullable Plain inside;

        Plain(@Nullable String text, int number) {
            this.text = text;
            this.numbers = Map.of("n", new int[] {number});
        }
    }

    enum Colour {
        RED, BLUE
    }

    record Unequal(String text) {

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("no comparison");
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    private static V1Secret secret(String value) {
        return new V1Secret().metadata(new V1ObjectMeta().name("s")).data(Map.of("key", value.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void looksIntoArrays() {
        assertThat(SameContent.of(new byte[][] {{1}, {2}}, new byte[][] {{1}, {2}})).isTrue();
        assertThat(SameContent.of(new byte[][] {{1}, {2}}, new byte[][] {{1}, {3}})).isFalse();
        assertThat(SameContent.of(secret("a"), secret("a"))).isTrue();
        assertThat(SameContent.of(secret("a"), secret("b"))).isFalse();
        assertThat(SameContent.of(secret("a"), secret("ab"))).isFalse();
    }

    @Test
    void looksIntoWhatHasNoEquals() {
        assertThat(SameContent.of(new Plain("a", 1), new Plain("a", 1))).isTrue();
        assertThat(SameContent.of(new Plain("a", 1), new Plain("a", 2))).isFalse();
        assertThat(SameContent.of(new Plain("a", 1), new Plain(null, 1))).isFalse();
        assertThat(SameContent.of(List.of(new Plain("a", 1)), List.of(new Plain("b", 1)))).isFalse();
        assertThat(SameContent.of(new Unequal("a"), new Unequal("a"))).isTrue();
        assertThat(SameContent.of(new Unequal("a"), new Unequal("b"))).isFalse();
    }

    @Test
    void whatRefersToItselfComesToAnEnd() {
        var one = new Plain("a", 1);
        var other = new Plain("a", 1);
        one.inside = one;
        other.inside = other;
        assertThat(SameContent.of(one, other)).isTrue();
    }

    @Test
    void nothingAndAnEmptyCollectionAreTheSame() {
        assertThat(SameContent.of(new V1ConfigMap(), new V1ConfigMap().data(Map.of()))).isTrue();
        assertThat(SameContent.of(new V1ConfigMap(), new V1ConfigMap().data(Map.of("a", "")))).isFalse();
        assertThat(SameContent.of(null, List.of())).isTrue();
        assertThat(SameContent.of(Map.of(), null)).isTrue();
        assertThat(SameContent.of(null, List.of(1))).isFalse();
        assertThat(SameContent.of(Map.of("a", 1), null)).isFalse();
        assertThat(SameContent.of(null, "")).isFalse();
        assertThat(SameContent.of(null, null)).isTrue();
    }

    @Test
    void valuesAreComparedAsTheySay() {
        assertThat(SameContent.of(Colour.RED, Colour.BLUE)).isFalse();
        assertThat(SameContent.of("a", "b")).isFalse();
        assertThat(SameContent.of(1, 1L)).isFalse();
        assertThat(SameContent.of(Map.of("a", 1), Map.of("a", 2))).isFalse();
        assertThat(SameContent.of(Map.of("a", 1), Map.of("b", 1))).isFalse();
        assertThat(SameContent.of(Collections.singletonMap("a", null), Collections.singletonMap("b", null))).isFalse();
        assertThat(SameContent.of(Map.of("a", 1), List.of("a"))).isFalse();
        assertThat(SameContent.of(List.of("a"), "a")).isFalse();
        assertThat(SameContent.of(new int[] {1}, List.of(1))).isFalse();
        assertThat(SameContent.of(List.of("a", "b"), List.of("b", "a"))).isFalse();
        assertThat(SameContent.of(new TreeSet<>(Set.of("a", "b")), new HashSet<>(List.of("b", "a")))).isTrue();
        assertThat(SameContent.of(new Object(), new Object())).as("nothing shows a difference").isTrue();
    }

    /** Queues leave equals to Object, and sets ask it of what they hold. */
    @Test
    void looksIntoCollectionsThatCannotTell() {
        assertThat(SameContent.of(new ArrayDeque<>(List.of("a")), new ArrayDeque<>(List.of("b")))).isFalse();
        assertThat(SameContent.of(new ArrayDeque<>(List.of("a")), new ArrayDeque<>(List.of("a")))).isTrue();
        assertThat(SameContent.of(Set.of(new Plain("a", 1)), Set.of(new Plain("a", 1)))).isTrue();
        assertThat(SameContent.of(Set.of(new Plain("a", 1)), Set.of(new Plain("b", 1)))).isFalse();
        assertThat(SameContent.of(Set.of("a"), "a")).isFalse();
    }

    /** Inherits what is compared, and has something that is not. */
    @SuppressWarnings("UnusedVariable") // read by reflection
    static class Inheriting extends Plain {

        private final transient int cached;

        Inheriting(String text, int cached) {
            super(text, 1);
            this.cached = cached;
        }
    }

    @Test
    void comparesInheritedFieldsAndNoTransientOnes() {
        assertThat(SameContent.of(new Inheriting("a", 1), new Inheriting("a", 2))).isTrue();
        assertThat(SameContent.of(new Inheriting("a", 1), new Inheriting("b", 1))).isFalse();
        assertThat(SameContent.of(new Plain("a", 1), new Inheriting("a", 1))).isFalse();
    }

    record Linked(String text, List<Linked> next) {

        static Linked ring(String text) {
            List<Linked> next = new ArrayList<>();
            var ring = new Linked(text, next);
            next.add(ring);
            return ring;
        }
    }

    /** Their own equals never returns. */
    @Test
    @Timeout(60)
    void comparesRingsWhoseEqualsOverflowsTheStack() {
        assertThat(SameContent.of(Linked.ring("a"), Linked.ring("a"))).isTrue();
        assertThat(SameContent.of(Linked.ring("a"), Linked.ring("b"))).isFalse();
        Map<String, Object> one = new HashMap<>();
        Map<String, Object> other = new HashMap<>();
        one.put("self", one);
        other.put("self", other);
        assertThat(SameContent.of(one, other)).isTrue();
        List<Object> list = new ArrayList<>();
        List<Object> another = new ArrayList<>();
        list.add(list);
        another.add(another);
        assertThat(SameContent.of(list, another)).isTrue();
    }

    /** Leaves equals to Object, and refers to what refers to it. */
    @SuppressWarnings("UnusedVariable") // read by reflection
    static class Node {

        private final @Nullable Node parent;
        private final int depth;
        private final List<Node> children;

        Node(@Nullable Node parent, int depth) {
            this.parent = parent;
            this.depth = depth;
            this.children = depth == 0 ? List.of() : List.of(new Node(this, depth - 1), new Node(this, depth - 1));
        }
    }

    /** Each way through it once, not each combination of ways. */
    @Test
    @Timeout(60)
    void comparesATreeThatRefersBackInItsOwnSize() {
        assertThat(SameContent.of(new Node(null, 8), new Node(null, 8))).isTrue();
        assertThat(SameContent.of(new Node(null, 8), new Node(null, 7))).isFalse();
    }

    /** Equals nothing but itself, and has no fields that differ. Counts how often it is asked. */
    static class Counted {

        private static int asked;

        @Override
        public boolean equals(Object other) {
            asked++;
            return false;
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    /** Law 25: what lies deep is compared once, not once more for each list around it. */
    @Test
    void asksWhatLiesInListsOfListsOnce() {
        Counted.asked = 0;
        Object one = new Counted();
        Object other = new Counted();
        for (int depth = 0; depth < 100; depth++) {
            one = List.of(one);
            other = List.of(other);
        }
        assertThat(SameContent.of(one, other)).isTrue();
        assertThat(Counted.asked).isEqualTo(1);
    }

    /** Law 25: a tree says itself that it differs, once for all of it. */
    @Test
    void asksWhatLiesInATreeOnce() {
        Counted.asked = 0;
        JsonNode one = new POJONode(new Counted());
        JsonNode other = new POJONode(new Counted());
        for (int depth = 0; depth < 100; depth++) {
            one = JsonNodeFactory.instance.arrayNode().add(one);
            other = JsonNodeFactory.instance.arrayNode().add(other);
        }
        assertThat(SameContent.of(one, other)).isFalse();
        assertThat(Counted.asked).isEqualTo(1);
    }

    private static Object nested(int depth, String inside) {
        Object value = inside;
        for (int level = 0; level < depth; level++) {
            value = level % 2 == 0 ? List.of(value) : Map.of("in", value);
        }
        return value;
    }

    /** Law 24: threads that read have little stack, and are not to be lost to what is as deep as a codec lets data be. */
    @Test
    void comparesTheDeepestDataOnASmallStack() throws InterruptedException {
        var same = new ArrayList<Object>();
        var reader = new Thread(null, () -> {
            try {
                same.add(SameContent.of(nested(500, "a"), nested(500, "a")));
                same.add(SameContent.of(nested(500, "a"), nested(500, "b")));
            } catch (StackOverflowError overflow) {
                same.add(overflow);
            }
        }, "reader", 512 << 10);
        reader.start();
        reader.join();
        assertThat(same).containsExactly(true, false);
    }
}
