package io.reactiveinformer.delta;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is held already. Reads never wait, and may come from any thread. */
public interface Known<T> {

    /** Nothing is held. */
    static <T> Known<T> none() {
        return new NothingKnown<>(true);
    }

    /** Nothing is held, and what is read shall share no parts with anything: each object is its receiver's own. */
    static <T> Known<T> unshared() {
        return new NothingKnown<>(false);
    }

    /**
     * The state held of {@code key}; null where there is none. Without a version where it is of another history than its part, of an earlier
     * epoch, and only held because its state in this one cannot be read: then its version proves nothing. What {@link #shares} may share with it
     * later on, so its object must never change.
     */
    @Nullable Versioned<T> find(ObjectKey key);

    /** Whether anything is to be known of {@code key}: what is not wanted need not be told, and is not decoded where that can be helped. */
    default boolean wants(ObjectKey key) {
        return true;
    }

    /** Whether there is anything that this does not {@link #wants want}. */
    default boolean selects() {
        return false;
    }

    /** Whether what is read may share parts with other objects: what is changed after it was read must not. */
    default boolean shares() {
        return true;
    }

    /** Every key held that {@code scope} covers. */
    void forEachKey(Scope scope, Consumer<ObjectKey> action);

    /** The version up to which this part of the cluster is known without a gap; null before its first complete list. */
    @Nullable String reached(Scope part);

    /** The version of the newest thing known of this part, at or beyond {@link #reached}; null before its first complete list. */
    @Nullable String heard(Scope part);
}
