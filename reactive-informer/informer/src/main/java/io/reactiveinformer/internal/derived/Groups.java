package io.reactiveinformer.internal.derived;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Derives one row for each group of rows: a snapshot of the group. A group without rows has no row. */
public final class Groups<K, T, G> implements Derivation<G, Snapshot<K, T>> {

    private final SourceChanges<K, T> changes;
    private final RowFunction guard = new RowFunction("group");
    private final Function<? super T, ? extends Optional<G>> groupOf;
    private final Map<K, G> groups = new HashMap<>();
    private final Map<G, Table<K, T>> tables = new HashMap<>();

    /** @param groupOf the group of a row; empty for none */
    public Groups(SourceChanges<K, T> changes, Function<? super T, ? extends Optional<G>> groupOf) {
        this.changes = changes;
        this.groupOf = groupOf;
    }

    @Override
    public RowFunction functions() {
        return guard;
    }

    @Override
    public @Nullable Commit<G, Snapshot<K, T>> derive(Table<G, Snapshot<K, T>> table) {
        Commit<K, T> batch = changes.take();
        if (batch == null) {
            return null;
        }
        Set<G> touched = new LinkedHashSet<>();
        batch.differences().forEach(difference -> move(difference, touched));
        for (G group : touched) {
            Commit<K, T> commit = table(group).commitAsOf(batch.snapshot());
            Snapshot<K, T> rows = commit.snapshot();
            if (commit.differences().isEmpty()) {
                continue; // a row returned to its last good state
            }
            if (rows.size() > 0) {
                table.put(group, new Versioned<>(null, null, rows), DeletionCause.OBSERVED);
            } else {
                tables.remove(group);
                table.remove(group, DeletionCause.LEFT, null);
            }
        }
        return table.commitAsOf(batch.snapshot());
    }

    private void move(Difference<K, T> difference, Set<G> touched) {
        K key = difference.key();
        Versioned<T> row = difference.after();
        G from = groups.get(key);
        Optional<Optional<G>> answer = row == null ? Optional.of(Optional.empty()) : guard.call(key, () -> groupOf(row, from));
        if (row == null) {
            guard.forget(key);
        }
        if (answer.isEmpty() && !(from != null && difference.before() != null && row != null && difference.before().recreatedAs(row))) {
            return; // the function failed: the last good row stays
        }
        G to = answer.flatMap(group -> group).orElse(null);
        if (from != null && !from.equals(to)) {
            groups.remove(key);
            touched.add(from);
            table(from).remove(key, DeletionCause.LEFT, null);
        }
        if (to != null && row != null) {
            groups.put(key, to);
            touched.add(to);
            table(to).put(key, row, DeletionCause.OBSERVED);
        }
    }

    /**
     * The group of a row. Also calls {@code hashCode} and {@code equals} of the group: if they throw, that is a failure of this row only.
     */
    private Optional<G> groupOf(Versioned<T> row, @Nullable G from) {
        Optional<G> group = groupOf.apply(row.object()).map(same -> same);
        if (group.isPresent() && !group.get().equals(from)) {
            tables.get(group.get());
        }
        return group;
    }

    /** The number of rows and groups that are kept. */
    public int remembered() {
        return groups.size() + tables.size();
    }

    private Table<K, T> table(G group) {
        return tables.computeIfAbsent(group, absent -> Table.create());
    }
}
