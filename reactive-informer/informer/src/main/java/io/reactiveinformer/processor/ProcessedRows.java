package io.reactiveinformer.processor;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.processor.ProcessorStatus.Failing;
import io.reactiveinformer.resource.Versioned;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which state of each row is finished, and which is the newest. A row is behind if these differ, or if work has begun whose effect is not
 * known. Thread-safe.
 */
final class ProcessedRows<K, T> {

    private final boolean brief;
    private final Map<K, Row<T>> rows = new HashMap<>(); // guarded by this, as is all else
    /** Those that are behind, in the order in which they got there. */
    private final Map<K, Row<T>> behind = new LinkedHashMap<>();
    private int following;
    private int initial = -1;
    private int failing;

    /** Guarded by the table. */
    private static final class Row<T> {

        @Nullable Versioned<@Nullable T> finished; // without an object if an earlier process has finished it
        @Nullable Versioned<@Nullable T> begun; // a state whose work may have had an effect
        @Nullable Versioned<T> now;
        @Nullable DeletionCause cause;
        boolean restored; // an earlier process has finished it, whose view may have been ahead of this one
        int seenIn;
        boolean initial;
        long since;
        @Nullable Throwable failure;
        long nextTry;

        boolean isBehind() {
            return begun != null || (now == null ? finished != null : finished == null || !isFinished(now, finished));
        }

        private boolean isFinished(Versioned<T> state, Versioned<@Nullable T> last) {
            if (last.recreatedAs(state)) {
                return false;
            }
            return restored ? !state.computed() && ResourceVersion.isAtMost(state.resourceVersion(), last.resourceVersion())
                    : last.object() == null ? !state.computed() && state.sameVersion(last) : state.equals(last);
        }

        /** What this row was, as far as its effect is concerned. */
        @Nullable Versioned<@Nullable T> former() {
            return finished == null ? begun : finished;
        }
    }

    ProcessedRows(boolean brief) {
        this.brief = brief;
    }

    /**
     * A row as an earlier process left it.
     *
     * @param finished false if its work had begun, and no state was finished
     */
    @SuppressWarnings("NullAway") // the object is not known
    synchronized void restore(K key, @Nullable String uid, @Nullable String version, boolean finished) {
        Versioned<@Nullable T> state = new Versioned<>(uid, version, null);
        Row<T> row = rows.computeIfAbsent(key, absent -> new Row<>());
        row.restored = finished;
        row.finished = finished ? state : null;
        row.begun = finished ? null : state;
    }

    synchronized int size() {
        return rows.size();
    }

    /**
     * A new subscription to the view begins: rows that it does not have are gone, and nothing is worked on before it has told of it. Returns
     * its number; what is told of another one is ignored.
     */
    synchronized int begin() {
        initial = -1;
        return ++following;
    }

    /**
     * The view has this row; returns whether it is to be worked on.
     *
     * @param live whether it has just become so; what was there already may be older than what an earlier process has finished
     */
    synchronized boolean present(int of, K key, Versioned<T> state, boolean live, long now) {
        if (of != following) {
            return false;
        }
        Row<T> row = rows.computeIfAbsent(key, absent -> new Row<>());
        row.seenIn = following;
        row.restored &= !live;
        row.now = state;
        return file(key, row, now);
    }

    /** The view has this row no more; returns whether it is to be worked on. */
    synchronized boolean absent(int of, K key, Versioned<T> last, DeletionCause cause, long now) {
        Row<T> row = rows.get(key);
        if (of != following || row == null) {
            return false;
        }
        row.seenIn = following;
        row.now = null;
        row.cause = cause;
        if (brief && row.former() == null) {
            row.begun = last;
        }
        return file(key, row, now);
    }

    /**
     * All rows of the view were told, as they were at {@code version}. Returns those that are gone since an earlier subscription or process,
     * and those that are older than what was finished though the view is not: the server's store was restored.
     */
    synchronized List<K> complete(int of, @Nullable String version, long now) {
        if (of != following) {
            return List.of();
        }
        List<K> found = new ArrayList<>();
        for (var entry : List.copyOf(rows.entrySet())) {
            Row<T> row = entry.getValue();
            boolean gone = row.seenIn != following;
            if (gone) {
                row.seenIn = following;
                row.now = null;
                row.cause = DeletionCause.INFERRED;
            }
            row.restored &= row.finished != null && !ResourceVersion.isAtMost(row.finished.resourceVersion(), version);
            if (!behind.containsKey(entry.getKey()) && file(entry.getKey(), row, now) || gone && behind.containsKey(entry.getKey())) {
                found.add(entry.getKey());
            }
        }
        initial = behind.size();
        behind.values().forEach(row -> row.initial = true);
        return found;
    }

