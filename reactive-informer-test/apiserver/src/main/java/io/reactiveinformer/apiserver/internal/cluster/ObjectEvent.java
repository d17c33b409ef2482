package io.reactiveinformer.apiserver.internal.cluster;

import org.jspecify.annotations.Nullable;

/**
 * One change of one object, as every watch of its type may see it.
 *
 * @param before null for a creation
 * @param after the new state; for a deletion the last one, with the version of the deletion
 */
public record ObjectEvent(Type type, @Nullable StoredObject before, StoredObject after) {

    /** Names as they stand on the wire. */
    public enum Type {
        ADDED, MODIFIED, DELETED
    }

    public long version() {
        return after.version();
    }

    /**
     * What a watch with a selector is told: an object that leaves the selection is deleted, in the state in which it was last part of it and with the
     * version of the change; one that enters is added.
     *
     * @return null if it is not told anything
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
        return type == Type.DELETED ? this : new ObjectEvent(Type.DELETED, before, ObjectForm.atVersion(before, after.version()));
    }
}
