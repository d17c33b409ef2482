package io.reactiveinformer.delta;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step from what is held to what the server has. Applying each in order, before the next is taken, keeps a store equal to the server. */
public sealed interface Delta<T> {

    /** What kind of step this is, for logs and switches. */
    enum Kind {
        UPSERTED, DELETED, UNREADABLE, REPLACED, PROGRESSED
    }

    Kind kind();

    /** The object this is about; null for {@link Replaced} and {@link Progressed}, which are about a whole part of the cluster. */
    default @Nullable ObjectKey key() {
        return null;
    }

    /** The part of the cluster this came from. */
    Scope scope();

    /**
     * The version up to which nothing of the part is missing once this is applied; null where that is not known. It is behind the version of
     * the object itself while something older of another object waits in line, and ahead of it where something newer was told before.
     */
    @Nullable String completeTo();

    /** Created or modified. */
    record Upserted<T>(Scope scope, ObjectKey key, Versioned<T> entry, @Nullable String completeTo) implements Delta<T> {

        /** With nothing older in line. */
        public Upserted(Scope scope, ObjectKey key, Versioned<T> entry) {
            this(scope, key, entry, entry.resourceVersion());
        }

        @Override
        public Kind kind() {
            return Kind.UPSERTED;
        }
    }

    /**
     * Not there any more.
     *
     * @param last the last state: as the server told it where {@code OBSERVED}, else as we knew it
     */
    record Deleted<T>(Scope scope, ObjectKey key, Versioned<T> last, DeletionCause cause, @Nullable String completeTo) implements Delta<T> {

        /** With nothing older in line. */
        public Deleted(Scope scope, ObjectKey key, Versioned<T> last, DeletionCause cause) {
            this(scope, key, last, cause, cause == DeletionCause.OBSERVED ? last.resourceVersion() : null);
        }

        @Override
        public Kind kind() {
            return Kind.DELETED;
        }
    }

    /**
     * There is a newer state that could not be read: what is held stays, and is stale from now on.
     *
     * @param deleted whether that state was the object's last, where nothing was ever held of it; then it is stale no more
     */
    record Unreadable<T>(
            Scope scope,
            ObjectKey key,
            @Nullable String resourceVersion,
            UnreadableObjectException failure,
            boolean deleted,
            @Nullable String completeTo)
            implements Delta<T> {

        /** Of an object that may still be there, with nothing older in line. */
        public Unreadable(Scope scope, ObjectKey key, @Nullable String resourceVersion, UnreadableObjectException failure) {
            this(scope, key, resourceVersion, failure, false, resourceVersion);
        }

        @Override
        public Kind kind() {
            return Kind.UNREADABLE;
        }
    }

    /**
     * A complete list, as its differences from what was held. They happened at one instant for whoever reads, and are shown all at once.
     *
     * @param differences {@link Upserted}, {@link Deleted} and {@link Unreadable}, at most one a key
     * @param newEpoch whether the server's history is another one than before
     */
    record Replaced<T>(Scope scope, List<Delta<T>> differences, String resourceVersion, boolean newEpoch) implements Delta<T> {
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
    record Progressed<T>(Scope scope, String resourceVersion) implements Delta<T> {
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
