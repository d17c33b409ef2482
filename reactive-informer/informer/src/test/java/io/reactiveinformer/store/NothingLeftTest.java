package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 25: objects that came and went take no memory any more. */
class NothingLeftTest {

    private static final Namespaces ALL = Namespaces.all();

    private final Store<String> store = Store.create();
    private final Index<String, String> nonBlank = Index.ofMany("nonBlank", text -> text.isBlank() ? List.of() : List.of(text));

    private void put(String key, int version, String text) {
        store.apply(new Delta.Upserted<>(ALL, ObjectKey.parse(key), new Versioned<>("u", "" + version, text)));
    }

    private void delete(String key, int version) {
        store.apply(new Delta.Deleted<>(ALL, ObjectKey.parse(key), new Versioned<>("u", "" + version, ""), DeletionCause.OBSERVED));
    }

    @Test
    void ofANamespaceWhoseLastObjectIsGone() {
        put("one/a", 1, "a");
        put("one/b", 2, "b");
        delete("one/a", 3);
        assertThat(snapshot().namespaces().byName().size()).isEqualTo(1);
        delete("one/b", 4);
        assertThat(snapshot().namespaces().byName().size()).isZero();
    }

    @Test
    void inAnIndexOfWhatIsGoneOrHasNoValueAnyMore() {
        store.addIndex(nonBlank);
        put("one/a", 1, "a");
        put("one/b", 2, "b");
        put("one/c", 3, " ");
        assertThat(index().valuesOf().size()).isEqualTo(2);
        delete("one/a", 4);
        put("one/b", 5, "");
        assertThat(index().valuesOf().size()).isZero();
        assertThat(index().buckets().byValue().size()).isZero();
    }

    private IndexedKeys<ObjectKey, String> index() {
        return snapshot().indexes().get(0);
    }

    private TrieSnapshot<ObjectKey, String> snapshot() {
        return (TrieSnapshot<ObjectKey, String>) store.snapshot();
    }
}
