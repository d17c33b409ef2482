package io.reactiveinformer.resource;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One state of one object. The uid tells one life of a name from the next, the resourceVersion one state from the next; both are read from
 * the object's metadata before it is decoded, so they are known of projections and trees too.
 */
public sealed class Versioned<T> {

    private final @Nullable Object uid; // a string; where it is packed, the version is within
    private final @Nullable String resourceVersion;
    private final T object;

    /**
     * A state.
     *
     * @param uid null where the server gives none; such objects are never taken for recreated ones
     * @param resourceVersion null where the server gives none, and for rows that were computed rather than received
     * @param object read-only, and shared by all who see this state
     */
    public Versioned(@Nullable String uid, @Nullable String resourceVersion, T object) {
        this((Object) uid, resourceVersion, object);
    }

    private Versioned(@Nullable Object uid, @Nullable String resourceVersion, T object) {
        this.uid = uid;
        this.resourceVersion = resourceVersion;
        this.object = object;
    }

    /**
     * The same in less room, where nobody else holds these strings: they are made again whenever they are asked for, if both are as the server writes
     * them.
     */
    public static <T> Versioned<T> packed(@Nullable String uid, @Nullable String resourceVersion, T object) {
        PackedIdentity packed = PackedIdentity.of(uid, resourceVersion);
        return packed == null ? new Versioned<>(uid, resourceVersion, object) : new Versioned<>(packed, null, object);
    }

    /** Null where the server gives none. */
    public @Nullable String uid() {
        return uid instanceof PackedIdentity packed ? packed.uid() : (String) uid;
    }

    /** Null where the server gives none, and for rows that were computed. */
    public @Nullable String resourceVersion() {
        return uid instanceof PackedIdentity packed ? packed.resourceVersion() : resourceVersion;
    }

    /** Read-only. */
    public T object() {
        return object;
    }

    /** Whether the two are the same state of the same object: equal uids and equal, present versions. */
    public boolean sameVersion(Versioned<?> other) {
        return (uid instanceof PackedIdentity || resourceVersion != null) && sameIdentity(other);
    }

    private boolean sameIdentity(Versioned<?> other) {
        return uid instanceof PackedIdentity == other.uid instanceof PackedIdentity
                ? Objects.equals(uid, other.uid) && Objects.equals(resourceVersion, other.resourceVersion)
                : Objects.equals(uid(), other.uid()) && Objects.equals(resourceVersion(), other.resourceVersion());
    }

    /** Whether {@code later} is another object under the same name: both have uids, and these differ. */
    public boolean recreatedAs(Versioned<?> later) {
        if (uid instanceof PackedIdentity packed && later.uid instanceof PackedIdentity other) {
            return !packed.hasUidOf(other);
        }
        return uid != null && later.uid != null && !Objects.equals(uid(), later.uid());
    }

    /** The same state, seen as something else. */
    public <R> Versioned<R> with(R other) {
        return new Versioned<>(uid, resourceVersion, other);
    }

    /** What was computed from this state: {@link #computed}. */
    public <R> Versioned<R> computed(R result) {
        return new Computed<>(uid, resourceVersion, result);
    }

    /**
     * Whether this was computed from a state, and is none itself. The version says from which, but is no part of it: two results of different versions that
     * are equal otherwise are equal.
     */
    public boolean computed() {
        return false;
    }

    private static final class Computed<T> extends Versioned<T> {

        Computed(@Nullable Object uid, @Nullable String resourceVersion, T object) {
            super(uid, resourceVersion, object);
        }

        @Override
        public boolean computed() {
            return true;
        }
    }

    /** Whether only the objects may differ: of one uid, and of one version, which does not matter between two that were computed. */
    public boolean sameButObject(Versioned<?> other) {
        return computed() && other.computed() ? Objects.equals(uid(), other.uid()) : sameIdentity(other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof Versioned<?> that && computed() == that.computed() && sameButObject(that) && Objects.equals(object, that.object);
    }

    @Override
    public int hashCode() {
        return Objects.hash(uid(), computed() ? null : resourceVersion(), object);
    }

    @Override
    public String toString() {
        return "Versioned[uid=" + uid() + ", resourceVersion=" + resourceVersion() + ", object=" + object + "]";
    }
}
