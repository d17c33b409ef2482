package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.internal.trie.Edit;
import io.reactiveinformer.internal.trie.HashTrie;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a view, compacted by key: for each present row its last change, and for each key at most one deletion, as long as it is
 * retained. Each change has the next revision. Not thread-safe.
 */
final class ChangeLog<K, T> {

    private final Retention retention;
    private final Changes<K, T> present = new Changes<>();
    private final Changes<K, T> deleted = new Changes<>();
    private final RowHistory<K, T> history;
    private long head;
    private long forgotten;
    private long knownSince;

    /**
     * The last change of a row, or a deletion.
     *
     * @param born the revision with which a row of this key was added, or the first of several that were deleted one after the other: a
     *     subscriber that has received less knows none of them
     * @param row null for one that has left the view
     * @param cause null for a present row
     * @param at when it was deleted, in milliseconds
     */
    record Entry<K, T>(long revision, long born, K key, @Nullable Versioned<T> row, @Nullable DeletionCause cause, long at) {}

    /**
     * @param rows the first rows
     * @param now the time in milliseconds
     */
    ChangeLog(Retention retention, Snapshot<K, T> rows, long now) {
        this.retention = retention;
        this.knownSince = now;
        rows.forEach(this::add);
        this.history = new RowHistory<>(retention, rows, head, now);
    }

    private void add(K key, Versioned<T> row) {
        head++;
        present.put(new Entry<>(head, head, key, row, null, 0));
    }

    void apply(Commit<K, T> commit, long now) {
        long before = head;
        commit.differences().forEach(difference -> apply(difference, now));
        history.add(commit, before, now);
        forget(now);
    }

    private void apply(Difference<K, T> difference, long now) {
        K key = difference.key();
        Versioned<T> after = difference.after();
        Entry<K, T> before = present.remove(key);
        if (before != null && before.row != null && after != null && !before.row.recreatedAs(after)) {
            present.put(new Entry<>(++head, before.born, key, after, null, 0));
            return;
        }
        if (before != null) {
            DeletionCause cause = difference.cause() == null ? DeletionCause.OBSERVED : difference.cause();
            Entry<K, T> earlier = deleted.remove(key);
            deleted.put(new Entry<>(++head, earlier == null ? before.born : earlier.born, key,
                    cause == DeletionCause.LEFT ? null : before.row, cause, now));
        }
        if (after != null) {
            add(key, after);
        }
    }

    /** Forgets what the retention does not cover. */
    void forget(long now) {
        history.forget(now);
        for (Entry<K, T> oldest = deleted.after(0); oldest != null; oldest = deleted.after(0)) {
            if (deleted.size() <= retention.deletions() && Duration.ofMillis(now - oldest.at).compareTo(retention.time()) < 0) {
                return;
            }
            deleted.remove(oldest.key);
            forgotten = oldest.revision;
            knownSince = oldest.at;
        }
    }

    /** The revision of the last change. */
    long head() {
        return head;
    }

    /** The greatest revision of a deletion that is forgotten; 0 if none is. */
    long forgotten() {
        return forgotten;
    }

    /** The time of that deletion in milliseconds, or else of the beginning. */
    long knownSince() {
        return knownSince;
    }

    RowHistory<K, T> history() {
        return history;
    }

    /** The first change of a present row after revision {@code rows}, or deletion after {@code deletions}; null if there is none. */
    @Nullable Entry<K, T> next(long rows, long deletions) {
        Entry<K, T> row = present.after(rows);
        Entry<K, T> deletion = deleted.after(deletions);
        return row == null || deletion != null && deletion.revision < row.revision ? deletion : row;
    }

    @Nullable Entry<K, T> deletion(K key) {
        return deleted.byKey.get(key);
    }

    /**
     * At most one entry a key, found by key and by revision. Revisions only grow, so that an entry is added behind all others; one that is
     * removed leaves a gap until there is no more room.
     */
    private static final class Changes<K, T> {

        private static final int LEAST = 16;

        private final Edit edit = new Edit(); // no other version of the map is read
        private HashTrie<K, Entry<K, T>> byKey = HashTrie.empty();
        private long[] revisions = new long[LEAST];
        private @Nullable Entry<K, T>[] entries = room(LEAST); // null in a gap
        private int begin; // of the first entry
        private int end; // behind the last one
        private int size;

        @SuppressWarnings("unchecked")
        private static <K, T> @Nullable Entry<K, T>[] room(int length) {
            return (Entry<K, T>[]) new Entry<?, ?>[length];
        }

        int size() {
            return size;
        }

        void put(Entry<K, T> entry) {
            if (end == entries.length) {
                closeGaps();
            }
            byKey = byKey.with(entry.key, entry, edit);
            revisions[end] = entry.revision;
            entries[end++] = entry;
            size++;
        }

        @Nullable Entry<K, T> remove(K key) {
            Entry<K, T> entry = byKey.get(key);
            if (entry != null) {
                byKey = byKey.without(key, edit);
                entries[place(entry.revision)] = null;
                size--;
                while (begin < end && entries[end - 1] == null) {
                    end--;
                }
                while (begin < end && entries[begin] == null) {
                    begin++;
                }
                if (size < entries.length / 4 && entries.length > LEAST) {
                    closeGaps();
                }
            }
            return entry;
        }

        private void closeGaps() {
            long[] itsRevisions = revisions;
            @Nullable Entry<K, T>[] its = entries;
            int from = begin;
            int to = end;
            revisions = new long[Math.max(LEAST, size + size / 2)];
            entries = room(revisions.length);
            begin = 0;
            end = 0;
            for (; from < to; from++) {
                if (its[from] != null) {
                    revisions[end] = itsRevisions[from];
                    entries[end++] = its[from];
                }
            }
        }

        /** Of the first entry, or gap, with at least this revision. */
        private int place(long revision) {
            int at = Arrays.binarySearch(revisions, begin, end, revision);
            return at < 0 ? -at - 1 : at;
        }

        @Nullable Entry<K, T> after(long revision) {
            int first = place(revision + 1);
            int at = first;
            while (at < end && entries[at] == null) {
                at++;
            }
            if (at - first > LEAST + size / 8) {
                closeGaps(); // which took as long, and is not walked again
                return after(revision);
            }
            return at < end ? entries[at] : null;
        }
    }
}
