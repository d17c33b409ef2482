package io.reactiveinformer.informer;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestoredPartTest {

    private static final ObjectKey A = ObjectKey.of("one", "a");
    private static final Namespaces ONE = Namespaces.of("one");
    private static final Namespaces TWO = Namespaces.of("two");

    /** Of part two, version 7 is reached and 8 was received. */
    private final Known<String> known = new Known<>() {

        @Override
        public @Nullable Versioned<String> find(ObjectKey key) {
            return key.equals(A) ? new Versioned<>("u", "5", "a") : null;
        }

        @Override
        public void forEachKey(Namespaces namespaces, Consumer<ObjectKey> action) {
            action.accept(A);
        }

        @Override
        public @Nullable String reached(Namespaces part) {
            return part.equals(TWO) ? "7" : null;
        }

        @Override
        public @Nullable String received(Namespaces part) {
            return part.equals(TWO) ? "8" : null;
        }
    };

    @Test
    void aPartIsKnownUpToItsSavedVersionUntilMoreIsKnown() {
        var one = new RestoredPart<>(known, ONE, "5");
        assertThat(one.reached(ONE)).isEqualTo("5");
        assertThat(one.received(ONE)).isEqualTo("5");
        assertThat(one.reached(TWO)).isEqualTo("7");
        assertThat(one.received(TWO)).isEqualTo("8");
        var two = new RestoredPart<>(known, TWO, "5");
        assertThat(two.reached(TWO)).isEqualTo("7");
        assertThat(two.received(TWO)).isEqualTo("8");
        assertThat(two.reached(ONE)).isNull();
    }

    @Test
    void theRestIsAsItWasKnown() {
        var restored = new RestoredPart<>(known, ONE, "5");
        assertThat(restored.find(A)).isEqualTo(new Versioned<>("u", "5", "a"));
        List<ObjectKey> keys = new ArrayList<>();
        restored.forEachKey(ONE, keys::add);
        assertThat(keys).containsExactly(A);
    }
}