    /** Returns whether the row is behind. */
    private boolean file(K key, Row<T> row, long now) {
        if (row.isBehind()) {
            if (behind.putIfAbsent(key, row) == null) {
                row.since = now;
            }
            return true;
        }
        if (row.now != null && row.finished != null && row.finished.object() == null
                && !ResourceVersion.isNewer(row.finished.resourceVersion(), row.now.resourceVersion())) { // known from here on
            row.finished = row.now;
            row.restored = false;
        }
        leave(key, row);
        if (row.now == null) {
            rows.remove(key);
        }
        return false;
    }

    private void leave(K key, Row<T> row) {
        behind.remove(key);
        if (row.initial) {
            row.initial = false;
            initial--;
        }
        fails(row, null);
    }

    private void fails(Row<T> row, @Nullable Throwable failure) {
        failing += (failure == null ? 0 : 1) - (row.failure == null ? 0 : 1);
        row.failure = failure;
    }

    /** What is to be done for the row now; null if it is not behind. The work begins. */
    synchronized @Nullable RowChange<K, T> take(K key, int retries) {
        Row<T> row = behind.get(key);
        if (row == null || row.seenIn != following) {
            return null;
        }
        Versioned<@Nullable T> former = row.former();
        boolean ends = row.now == null || former != null && former.recreatedAs(row.now);
        Versioned<@Nullable T> before = ends ? former : row.finished;
        Versioned<T> known = before == null || before.object() == null ? null : before;
        row.begun = ends ? former : row.now;
        DeletionCause cause = row.cause == null ? DeletionCause.INFERRED : row.cause; // none was told if another object took its place
        return new RowChange<>(key, known, ends ? null : row.now, ends ? cause : null, retries);
    }

    /** The work has succeeded. Returns whether the row is to be worked on again. */
    synchronized boolean finished(RowChange<K, T> work, long now) {
        Row<T> row = rows.get(work.key());
        if (row == null) {
            return false;
        }
        row.finished = work.after() == null ? null : work.after();
        row.begun = null;
        row.restored = false;
        if (work.after() != null) {
            leave(work.key(), row); // what is behind from here on is another change
        }
        return file(work.key(), row, now);
    }

    /** The work has failed. */
    synchronized void failed(K key, Throwable cause) {
        Row<T> row = behind.get(key);
        if (row != null) {
            fails(row, cause);
        }
    }

    /** The row is worked on again then. If it has failed before, it still fails. */
    synchronized void again(K key, long then) {
        Row<T> row = behind.get(key);
        if (row != null) {
            row.nextTry = then;
        }
    }

    /** A failed row is tried again then. Returns why it failed; null if it is not behind any more. */
    synchronized @Nullable Throwable pauses(K key, long until) {
        Row<T> row = behind.get(key);
        if (row == null) {
            return null;
        }
        if (row.failure == null) { // thrown past all operators
            fails(row, new IllegalStateException("the work on " + key + " threw an Error"));
        }
        row.nextTry = until;
        return row.failure;
    }

    /** Tells which state of each row is finished, or null and which was begun. */
    synchronized void forEach(PositionConsumer<K> consumer) {
        rows.forEach((key, row) -> {
            if (row.former() != null) {
                consumer.accept(key, row.former(), row.finished != null);
            }
        });
    }

    /** Receives a row, and whether its state is finished; otherwise it was begun. */
    @FunctionalInterface
    interface PositionConsumer<K> {

        void accept(K key, @Nullable Versioned<?> state, boolean finished);
    }

    synchronized boolean isBehind() {
        return !behind.isEmpty();
    }

    /** Whether all rows that were there at the start are finished. */
    synchronized boolean synced() {
        return initial == 0;
    }

    /** Whether the view has told all rows. */
    synchronized boolean isComplete() {
        return initial >= 0;
    }

    synchronized int failing() {
        return failing;
    }

    synchronized ProcessorStatus status(
            String name, ProcessorStatus.State state, int running, @Nullable Throwable end, ToIntFunction<K> retries) {
        List<Failing> failures = new ArrayList<>();
        for (var entry : behind.entrySet()) {
            Row<T> row = entry.getValue();
            if (row.failure != null && failures.size() < ProcessorStatus.MOST_FAILURES) {
                failures.add(new Failing(String.valueOf(entry.getKey()), retries.applyAsInt(entry.getKey()), row.failure,
                        Instant.ofEpochMilli(row.nextTry)));
            }
        }
        Instant since = behind.isEmpty() ? null : Instant.ofEpochMilli(behind.values().iterator().next().since);
        return new ProcessorStatus(name, state, running, behind.size(), since, failing, failures, end);
    }
}
