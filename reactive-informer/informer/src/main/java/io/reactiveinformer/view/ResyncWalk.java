package io.reactiveinformer.view;

import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a resync has not emitted yet: all rows that the subscriber knew when the last period ended, except those that were emitted
 * since, and those that wait as dirty rows. Behaves like a mark on each row, but costs only a position in shared rows, and one entry for
 * each row that has changed since.
 */
final class ResyncWalk<K, T> {

    private final Map<K, Versioned<T>> received;
    private Set<K> takenOut = new HashSet<>();
    private Snapshot.@Nullable Cursor<K, T> walk;

    /**
     * The key of the row emitted last. The walk of the next period continues after it, so that no row starves if a walk takes longer than a
     * period.
     */
    private @Nullable K position;

    private int ahead;

    /** @param received the rows that the subscriber received, if they are other instances than the present rows */
    ResyncWalk(Map<K, Versioned<T>> received) {
        this.received = received;
    }

    /** Begins a period: each row of {@code rows} is due once, even if it was due already. */
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
                Versioned<T> row = received.getOrDefault(key, walk.row());
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

    /** The number of rows that are due. */
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
