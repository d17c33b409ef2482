package io.reactiveinformer.delta;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step from the cached state to the server's state. A store that applies each delta, in order, before it requests the next one, stays
 * equal to the server.
 */
public sealed interface Delta<T> {

    /** The kinds of deltas, for logs and switches: one for each record. */
    enum Kind {
        /** {@link Upserted}. */
        UPSERTED,
        /** {@link Deleted}. */
        DELETED,
        /** {@link Unreadable}. */
        UNREADABLE,
        /** {@link Replaced}. */
        REPLACED,
        /** {@link Progressed}. */
        PROGRESSED
    }

    /** Which of the five records this is. */
    Kind kind();

    /** The key of the object; null for {@link Replaced} and {@link Progressed}, which are about a whole part of the cluster. */
    default @Nullable ObjectKey key() {
        return null;
    }

    /** The part of the cluster that this came from. */
    Namespaces part();

    /**
     * The version up to which nothing of the part is missing once this is applied; null if that is not known. It is behind the version of
     * the object itself while an older event of another object is queued, and ahead of it if a newer event was delivered before.
     */
    @Nullable String completeTo();

    /** An object was created or modified. */
    record Upserted<T>(Namespaces part, ObjectKey key, Versioned<T> entry, @Nullable String completeTo) implements Delta<T> {

        /** With no older event queued: complete up to the version of {@code entry}. */
        public Upserted(Namespaces part, ObjectKey key, Versioned<T> entry) {
            this(part, key, entry, entry.resourceVersion());
        }

        @Override
        public Kind kind() {
            return Kind.UPSERTED;
        }
    }

    /**
     * An object is no longer there.
     *
     * @param last the last state: as the server sent it if {@code OBSERVED}, else as it was cached
     */
    record Deleted<T>(Namespaces part, ObjectKey key, Versioned<T> last, DeletionCause cause, @Nullable String completeTo)
            implements Delta<T> {

        /** With no older event queued: complete up to the version of {@code last} if {@code OBSERVED}, else unknown. */
        public Deleted(Namespaces part, ObjectKey key, Versioned<T> last, DeletionCause cause) {
            this(part, key, last, cause, cause == DeletionCause.OBSERVED ? last.resourceVersion() : null);
        }

        @Override
        public Kind kind() {
            return Kind.DELETED;
        }
    }

    /**
     * An object has a newer state that could not be read: the cached state stays, and is stale from now on.
     *
     * @param resourceVersion the version of the unreadable state; null if not even that could be read
     * @param deleted whether that state was the last one of an object of which nothing is cached; the object is then no longer stale
     */
    record Unreadable<T>(
            Namespaces part,
            ObjectKey key,
            @Nullable String resourceVersion,
            UnreadableObjectException failure,
            boolean deleted,
            @Nullable String completeTo)
            implements Delta<T> {

        /** Of an object that may still be there, with no older event queued: complete up to {@code resourceVersion}. */
        public Unreadable(Namespaces part, ObjectKey key, @Nullable String resourceVersion, UnreadableObjectException failure) {
            this(part, key, resourceVersion, failure, false, resourceVersion);
        }

        @Override
        public Kind kind() {
            return Kind.UNREADABLE;
        }
    }

    /**
     * A complete list, as its differences from the cached state. They become visible to readers all at once.
     *
     * @param differences {@link Upserted}, {@link Deleted} and {@link Unreadable}, at most one a key
     * @param resourceVersion the version of the list
     * @param newEpoch whether the server's history is another one than before
     */
    record Replaced<T>(Namespaces part, List<Delta<T>> differences, String resourceVersion, boolean newEpoch) implements Delta<T> {
        @Override
        public String completeTo() {
            return resourceVersion;
        }

        @Override
        public Kind kind() {
            return Kind.REPLACED;
        }
    }

    /** Nothing of the part up to this version is missing. */
    record Progressed<T>(Namespaces part, String resourceVersion) implements Delta<T> {
        @Override
        public String completeTo() {
            return resourceVersion;
        }

        @Override
        public Kind kind() {
            return Kind.PROGRESSED;
        }
    }
}
