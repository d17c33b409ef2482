package io.reactiveinformer.delta;

import io.reactiveinformer.delta.Delta.Kind;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** What each kind of delta says of itself: which object it is about, and up to where nothing is missing once it is applied (law 12). */
class DeltaTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final ObjectKey A = ObjectKey.clusterScoped("a");

    static List<Arguments> deltas() {
        var state = new Versioned<>("u", "7", "a");
        return List.of(
                arguments(new Delta.Upserted<>(ALL, A, state), Kind.UPSERTED, A, "7"),
                arguments(new Delta.Deleted<>(ALL, A, state, DeletionCause.OBSERVED), Kind.DELETED, A, "7"),
                arguments(new Delta.Deleted<>(ALL, A, state, DeletionCause.INFERRED), Kind.DELETED, A, null),
                arguments(new Delta.Deleted<>(ALL, A, state, DeletionCause.LEFT), Kind.DELETED, A, null),
                arguments(new Delta.Unreadable<>(ALL, A, "7", new UnreadableObjectException("planned", null)), Kind.UNREADABLE, A, "7"),
                arguments(new Delta.Replaced<>(ALL, List.of(), "7", false), Kind.REPLACED, null, "7"),
                arguments(new Delta.Progressed<>(ALL, "7"), Kind.PROGRESSED, null, "7"));
    }

    @ParameterizedTest
    @MethodSource("deltas")
    void saysWhatItIsAboutAndHowFarNothingIsMissing(Delta<String> delta, Kind kind, @Nullable ObjectKey key, @Nullable String completeTo) {
        assertThat(delta.kind()).isEqualTo(kind);
        assertThat(delta.key()).isEqualTo(key);
        assertThat(delta.completeTo()).isEqualTo(completeTo);
    }
}
