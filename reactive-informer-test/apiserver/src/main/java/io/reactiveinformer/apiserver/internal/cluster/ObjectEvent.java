package io.reactiveinformer.apiserver.internal.cluster;

import org.jspecify.annotations.Nullable;

/**
 * One change of one object, shared by all watches of its type.
 *
 * @param before null for a creation
 * @param after the new state; for a deletion the last one, with the version of the deletion
 */
public record ObjectEvent(Type type, @Nullable StoredObject before, StoredObject after) {

    /** The names on the wire. */
    public enum Type {
        ADDED, MODIFIED, DELETED
    }

    /** The version of the change. */
    public long version() {
        return after.version();
    }

    /**
     * The event that a watch of this selection receives: an object that leaves the selection is deleted, in its last state within it and
     * with the version of the change; one that enters is added.
     *
     * @return null if the watch receives no event
     */
    public @Nullable ObjectEvent seenBy(Selection selection) {
        boolean had = before != null && selection.matches(before);
        boolean has = type != Type.DELETED && selection.matches(after);
        if (had && has) {
            return this;
        }
        if (has) {
            return before == null ? this : new ObjectEvent(Type.ADDED, null, after);
        }
        if (!had || before == null) {
            return null;
        }
        return type == Type.DELETED ? this : new ObjectEvent(Type.DELETED, before, before.atVersion(after.version()));
    }
}
