package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.internal.trie.Edit;
import io.reactiveinformer.internal.trie.HashTrie;
import io.reactiveinformer.internal.trie.TrieWalk;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit.Difference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows with one writer, whose edits become visible to readers together when they are committed. Writes must not overlap; readers call
 * {@link #snapshot} on any thread, and never wait.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public final class Table<K, T> {

    private volatile TrieSnapshot<K, T> committed;

    // The rows as the writer sees them: the committed rows with the differences applied.
    private HashTrie<K, Versioned<T>> rows = HashTrie.empty();
    private NamespaceIndex<K, T> namespaces = NamespaceIndex.empty();
    private List<IndexedKeys<K, T>> indexes = List.of();
    private Map<K, Difference<K, T>> differences = new LinkedHashMap<>();
    private Edit edit = new Edit();

    Table(Positions positions) {
        committed = TrieSnapshot.empty(positions);
    }

    /** An empty, incomplete table. Failures of its indexes are logged. */
    public static <K, T> Table<K, T> create() {
        return new Table<>(Positions.several(false));
    }

    /** A table that begins with {@code rows}, which are not copied, without their indexes. */
    public static <K, T> Table<K, T> startingWith(Snapshot<K, T> rows) {
        Table<K, T> table = create();
        if (rows instanceof TrieSnapshot<K, T> shared) {
            table.rows = shared.rows();
            table.namespaces = shared.namespaces();
        } else {
            rows.forEach(table::hold);
        }
        table.commitAsOf(rows);
        return table;
    }

    /** The rows of the latest commit. Never waits; any thread may call it. */
    public Snapshot<K, T> snapshot() {
        return committed;
    }

    TrieSnapshot<K, T> committed() {
        return committed;
    }

    /**
     * The row with {@code key} as the writer sees it, with edits that are not committed; null if there is none. Only the writer may call
     * this.
     */
    public @Nullable Versioned<T> find(K key) {
        return rows.get(key);
    }

    /**
     * Replaces the row with {@code key} by {@code row}; no effect if both are the same state of the same object. Visible with the next
     * commit.
     *
     * @param cause why the previous object counts as deleted; used only if {@code row} has another uid
     */
    public void put(K key, Versioned<T> row, DeletionCause cause) {
        Versioned<T> before = rows.get(key);
        var difference = new Difference<>(key, before, row, before != null && before.recreatedAs(row) ? cause : null, null);
        if (difference.isNothing()) {
            return;
        }
        hold(key, row);
        index(key, row.object());
        note(difference);
    }

    /**
     * Removes the row with {@code key}; no effect if there is none. Visible with the next commit.
     *
     * @param cause why the object counts as deleted
     *
     * @param deletedAt the resourceVersion of the deletion; null if the server did not send it
     */
    public void remove(K key, DeletionCause cause, @Nullable String deletedAt) {
        Versioned<T> before = rows.get(key);
        if (before == null) {
            return;
        }
        rows = rows.without(key, edit);
        if (key instanceof ObjectKey named && named.namespace() != null) {
            namespaces = namespaces.without(named.namespace(), key, edit);
        }
        index(key, null);
        note(new Difference<>(key, before, null, cause, deletedAt));
    }

    /** Adds {@code index} and fills it. Visible with the next commit. Adding it again has no effect. */
    public void addIndex(Index<T, ?> index) {
        if (indexes.stream().anyMatch(known -> known.index() == index)) {
            return;
        }
        IndexedKeys<K, T> filled = IndexedKeys.empty(index);
        for (TrieWalk<K, Versioned<T>> walk = rows.walk(); walk.advance(); ) {
            filled = filled.with(walk.key(), walk.value().object(), edit);
        }
        indexes = Stream.concat(indexes.stream(), Stream.of(filled)).toList();
    }

    /** Makes the edits visible to readers, with the completeness and, if known, the resourceVersions of {@code source}. */
    public Commit<K, T> commitAsOf(Snapshot<?, ?> source) {
        return commit(source instanceof TrieSnapshot<?, ?> trie ? trie.positions() : Positions.several(source.complete()));
    }

    /** Makes the edits visible to readers, without a resourceVersion: the rows come from several sources. */
    public Commit<K, T> commit(boolean complete) {
        return commit(Positions.several(complete));
    }

    /** Drops the edits since the last commit, after one of them has thrown. */
    void rollBack() {
        rows = committed.rows();
        namespaces = committed.namespaces();
        indexes = committed.indexes();
        differences.clear(); // no allocation here: memory may be short
    }

    Commit<K, T> commit(Positions positions) {
        return commit(positions, differences.size() != 1);
    }

    /**
     * Commits the edits. Nothing is allocated after the rows are exchanged: a change that readers see must reach the subscribers, even if
     * memory is short.
     */
    Commit<K, T> commit(Positions positions, boolean batch) {
        var snapshot = new TrieSnapshot<>(committed.revision() + 1, positions, rows, namespaces, indexes);
        var commit = new Commit<>(snapshot, List.copyOf(differences.values()), batch);
        differences = new LinkedHashMap<>(); // not clear(): after a whole list that would take as long each time
        edit = new Edit();
        committed = snapshot;
        return commit;
    }

    private void hold(K key, Versioned<T> row) {
        HashTrie.Entry<K, Versioned<T>> entry = HashTrie.entry(key, row);
        rows = rows.with(entry, edit);
        if (key instanceof ObjectKey named && named.namespace() != null) {
            namespaces = namespaces.with(named.namespace(), entry, edit);
        }
    }

    private void index(K key, @Nullable T object) {
        if (!indexes.isEmpty()) {
            indexes = indexes.stream().map(index -> index.with(key, object, edit)).toList();
        }
    }

    /**
     * Keeps at most one difference for each key, from the committed row to the edited one. A row that returns to its committed state is the
     * same instance again.
     */
    private void note(Difference<K, T> latest) {
        K key = latest.key();
        Difference<K, T> noted = differences.get(key);
        Difference<K, T> both = noted == null ? latest : noted.then(latest);
        if (!both.isNothing()) {
            differences.put(key, both);
            return;
        }
        differences.remove(key);
        if (both.before() != null) {
            hold(key, both.before());
        }
    }
}
