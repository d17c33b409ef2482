package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Selects the updates of a view that wake keys. Called only for a row that existed before and after, and has changed: rows that are added,
 * deleted, or emitted again by a resync always pass. If the filter throws, the update passes. An update that does not pass still wakes the
 * keys that the row has begun, or ceased, to concern.
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
     * Passes if {@code metadata.generation} has changed: the desired state, not only the reported one. The server increments it with each
     * change of the spec, and when deletion begins. Passes if the object has no generation.
     */
    static <T> UpdateFilter<T> generation() {
        return (before, after) -> {
            Long now = metadata(after).getGeneration();
            return now == null || !now.equals(metadata(before).getGeneration());
        };
    }

    /** Passes if {@code metadata.labels} has changed. */
    static <T> UpdateFilter<T> labels() {
        return where(object -> orEmpty(metadata(object).getLabels()));
    }

    /** Passes if {@code metadata.annotations} has changed. */
    static <T> UpdateFilter<T> annotations() {
        return where(object -> orEmpty(metadata(object).getAnnotations()));
    }

    private static V1ObjectMeta metadata(Object object) {
        return PartialObjectMetadata.of(object).metadata();
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> texts) {
        return texts == null ? Map.of() : texts;
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
