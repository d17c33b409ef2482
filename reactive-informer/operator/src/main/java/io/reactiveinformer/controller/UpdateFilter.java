package io.reactiveinformer.controller;

import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Selects the updates of a view that wake keys. Called only for a row that existed before and after, and has changed: additions, deletions,
 * and rows emitted again by a resync always pass. If the filter throws, the update passes. An update that does not pass still wakes the
 * keys that the row has begun, or ceased, to concern.
 *
 * @param <T> the row
 */
@FunctionalInterface
public interface UpdateFilter<T> {

    /**
     * Whether this update wakes the keys of the row. Called on the thread that delivers changes, so it must not block.
     *
     * @param before the row before the update
     * @param after the row after the update
     */
    boolean passes(T before, T after);

    /** Passes every update. */
    static <T> UpdateFilter<T> all() {
        return (before, after) -> true;
    }

    /**
     * Passes if {@code metadata.generation} has changed: the server increments it with each change of the desired state, and when deletion
     * begins, but not with a change of the status. Passes if the object has no generation.
     */
    static <T> UpdateFilter<T> generation() {
        return (before, after) -> {
            Long now = generation(after);
            return now == null || !now.equals(generation(before));
        };
    }

    private static @Nullable Long generation(Object object) {
        if (object instanceof JsonNode tree) {
            JsonNode generation = tree.path("metadata").path("generation");
            return generation.isIntegralNumber() ? (Long) generation.asLong() : null;
        }
        return PartialObjectMetadata.of(object).metadata().getGeneration();
    }

    /**
     * Passes if {@code metadata.labels} has changed. The filter throws {@link IllegalArgumentException} as {@link PartialObjectMetadata#of}
     * does.
     */
    static <T> UpdateFilter<T> labels() {
        return where(PartialObjectMetadata::labels);
    }

    /**
     * Passes if {@code metadata.annotations} has changed. The filter throws {@link IllegalArgumentException} as
     * {@link PartialObjectMetadata#of} does.
     */
    static <T> UpdateFilter<T> annotations() {
        return where(object -> {
            if (object instanceof JsonNode tree) {
                return tree.path("metadata").path("annotations");
            }
            Map<String, String> annotations = PartialObjectMetadata.of(object).metadata().getAnnotations();
            return annotations == null ? Map.of() : annotations;
        });
    }

    /** Passes if {@code part} of the row before and after the update is not equal; {@code part} may return null. */
    static <T> UpdateFilter<T> where(Function<? super T, ?> part) {
        return (before, after) -> !Objects.equals(part.apply(before), part.apply(after));
    }

    /** Passes if this or {@code other} does; {@code other} is called only if this does not pass. */
    default UpdateFilter<T> or(UpdateFilter<? super T> other) {
        return (before, after) -> passes(before, after) || other.passes(before, after);
    }

    /** Passes if both this and {@code other} do; {@code other} is called only if this passes. */
    default UpdateFilter<T> and(UpdateFilter<? super T> other) {
        return (before, after) -> passes(before, after) && other.passes(before, after);
    }
}
