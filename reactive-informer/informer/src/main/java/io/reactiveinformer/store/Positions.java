package io.reactiveinformer.store;

import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.trie.HashTrie;
import io.reactiveinformer.internal.trie.TrieWalk;
import io.reactiveinformer.resource.Namespaces;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The version up to which each part is known. Immutable. */
final class Positions {

    private static final Position UNKNOWN = new Position(null, null, Extent.SOME, false);

    /** How much of a part is cached. */
    private enum Extent {
        /** Only the objects that were received so far. */
        SOME,
        /** The objects that an earlier process had cached. The server has not confirmed yet that later changes were received. */
        RESTORED,
        /** All objects were listed, and none of them could be read, so that nothing is known of their state. */
        UNREAD,
        /** All objects. */
        ALL
    }

    /**
     * @param received the newest version received of the part; null before the first
     * @param reached the version up to which all changes of the cached objects were received
     * @param excused whether the part counts as complete before it is listed
     */
    private record Position(@Nullable String received, @Nullable String reached, Extent extent, boolean excused) {

        boolean listed() {
            return extent == Extent.ALL;
        }

        Position completeAt(String version) {
            return new Position(later(received, version), later(reached, version), Extent.ALL, false);
        }
    }

    private final Namespaces namespaces;
    private final HashTrie<Namespaces, Position> parts;
    private final boolean complete;

    private Positions(Namespaces namespaces, HashTrie<Namespaces, Position> parts, boolean complete) {
        this.namespaces = namespaces;
        this.parts = parts;
        this.complete = complete;
    }

    /** Positions at which no part of {@code namespaces} is known. Complete at once if there are no namespaces. */
    static Positions unknown(Namespaces namespaces) {
        return over(namespaces, HashTrie.empty());
    }

    /** Positions of rows from several sources, so that there is no single version up to which they are known. */
    static Positions several(boolean complete) {
        return new Positions(Namespaces.of(List.of()), HashTrie.empty(), complete);
    }

    Namespaces namespaces() {
        return namespaces;
    }

    /** Whether every part has been listed, or counts as complete. */
    boolean complete() {
        return complete;
    }

    boolean listed(Namespaces part) {
        return position(part).listed();
    }

    /** Whether a state of all of {@code part} is cached, though maybe of an earlier process. */
    boolean hasState(Namespaces part) {
        return listed(part) || position(part).extent == Extent.RESTORED;
    }

    /** The newest version that was received of {@code part}, listed or not; null before the first. */
    @Nullable String received(Namespaces part) {
        return position(part).received;
    }

    /** The version up to which all changes of the cached objects of {@code part} were received, listed or not; null if there is none. */
    @Nullable String reached(Namespaces part) {
        return position(part).reached;
    }

    /** The version up to which {@code part} is completely known; null before its first list. */
    @Nullable String completeTo(Namespaces part) {
        Position position = position(part);
        return position.listed() ? position.reached : null;
    }

    /** The single version up to which all parts are known; null if there are several parts, or none, or if they are not complete. */
    @Nullable String completeTo() {
        TrieWalk<Namespaces, Position> walk = parts.walk();
        return complete && parts.size() == 1 && walk.advance() && walk.value().listed() ? walk.value().reached : null;
    }

    /** Whether {@code part} is among the namespaces; all namespaces accept every part. */
    boolean accepts(Namespaces part) {
        return namespaces.isAll() || !part.isAll() && namespaces.names().containsAll(part.names());
    }

    /**
     * The positions after an object of {@code part} changed in version {@code received}, and all changes up to {@code completeTo} were
     * received. If the part was restored, earlier changes may be missing.
     */
    Positions moved(Namespaces part, @Nullable String received, @Nullable String completeTo) {
        Position position = position(part);
        var next = new Position(later(position.received, ResourceVersion.newest(received, completeTo)),
                later(position.reached, completeTo), position.extent, position.excused);
        if (next.equals(position)) {
            return this;
        }
        HashTrie<Namespaces, Position> moved = parts.with(part, next);
        return moved.size() > parts.size() ? over(namespaces, moved) : new Positions(namespaces, moved, complete);
    }

    /**
     * The positions after all changes of {@code part} up to version {@code version} were received. A restored part is complete then: the
     * server has continued from the restored version.
     */
    Positions progressed(Namespaces part, String version) {
        Position position = position(part);
        if (position.extent != Extent.RESTORED || ResourceVersion.isNewer(position.reached, version)) {
            return moved(part, version, version);
        }
        return over(namespaces, parts.with(part, position.completeAt(version)));
    }

    /** The positions after the objects of {@code part} that were cached at {@code version} were restored. */
    Positions restored(Namespaces part, String version) {
        return over(namespaces, parts.with(part, new Position(version, version, Extent.RESTORED, false)));
    }

    /** The positions if {@code part} counts as complete from now on, whatever is cached of it; no effect once it was listed. */
    Positions excused(Namespaces part) {
        Position position = position(part);
        return position.listed() || position.excused
                ? this
                : over(namespaces, parts.with(part, new Position(position.received, position.reached, position.extent, true)));
    }

    /**
     * The positions after the complete state of {@code part} at {@code version} was received. In a new epoch, earlier versions do not
     * count.
     */
    Positions listed(Namespaces part, String version, boolean newEpoch) {
        Position before = newEpoch ? UNKNOWN : position(part);
        return over(namespaces, parts.with(part, before.completeAt(version)));
    }

    /**
     * The positions after a first list of {@code part} at {@code version}, of which no object could be read. A part that counts as complete
     * still does: subscribers to the other parts have received that it is.
     */
    Positions unread(Namespaces part, String version) {
        return over(namespaces, parts.with(part, new Position(version, version, Extent.UNREAD, position(part).excused)));
    }

    /** Whether all objects of {@code part} were listed, and none of them could be read. */
    boolean isUnread(Namespaces part) {
        return position(part).extent == Extent.UNREAD;
    }

    /** The positions after an object of {@code part}, of which none could be read, was read after all, or the last of them is gone. */
    Positions read(Namespaces part) {
        Position position = position(part);
        return over(namespaces, parts.with(part, new Position(position.received, position.reached, Extent.ALL, false)));
    }

    /** The later version {@code version}, unless it is known to be no newer than {@code before}. */
    private static @Nullable String later(@Nullable String before, @Nullable String version) {
        return version == null || ResourceVersion.isAtMost(version, before) ? before : version;
    }

    /** A copy for other namespaces; parts that these do not have are dropped. */
    Positions over(Namespaces other) {
        HashTrie<Namespaces, Position> kept = HashTrie.empty();
        for (Namespaces part : other.parts()) {
            Position position = parts.get(part);
            kept = position == null ? kept : kept.with(part, position);
        }
        return over(other, kept);
    }

    private static Positions over(Namespaces namespaces, HashTrie<Namespaces, Position> parts) {
        boolean[] complete = {parts.size() >= (namespaces.isAll() ? 1 : namespaces.names().size())};
        parts.forEach((part, position) -> complete[0] &= position.listed() || position.excused);
        return new Positions(namespaces, parts, complete[0]);
    }

    private Position position(Namespaces part) {
        Position position = parts.get(part);
        return position == null ? UNKNOWN : position;
    }
}
