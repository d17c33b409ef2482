package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit.Difference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows as their writer sees them: edits become visible to readers all at once, when they are committed. One writer at a time; readers
 * see {@link #snapshot} from any thread, and never wait.
 *
 * @param <K> what names a row
 * @param <T> the row
 */
public final class Table<K, T> {

    private final IndexFailures failures;
    private volatile TrieSnapshot<K, T> committed;

    // What the writer sees; it differs from what is committed by the differences.
    private HashTrie<K, Versioned<T>> rows = HashTrie.empty();
    private Namespaces<K, T> namespaces = Namespaces.empty();
    private List<IndexedKeys<K, T>> indexes = List.of();
    private Map<K, Difference<K, T>> differences = new LinkedHashMap<>();
    private Edit edit = new Edit();

    Table(Positions positions, IndexFailures failures) {
        this.failures = failures;
        committed = TrieSnapshot.empty(positions);
    }

    /** Without rows, and incomplete. */
    public static <K, T> Table<K, T> create() {
        return new Table<>(Positions.several(false), IndexFailures.logged());
    }

    public Snapshot<K, T> snapshot() {
        return committed;
    }

    TrieSnapshot<K, T> committed() {
        return committed;
    }

    /** The row as the writer sees it, and nobody but the writer may: rows are edited in place. */
    public @Nullable Versioned<T> find(K key) {
        return rows.get(key);
    }

    /**
     * Puts {@code row} in place of what {@code key} had, unless that is the same.
     *
     * @param cause how we know that what {@code key} had is gone; told only where {@code row} is another object, by its uid
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

    /** @param deletedAt version of the deletion, where the server told it */
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

    /** Files all rows in {@code index}; visible with the next commit. Adding it again does nothing. */
    public void addIndex(Index<T, ?> index) {
        if (indexes.stream().anyMatch(known -> known.index() == index)) {
            return;
        }
        IndexedKeys<K, T> filled = IndexedKeys.empty(index);
        for (TrieWalk<K, Versioned<T>> walk = rows.walk(); walk.advance(); ) {
            filled = filled.with(walk.key(), walk.value().object(), edit, failures);
        }
        indexes = Stream.concat(indexes.stream(), Stream.of(filled)).toList();
    }

    /** Shows the edits to readers, as complete, and up to the versions, as {@code source} is. */
    public Commit<K, T> commitAsOf(Snapshot<?, ?> source) {
        return commit(source instanceof TrieSnapshot<?, ?> trie ? trie.positions() : Positions.several(source.complete()));
    }

    /** Shows the edits to readers. No one version says how far they go, for they come from several sources. */
    public Commit<K, T> commit(boolean complete) {
        return commit(Positions.several(complete));
    }

    /** Forgets what was edited since the last commit, as something was thrown in the midst of it. */
    void rollBack() {
        rows = committed.rows();
        namespaces = committed.namespaces();
        indexes = committed.indexes();
        differences.clear(); // nothing is allocated here: memory may be what was short
    }

    Commit<K, T> commit(Positions positions) {
        var snapshot = new TrieSnapshot<>(committed.revision() + 1, positions, rows, namespaces, indexes);
        var commit = new Commit<>(snapshot, List.copyOf(differences.values()));
        differences = new LinkedHashMap<>(); // to clear one that held a whole list once would take as long as that list did, each time
        edit = new Edit();
        committed = snapshot;
        return commit;
    }

    private void hold(K key, Versioned<T> row) {
        TrieNode.Leaf<K, Versioned<T>> entry = HashTrie.leaf(key, row);
        rows = rows.with(entry, edit);
        if (key instanceof ObjectKey named && named.namespace() != null) {
            namespaces = namespaces.with(named.namespace(), entry, edit);
        }
    }

    private void index(K key, @Nullable T object) {
        if (!indexes.isEmpty()) {
            indexes = indexes.stream().map(index -> index.with(key, object, edit, failures)).toList();
        }
    }

    /** At most one difference a key: from what readers see to what they will. A row that is as it was stays the very one. */
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
