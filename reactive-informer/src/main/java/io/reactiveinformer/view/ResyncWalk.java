package io.reactiveinformer.view;

import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells each row again, as it was when this began; except those that have changed since, which are told anyway. */
final class ResyncWalk<K, T> {

    private final Snapshot.Cursor<K, T> walk;
    private final Map<K, Versioned<T>> told;
    private final Set<K> takenOut = new HashSet<>();
    private int ahead;
    private boolean begun;
    private boolean repeats;

    /** @param told what the subscriber was told of a row, where that is not the very row */
    ResyncWalk(Snapshot<K, T> rows, Map<K, Versioned<T>> told) {
        this.walk = rows.cursor();
        this.told = told;
        ahead = rows.size();
    }

    /** The row is told otherwise. Returns whether it was still to be told here. */
    boolean takeOut(K key) {
        boolean wasAhead = walk.isAhead(key) && takenOut.add(key);
        ahead -= wasAhead ? 1 : 0;
        return wasAhead;
    }

    @Nullable Change<K, T> next() {
        while (ahead > 0 && walk.advance()) {
            if (!takenOut.remove(walk.key())) {
                ahead--;
                begun = true;
                Versioned<T> row = told.getOrDefault(walk.key(), walk.row());
                return new Change.Updated<>(walk.key(), row, row);
            }
        }
        return null;
    }

    /** Another resync is due. Rows that this one has yet to tell are told for both. */
    void repeat() {
        repeats |= begun;
    }

    boolean repeats() {
        return repeats;
    }

    int ahead() {
        return ahead;
    }
}
