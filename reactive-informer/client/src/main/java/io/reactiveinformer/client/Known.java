package io.reactiveinformer.client;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The cached state with which events are compared. Reads never wait, and any thread may read. */
public interface Known<T> {

    /** Nothing is cached. */
    static <T> Known<T> none() {
        return new Known<>() {
            @Override
            public @Nullable Versioned<T> find(ObjectKey key) {
                return null;
            }

            @Override
            public void forEachKey(Namespaces part, Consumer<ObjectKey> action) {}

            @Override
            public @Nullable String reached(Namespaces part) {
                return null;
            }

            @Override
            public @Nullable String received(Namespaces part) {
                return null;
            }
        };
    }

    /**
     * The cached state of {@code key}; null if there is none. It has no resourceVersion if it is of an earlier epoch than its part, and is
     * cached only because its state in the current epoch cannot be read: its version would prove nothing. Objects read later may share
     * parts with it, so its object must never change.
     */
    @Nullable Versioned<T> find(ObjectKey key);

    /** Calls {@code action} with each cached key that {@code part} covers, in no particular order. */
    void forEachKey(Namespaces part, Consumer<ObjectKey> action);

    /** The objects whose newest state could not be read, so that an older state, or none, is cached. None by default. */
    default Map<ObjectKey, Stale> stale() {
        return Map.of();
    }

    /** The version up to which this part of the cluster is known without a gap; null before its first complete list. */
    @Nullable String reached(Namespaces part);

    /** The newest version received of this part, at or beyond {@link #reached}; null before its first complete or restored state. */
    @Nullable String received(Namespaces part);

    /**
     * Why an object, or a row that was derived from it, is stale.
     *
     * @param resourceVersion the version of the state that could not be read; null if it is unknown
     * @param reason what was expected at which place in the object, or what a function threw; never contains the body of the object
     */
    public record Stale(@Nullable String resourceVersion, String reason) {}
}
