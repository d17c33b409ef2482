package io.reactiveinformer.resource;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One state of one object, with its uid and resourceVersion. The uid distinguishes objects that had the same name one after the other; the
 * resourceVersion distinguishes states of one object. Both are read from the object's metadata before it is decoded, so they are known for
 * projections and trees too. Immutable.
 *
 * @param <T> the object
 */
public sealed class Versioned<T> {

    private final @Nullable Object uid; // a string, or a PackedIdentity, which includes the version
    private final @Nullable String resourceVersion;
    private final T object;

    /**
     * Creates a state.
     *
     * @param uid null if the server sends none; such objects never count as recreated
     * @param resourceVersion null if the server sends none, and for rows that were computed, not received
     * @param object read-only; shared by all readers of this state
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
     * As the constructor, but needs less memory if the caller does not keep the two strings. If both have the form that the server writes,
     * they are kept as numbers, and {@link #uid()} and {@link #resourceVersion()} create new strings at each call.
     */
    public static <T> Versioned<T> packed(@Nullable String uid, @Nullable String resourceVersion, T object) {
        PackedIdentity packed = PackedIdentity.of(uid, resourceVersion);
        return packed == null ? new Versioned<>(uid, resourceVersion, object) : new Versioned<>(packed, null, object);
    }

    /** The uid; null if the server sends none. */
    public @Nullable String uid() {
        return uid instanceof PackedIdentity packed ? packed.uid() : (String) uid;
    }

    /**
     * The resourceVersion; null if the server sends none. For a computed row, null or the version of the state that it was computed from.
     */
    public @Nullable String resourceVersion() {
        return uid instanceof PackedIdentity packed ? packed.resourceVersion() : resourceVersion;
    }

    /** The object; shared, read-only. */
    public T object() {
        return object;
    }

    /**
     * Whether this and {@code other} are the same state of the same object: their uids are equal, and their versions are present and equal.
     */
    public boolean sameVersion(Versioned<?> other) {
        return (uid instanceof PackedIdentity || resourceVersion != null) && sameIdentity(other);
    }

    private boolean sameIdentity(Versioned<?> other) {
        return uid instanceof PackedIdentity == other.uid instanceof PackedIdentity
                ? Objects.equals(uid, other.uid) && Objects.equals(resourceVersion, other.resourceVersion)
                : Objects.equals(uid(), other.uid()) && Objects.equals(resourceVersion(), other.resourceVersion());
    }

    /** Whether {@code later} is another object with the same name: both have uids, and these differ. */
    public boolean recreatedAs(Versioned<?> later) {
        if (uid instanceof PackedIdentity packed && later.uid instanceof PackedIdentity other) {
            return !packed.hasUidOf(other);
        }
        return uid != null && later.uid != null && !Objects.equals(uid(), later.uid());
    }

    /** A copy with {@code other} as the object. */
    public <R> Versioned<R> with(R other) {
        return new Versioned<>(uid, resourceVersion, other);
    }

    /** A row that was computed from this state, with its uid and resourceVersion; see {@link #computed()}. */
    public <R> Versioned<R> computed(R result) {
        return new Computed<>(uid, resourceVersion, result);
    }

    /**
     * Whether this row was computed from a state. The resourceVersion is then that of the state, but is ignored by {@code equals}: two
     * results of different versions that are equal otherwise are equal.
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

    /**
     * Whether this and {@code other} have equal uids and equal resourceVersions, so that only the objects may differ. If both are computed,
     * their versions are ignored.
     */
    public boolean sameButObject(Versioned<?> other) {
        return computed() && other.computed() ? Objects.equals(uid(), other.uid()) : sameIdentity(other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof Versioned<?> that && computed() == that.computed()
                && sameButObject(that) && Objects.equals(object, that.object);
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
