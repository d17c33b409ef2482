package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Stream scenarios 66 to 74, and client-go's 8.7. Others of 8.7 are where they belong: 120, 133, 134, 130 in {@code
 * ClientGoInformerScenariosTest}, 126 there too, 132 in {@code MutationDetectorTest}; stream scenario 75 is {@code StoreModelTest}. 122:
 * there is no key function that could fail: keys are read before objects are, and an event without one is doubt.
 */
class StoreScenariosTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final Index<String, Character> FIRST = Index.of("first letter", text -> text.charAt(0));

    private final Store<String> store = Store.create();
    private int version = 10;

    StoreScenariosTest() {
        store.apply(new Delta.Replaced<>(ALL, List.of(), "10", false));
    }

    private void put(ObjectKey key, String text) {
        version++;
        store.apply(new Delta.Upserted<>(ALL, key, new Versioned<>("u", "" + version, text)));
    }

    private void delete(ObjectKey key) {
        version++;
        store.apply(new Delta.Deleted<>(ALL, key, new Versioned<>("u", "" + version, ""), DeletionCause.OBSERVED));
    }

    private static ObjectKey a(String name) {
        return ObjectKey.of("a", name);
    }

    /** 66, 8.7.128. */
    @Test
    void readsFollowAdditionsUpdatesAndDeletions() {
        put(a("x"), "one");
        put(ObjectKey.of("b", "x"), "other");
        Lister<String> lister = store.lister();
        assertThat(lister.get(a("x"))).contains("one");
        assertThat(lister.list()).containsExactlyInAnyOrder("one", "other");
        assertThat(lister.inNamespace("a").list()).containsExactly("one");

        put(a("x"), "two");
        assertThat(lister.get(a("x"))).contains("two");
        assertThat(lister.inNamespace("a").list()).containsExactly("two");
        delete(a("x"));
        assertThat(lister.get(a("x"))).isEmpty();
        assertThat(lister.list()).containsExactly("other");
        assertThat(lister.inNamespace("a").list()).isEmpty();
    }

    /**
     * 67, 68, 8.7.129. Ours on purpose does not ignore a namespace that is asked for: a key is what it says, and the type knows which it
     * needs.
     */
    @Test
    void clusterScopedAndNamespacedKeysAreApart() {
        put(ObjectKey.clusterScoped("node"), "cluster-scoped");
        put(a("pod"), "namespaced");
        assertThat(store.lister().get(ObjectKey.clusterScoped("node"))).contains("cluster-scoped");
        assertThat(store.lister().get(a("node"))).isEmpty();
        assertThat(store.lister().get(ObjectKey.clusterScoped("pod"))).isEmpty();
        for (ObjectKey key : List.of(ObjectKey.clusterScoped("node"), a("pod"))) {
            assertThat(ObjectKey.parse(key.toString())).isEqualTo(key);
        }
    }

    /** 69. */
    @Test
    void aSnapshotIsAsItWas() {
        put(a("x"), "one");
        Snapshot<ObjectKey, String> before = store.snapshot();
        for (int i = 0; i < 100; i++) {
            put(a("x" + i % 7), "other " + i);
        }
        delete(a("x"));
        assertThat(before.list()).containsExactly("one");
        assertThat(before.resourceVersion()).contains("11");
        assertThat(store.snapshot().revision()).isGreaterThan(before.revision());
    }

    /** 70. */
    @Test
    void aRelistIsSeenWholeOrNotAtAll() {
        put(a("x"), "old");
        put(a("y"), "old");
        Snapshot<ObjectKey, String> before = store.snapshot();
        store.apply(new Delta.Replaced<>(ALL, List.of(new Delta.Upserted<>(ALL, a("z"), new Versioned<>("u", "20", "new")),
                new Delta.Deleted<>(ALL, a("x"), before.find(a("x")), DeletionCause.INFERRED),
                new Delta.Deleted<>(ALL, a("y"), before.find(a("y")), DeletionCause.INFERRED)), "20", false));
        assertThat(before.list()).containsExactlyInAnyOrder("old", "old");
        assertThat(store.snapshot().list()).containsExactly("new");
        assertThat(store.snapshot().revision()).as("no state between the two").isEqualTo(before.revision() + 1);
    }

    /** 72, 8.7.121, 8.7.124. */
    @Test
    void anIndexFollowsUpdatesAndDeletions() {
        put(a("x"), "apple");
        assertThatThrownBy(() -> store.snapshot().by(FIRST, 'a')).isInstanceOf(IllegalArgumentException.class);
        store.addIndex(FIRST);
        put(a("y"), "avocado");
        assertThat(store.snapshot().by(FIRST, 'a')).containsExactlyInAnyOrder("apple", "avocado");
        put(a("x"), "banana");
        assertThat(store.snapshot().by(FIRST, 'a')).containsExactly("avocado");
        assertThat(store.snapshot().by(FIRST, 'b')).containsExactly("banana");
        delete(a("y"));
        assertThat(buckets(FIRST)).as("no empty bucket").isEqualTo(1);
    }

    /** 72, 8.7.125. */
    @Test
    void anObjectWithSeveralValuesLeavesThoseThatItLost() {
        Index<String, String> words = Index.ofMany("words", text -> List.of(text.split(" ")));
        store.addIndex(words);
        put(a("x"), "a b");
        put(a("x"), "b c");
        assertThat(store.snapshot().by(words, "a")).isEmpty();
        assertThat(store.snapshot().by(words, "b")).containsExactly("b c");
        assertThat(store.snapshot().by(words, "c")).containsExactly("b c");
        assertThat(buckets(words)).isEqualTo(2);
    }

    /** 73, 74. */
    @Test
    void queriesAddUp() {
        Index<String, Integer> length = Index.of("length", String::length);
        store.addIndex(FIRST);
        store.addIndex(length);
        put(a("x"), "apple");
        put(a("y"), "fig");
        put(ObjectKey.of("b", "x"), "alder");
        Lister<String> lister = store.lister();
        assertThat(lister.by(FIRST, 'a').by(length, 5).list()).containsExactlyInAnyOrder("apple", "alder");
        assertThat(lister.by(FIRST, 'a').by(length, 3).list()).isEmpty();
        assertThat(lister.inNamespace("b").by(FIRST, 'a').list()).containsExactly("alder");
    }

    /** What an earlier process had cached is there at once, and counts as complete when the server goes on from there. */
    @Test
    void whatWasRestoredIsCompleteWhenTheServerGoesOnFromThere() {
        Store.Managed<String> restored = Store.Managed.create(Namespaces.all());
        restored.restore(ALL, List.of(new Delta.Upserted<>(ALL, a("x"), new Versioned<>("u", "5", "saved"))), "7");
        assertThat(restored.snapshot().list()).containsExactly("saved");
        assertThat(restored.snapshot().complete()).isFalse();
        assertThat(restored.reached(ALL)).isNull();
        restored.apply(new Delta.Upserted<>(ALL, a("x"), new Versioned<>("u", "6", "late")));
        assertThat(restored.snapshot().list()).as("nothing travels back in time").containsExactly("saved");
        assertThat(restored.snapshot().complete()).isFalse();

        restored.apply(new Delta.Progressed<>(ALL, "7"));
        assertThat(restored.snapshot().complete()).isTrue();
        assertThat(restored.snapshot().resourceVersion()).contains("7");
        assertThatThrownBy(() -> restored.restore(ALL, List.of(), "9")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("up to version 7");
    }

    /** That the watch is open at the version of the last event is the first to say that nothing before that one is missing. */
    @Test
    void theStageTellsOfWhatWasRestoredWhenItIsComplete() {
        Store.Managed<String> restored = Store.Managed.create(Namespaces.all());
        restored.restore(ALL, List.of(), "7");
        var event = new ReflectorEvent.Received<>(ALL, new ObjectEvent.Applied<>(a("x"), new Versioned<>("u", "9", "received")));
        Flux.<ReflectorEvent<String>>just(event, new ReflectorEvent.Watching<>(ALL, "9")).transform(DeltaStage.over(restored))
                .subscribe(restored::apply);
        assertThat(restored.snapshot().complete()).isTrue();
        assertThat(restored.snapshot().resourceVersion()).contains("9");
    }

    @Test
    void aListReplacesWhatWasRestored() {
        Store.Managed<String> restored = Store.Managed.create(Namespaces.all());
        restored.restore(ALL, List.of(new Delta.Upserted<>(ALL, a("x"), new Versioned<>("u", "5", "saved"))), "7");
        restored.apply(new Delta.Replaced<>(ALL, List.of(new Delta.Deleted<>(ALL, a("x"), restored.find(a("x")), DeletionCause.INFERRED)),
                "3", true));
        assertThat(restored.snapshot().list()).isEmpty();
        assertThat(restored.snapshot().complete()).isTrue();
        assertThat(restored.snapshot().resourceVersion()).contains("3");
    }

    @Test
    void aPartThatWasRestoredWaitsForItsOwnWord() {
        Namespaces one = Namespaces.of("a");
        Namespaces two = Namespaces.of("b");
        Store.Managed<String> restored = Store.Managed.create(Namespaces.of(List.of("a", "b")));
        restored.restore(one, List.of(), "7");
        restored.restore(two, List.of(), "7");
        restored.apply(new Delta.Progressed<>(one, "8"));
        assertThat(restored.snapshot().complete()).isFalse();
        assertThat(restored.snapshot().resourceVersion(one)).contains("8");
        assertThat(restored.snapshot().resourceVersion(two)).isEmpty();
        restored.apply(new Delta.Upserted<>(two, ObjectKey.of("b", "x"), new Versioned<>("u", "9", "received")));
        assertThat(restored.snapshot().complete()).as("there may have been more before it").isFalse();
        restored.apply(new Delta.Progressed<>(two, "9"));
        assertThat(restored.snapshot().complete()).isTrue();
        assertThat(restored.snapshot().resourceVersion(two)).contains("9");
    }

    private int buckets(Index<String, ?> index) {
        return ((TrieSnapshot<ObjectKey, String>) store.snapshot()).indexed(index).buckets().byValue().size();
    }
}
