package io.reactiveinformer.view;

import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a resync has yet to emit: all that the subscriber knew when the latest period passed, except those that were emitted since,
 * and those that wait as dirty rows. It behaves like a mark on each row, but costs only a position in shared rows, and one entry for each
 * row that has changed since.
 */
final class ResyncWalk<K, T> {

    private final Map<K, Versioned<T>> told;
    private Set<K> takenOut = new HashSet<>();
    private Snapshot.@Nullable Cursor<K, T> walk;

    /** The row emitted last; the walk of the next period continues after it, so that no row starves if walks last longer than a period. */
    private @Nullable K position;

    private int ahead;

    /** @param told the row that the subscriber received, if it is not the same instance as the present one */
    ResyncWalk(Map<K, Versioned<T>> told) {
        this.told = told;
    }

    /** A period has passed: every row of {@code rows} is due, once, even if it was due already. */
    void begin(Snapshot<K, T> rows) {
        walk = rows.size() == 0 ? null : position == null ? rows.cursor() : rows.cursorAfter(position);
        ahead = rows.size();
        takenOut = new HashSet<>();
    }

    /** Removes a row that is emitted for another reason. Returns whether it was due. */
    boolean takeOut(K key) {
        boolean wasDue = walk != null && walk.isAhead(key) && takenOut.add(key);
        if (wasDue) {
            emitted();
        }
        return wasDue;
    }

    /** The next row that is due; null if there is none. */
    @Nullable Change<K, T> next() {
        while (walk != null && walk.advance()) {
            K key = walk.key();
            position = key;
            if (!takenOut.remove(key)) {
                Versioned<T> row = told.getOrDefault(key, walk.row());
                emitted();
                return new Change.Updated<>(key, row, row);
            }
        }
        return null;
    }

    private void emitted() {
        ahead--;
        if (ahead == 0) {
            clear();
        }
    }

    /** How many rows are due. */
    int ahead() {
        return ahead;
    }

    void clear() {
        walk = null;
        takenOut = new HashSet<>();
        position = null;
        ahead = 0;
    }
}
