package io.reactiveinformer.controller;

import java.util.Objects;
import java.util.function.Function;

/**
 * Which updates are worth a look. Only ever asked about a row that was there before and is after, and has changed: what is added, deleted, or told again in a
 * resync always passes. One that throws passes too.
 */
@FunctionalInterface
public interface ChangeFilter<T> {

    /** Called on the thread that delivers changes, so it must not block. */
    boolean passes(T before, T after);

    /** All of them. */
    static <T> ChangeFilter<T> all() {
        return (before, after) -> true;
    }

    /**
     * What is desired has changed, not only what is reported: the server counts {@code metadata.generation} up with each change of the spec, and when deletion
     * begins. Passes where objects have no generation.
     */
    static <T> ChangeFilter<T> generation() {
        return (before, after) -> {
            Long now = Metadata.of(after).generation();
            return now == null || !now.equals(Metadata.of(before).generation());
        };
    }

    static <T> ChangeFilter<T> labels() {
        return where(object -> Metadata.of(object).labels());
    }

    static <T> ChangeFilter<T> annotations() {
        return where(object -> Metadata.of(object).annotations());
    }

    /** {@code part} is not equal any more. */
    static <T> ChangeFilter<T> where(Function<? super T, ?> part) {
        return (before, after) -> !Objects.equals(part.apply(before), part.apply(after));
    }

    default ChangeFilter<T> or(ChangeFilter<? super T> other) {
        return (before, after) -> passes(before, after) || other.passes(before, after);
    }

    default ChangeFilter<T> and(ChangeFilter<? super T> other) {
        return (before, after) -> passes(before, after) && other.passes(before, after);
    }
}
