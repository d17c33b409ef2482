package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit.Difference;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Two differences of a row, emitted as one (laws 3 and 4). States are written as uid and version, ends with the version of the deletion.
 */
class DifferenceTest {

    static List<Arguments> pairs() {
        return List.of(
                // nobody has seen it: how it began, and ended, is nobody's business
                arguments(step(null, "u1"), step("u1", "u2"), step(null, "u2")),
                arguments(step(null, "u1"), ended("u1", null, "2"), step(null, null)),
                arguments(step(null, "u1"), ended("u1", "v2", null), step(null, "v2")),

                // one object
                arguments(step("u1", "u2"), step("u2", "u3"), step("u1", "u3")),
                arguments(step("u1", "u2"), ended("u2", null, "3"), ended("u1", null, "3")),

                // another one in its place: how the first one ended, whatever became of those after it
                arguments(ended("u1", null, "2"), step(null, "v3"), ended("u1", "v3", "2")),
                arguments(ended("u1", null, "2"), step(null, null), ended("u1", null, "2")),
                arguments(ended("u1", "v2", null), ended("v2", null, "3"), ended("u1", null, null)),
                arguments(ended("u1", "v2", "2"), ended("v2", "w3", "3"), ended("u1", "w3", "2")),
                arguments(ended("u1", "v2", "2"), step("v2", "v3"), ended("u1", "v3", "2")),
                arguments(step("u1", "u2"), ended("u2", "v3", "3"), ended("u1", "v3", "3")),

                // it is there after all
                arguments(ended("u1", null, "2"), step(null, "u3"), step("u1", "u3")),
                arguments(ended("u1", "v2", null), ended("v2", "u3", null), step("u1", "u3")));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void areOne(Difference<String, String> first, Difference<String, String> next, Difference<String, String> both) {
        assertThat(first.then(next)).isEqualTo(both);
        assertThat(first.then(next).isNothing()).isEqualTo(both.before() == null && both.after() == null);
    }

    private static @Nullable Versioned<String> state(@Nullable String text) {
        return text == null ? null : new Versioned<>(text.substring(0, 1), text.substring(1), text);
    }

    private static Difference<String, String> step(@Nullable String before, @Nullable String after) {
        return new Difference<>("key", state(before), state(after), null, null);
    }

    private static Difference<String, String> ended(@Nullable String before, @Nullable String after, @Nullable String deletedAt) {
        DeletionCause cause = deletedAt == null ? DeletionCause.INFERRED : DeletionCause.OBSERVED;
        return new Difference<>("key", state(before), state(after), cause, deletedAt);
    }
}
