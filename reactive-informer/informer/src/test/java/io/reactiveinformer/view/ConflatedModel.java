package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Laws 1 to 8, and 11, for the latest state of each row. */
final class ConflatedModel<K, T> extends Model<K, T> {

    private record End(@Nullable DeletionCause cause, @Nullable String deletedAt) {}

    private final Map<K, Versioned<T>> received = new HashMap<>();
    private final Map<K, End> ends = new HashMap<>();
    private final LinkedHashSet<K> line = new LinkedHashSet<>();
    private final Set<K> marked = new HashSet<>(); // of those in line: come even if they go back to what is known
    private final List<K> ahead = new ArrayList<>();
    private Map<K, Versioned<T>> rows = new HashMap<>();
    private boolean begun;
    private boolean synced;
    private @Nullable String syncedVersion;
    private long added;

    private void see(Snapshot<K, T> snapshot) {
        rows = new HashMap<>();
        snapshot.forEach(rows::put);
    }

    @Override
    void begin(Snapshot<K, T> snapshot) {
        see(snapshot);
        if (!begun && snapshot.complete()) {
            begun = true;
            syncedVersion = snapshot.resourceVersion().orElse(null);
            snapshot.forEach((key, row) -> ahead.add(key));
        }
    }

    @Override
    void file(Commit<K, T> commit) {
        if (!begun) {
            begin(commit.snapshot());
            return;
        }
        see(commit.snapshot());
        for (Difference<K, T> difference : commit.differences()) {
            if (!ahead.contains(difference.key())) {
                changed(difference);
            }
        }
    }

    private void changed(Difference<K, T> difference) {
        K key = difference.key();
        Versioned<T> known = received.get(key);
        Versioned<T> row = difference.after();
        if (known != null) {
            boolean wasThere = difference.before() != null && !known.recreatedAs(difference.before());
            boolean isThere = row != null && !known.recreatedAs(row);
            if (isThere) {
                ends.remove(key);
            } else if (wasThere) {
                ends.put(key, new End(difference.cause(), difference.deletedAt()));
            }
        }
        if (due.remove(key)) {
            marked.add(key);
        }
        if (row == null ? known == null : row.equals(known) && !marked.contains(key)) {
            line.remove(key);
            marked.remove(key);
        } else {
            line.add(key);
        }
    }

    @Override
    void resync() {
        if (synced) {
            rows.keySet().forEach(key -> (line.contains(key) ? marked : due).add(key));
        }
    }

    @Override
    Change<K, T> again(K key) {
        Versioned<T> known = received.get(key);
        return new Change.Updated<>(key, known, known);
    }

    @Override
    @Nullable Change<K, T> next() {
        while (!ahead.isEmpty()) {
            K key = ahead.remove(0);
            if (rows.containsKey(key)) {
                added++;
                return tell(key, new Change.Added<>(key, rows.get(key), true));
            }
        }
        if (begun && !synced) {
            synced = true;
            return new Change.Synced<>(syncedVersion, added);
        }
        return line.isEmpty() ? null : nextInLine(line.iterator().next());
    }

    private Change<K, T> nextInLine(K key) {
        line.remove(key);
        marked.remove(key);
        Versioned<T> known = received.get(key);
        Versioned<T> row = rows.get(key);
        if (known == null) {
            return tell(key, new Change.Added<>(key, row, false));
        }
        if (row != null && !known.recreatedAs(row)) {
            return tell(key, new Change.Updated<>(key, known, row));
        }
        received.remove(key);
        if (row != null) {
            line.add(key);
        }
        End end = ends.remove(key);
        return new Change.Deleted<>(
                key,
                known,
                end == null || end.cause == null ? DeletionCause.OBSERVED : end.cause,
                end == null || end.deletedAt == null ? known.resourceVersion() : end.deletedAt);
    }

    private Change<K, T> tell(K key, Change<K, T> change) {
        received.put(key, rows.get(key));
        return change;
    }

    @Override
    long waiting() {
        return ahead.stream().filter(rows::containsKey).count() + line.size() + (begun && !synced ? 1 : 0);
    }

    @Override
    boolean overflowed() {
        return false;
    }
}
