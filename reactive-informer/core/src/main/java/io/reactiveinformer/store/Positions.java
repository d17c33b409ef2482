package io.reactiveinformer.store;

import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.trie.HashTrie;
import io.reactiveinformer.internal.trie.TrieWalk;
import io.reactiveinformer.resource.Namespaces;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Up to which version each part is known. Immutable. */
final class Positions {

    private static final Position UNKNOWN = new Position(null, null, Extent.SOME);

    /** How much of a part is cached. */
    private enum Extent {
        /** Only objects that happened to be received. */
        SOME,
        /** What an earlier process had cached; the server has not confirmed yet that nothing since then is missing. */
        RESTORED,
        /** Everything. */
        ALL
    }

    /**
     * @param heard the newest version received of the part; null before the first
     * @param reached the version before which nothing is missing, as far as the part was cached to begin with
     */
    private record Position(@Nullable String heard, @Nullable String reached, Extent extent) {

        boolean listed() {
            return extent == Extent.ALL;
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

    /** Nothing is known of any part of {@code namespaces} yet. No namespaces is complete at once. */
    static Positions unknown(Namespaces namespaces) {
        return over(namespaces, HashTrie.empty());
    }

    /** For rows that come from several sources, so that there is no single version up to which they are known. */
    static Positions several(boolean complete) {
        return new Positions(Namespaces.of(List.of()), HashTrie.empty(), complete);
    }

    Namespaces namespaces() {
        return namespaces;
    }

    /** Whether every part has been listed. */
    boolean complete() {
        return complete;
    }

    boolean listed(Namespaces part) {
        return position(part).listed();
    }

    /** The newest version received of {@code part}, listed or not. */
    @Nullable String heard(Namespaces part) {
        return position(part).heard;
    }

    /** The version up to which nothing of {@code part} is missing of what was received since it was first cached, listed or not. */
    @Nullable String reached(Namespaces part) {
        return position(part).reached;
    }

    /** The version up to which {@code part} is completely known; null before its first list. */
    @Nullable String completeTo(Namespaces part) {
        Position position = position(part);
        return position.listed() ? position.reached : null;
    }

    /** The one version up to which everything is known; null if there are several parts, or none, or if this is not complete. */
    @Nullable String completeTo() {
        TrieWalk<Namespaces, Position> walk = parts.walk();
        return complete && parts.size() == 1 && walk.advance() ? walk.value().reached : null;
    }

    /** Whether {@code part} is among the namespaces; all namespaces accept every part. */
    boolean accepts(Namespaces part) {
        return namespaces.isAll() || !part.isAll() && namespaces.names().containsAll(part.names());
    }

    /**
     * An object of {@code part} changed in version {@code heard}, and nothing up to {@code completeTo} is missing. If the part was
     * restored, there may be earlier changes that were not received.
     */
    Positions moved(Namespaces part, @Nullable String heard, @Nullable String completeTo) {
        Position position = position(part);
        var next = new Position(later(position.heard, ResourceVersion.newest(heard, completeTo)),
                later(position.reached, completeTo), position.extent);
        if (next.equals(position)) {
            return this;
        }
        HashTrie<Namespaces, Position> moved = parts.with(part, next);
        return moved.size() > parts.size() ? over(namespaces, moved) : new Positions(namespaces, moved, complete);
    }

    /** Nothing of {@code part} up to version {@code told} is missing: if the part was restored, the server has continued from there. */
    Positions progressed(Namespaces part, String told) {
        Position position = position(part);
        if (position.extent != Extent.RESTORED || ResourceVersion.isNewer(position.reached, told)) {
            return moved(part, told, told);
        }
        return over(namespaces, parts.with(part, new Position(later(position.heard, told), later(position.reached, told), Extent.ALL)));
    }

    /** What was cached of {@code part} at {@code version} is cached again. */
    Positions restored(Namespaces part, String version) {
        return over(namespaces, parts.with(part, new Position(version, version, Extent.RESTORED)));
    }

    /** The complete state of {@code part} at {@code version} was received. In a new epoch older versions prove nothing. */
    Positions listed(Namespaces part, String version, boolean newEpoch) {
        Position before = newEpoch ? UNKNOWN : position(part);
        return over(namespaces, parts.with(part, new Position(later(before.heard, version), later(before.reached, version), Extent.ALL)));
    }

    /** {@code told}, which was received later, unless it is known to be not newer. */
    private static @Nullable String later(@Nullable String held, @Nullable String told) {
        return told == null || ResourceVersion.isAtMost(told, held) ? held : told;
    }

    /** The same for other namespaces: parts that it does not have are dropped. */
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
        parts.forEach((part, position) -> complete[0] &= position.listed());
        return new Positions(namespaces, parts, complete[0]);
    }

    private Position position(Namespaces part) {
        Position position = parts.get(part);
        return position == null ? UNKNOWN : position;
    }
}
