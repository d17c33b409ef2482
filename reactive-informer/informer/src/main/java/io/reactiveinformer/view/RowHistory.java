package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The present rows, and the last steps that led to them, as many as are retained. They can be undone. Not thread-safe. */
final class RowHistory<K, T> {

    private final Retention retention;
    private final ArrayDeque<Step<K, T>> steps = new ArrayDeque<>();
    private Snapshot<K, T> rows;
    private int changes;
    private long first;
    private long since;

    /**
     * The changes that became visible together.
     *
     * @param before the revision of the last change before them
     * @param at when they were received, in milliseconds
     */
    record Step<K, T>(long before, long at, List<Difference<K, T>> differences) {}

    /**
     * Steps that follow one another, oldest first. Immutable.
     *
     * @param rows the rows after them
     */
    record Steps<K, T>(Snapshot<K, T> rows, List<Step<K, T>> steps) {

        /** The rows before the steps. */
        Snapshot<K, T> undone() {
            Table<K, T> table = Table.startingWith(rows);
            for (int i = steps.size() - 1; i >= 0; i--) {
                for (Difference<K, T> difference : steps.get(i).differences) {
                    Versioned<T> before = difference.before();
                    if (before == null) {
                        table.remove(difference.key(), DeletionCause.OBSERVED, null);
                    } else {
                        table.put(difference.key(), before, DeletionCause.OBSERVED);
                    }
                }
            }
            return table.commit(true).snapshot();
        }

        /** What they come to, by row. */
        List<Change<K, T>> conflated() {
            Map<K, Difference<K, T>> all = new LinkedHashMap<>();
            steps.forEach(step -> step.differences.forEach(difference -> all.merge(difference.key(), difference, CommitBatch::both)));
            List<Change<K, T>> changes = new ArrayList<>(all.size());
            for (Difference<K, T> one : all.values()) {
                for (@Nullable Difference<K, T> rest = one.isNothing() ? null : one; rest != null; rest = DifferenceToChange.rest(rest)) {
                    changes.add(DifferenceToChange.first(rest, false));
                }
            }
            return List.copyOf(changes);
        }
    }

    /**
     * @param rows the first rows
     * @param head the revision of the last of them
     * @param now the time in milliseconds
     */
    RowHistory(Retention retention, Snapshot<K, T> rows, long head, long now) {
        this.retention = retention;
        this.rows = rows;
        this.first = head;
        this.since = now;
    }

    /** @param before the revision of the last change before this commit */
    void add(Commit<K, T> commit, long before, long now) {
        rows = commit.snapshot();
        if (!commit.differences().isEmpty()) {
            steps.add(new Step<>(before, now, commit.differences()));
            changes += commit.differences().size();
        }
    }

    void forget(long now) {
        for (Step<K, T> oldest = steps.peek(); oldest != null; oldest = steps.peek()) {
            if (changes <= retention.history() && Duration.ofMillis(now - oldest.at).compareTo(retention.time()) < 0) {
                return;
            }
            steps.remove();
            changes -= oldest.differences.size();
            first = oldest.before + 1; // the first revision that is of the moment after this step
            since = oldest.at;
        }
    }

    /** The time in milliseconds from which on the rows are known. */
    long since() {
        return since;
    }

    /**
     * The steps between two revisions, each of which counts as the moment when its step was complete. Empty if the rows are not known for
     * one of them, or if the first is the later one.
     */
    Optional<Steps<K, T>> between(long from, long to) {
        if (from < first || to < from) {
            return Optional.empty();
        }
        ArrayDeque<Step<K, T>> between = new ArrayDeque<>();
        for (Iterator<Step<K, T>> back = steps.descendingIterator(); back.hasNext(); ) {
            Step<K, T> step = back.next();
            if (step.before < from) {
                break;
            }
            if (step.before < to) {
                between.addFirst(step);
            }
        }
        return Optional.of(new Steps<>(rows, List.copyOf(between)));
    }
}
