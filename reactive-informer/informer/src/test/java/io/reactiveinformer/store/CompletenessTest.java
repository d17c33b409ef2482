package io.reactiveinformer.store;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When a store may say that it has everything (laws 12 and 23): after a list of each part, or when what was restored went on. */
class CompletenessTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final Namespaces ONE = Namespaces.of("one");
    private static final Namespaces TWO = Namespaces.of("two");

    private final Store.Managed<String> store = Store.Managed.create(Namespaces.all());

    private static Delta<String> listed(Namespaces part, String version) {
        return new Delta.Replaced<>(part, List.of(), version, false);
    }

    private static Delta<String> upserted(Namespaces part, String key, String version) {
        return new Delta.Upserted<>(part, ObjectKey.parse(key), new Versioned<>("u", version, key));
    }

    private boolean complete() {
        return store.snapshot().complete();
    }

    /** It says that nothing is missing of what happens; of what was there before, it says nothing. */
    @Test
    void aBookmarkIsNoList() {
        store.apply(new Delta.Progressed<>(ALL, "7"));
        assertThat(complete()).isFalse();
        assertThat(store.reached(ALL)).isNull();
        store.apply(upserted(ALL, "a", "8"));
        store.apply(new Delta.Progressed<>(ALL, "9"));
        assertThat(complete()).isFalse();
        assertThat(store.received(ALL)).isNull();
    }

    @Test
    void aBookmarkFromBeforeWhatWasRestoredIsNoProofOfIt() {
        store.restore(ALL, List.of(upserted(ALL, "a", "20")), "30");
        store.apply(new Delta.Progressed<>(ALL, "29"));
        assertThat(complete()).isFalse();
        store.apply(new Delta.Progressed<>(ALL, "30"));
        assertThat(complete()).isTrue();
        assertThat(store.reached(ALL)).isEqualTo("30");
    }

    @Test
    void aPartOfWhichOnlySomethingWasReceivedMakesTheWholeIncomplete() {
        store.apply(listed(ONE, "5"));
        assertThat(complete()).isTrue();
        store.apply(upserted(TWO, "two/a", "6"));
        assertThat(complete()).isFalse();
        store.apply(listed(TWO, "7"));
        assertThat(complete()).isTrue();
        store.apply(upserted(TWO, "two/a", "8"));
        assertThat(complete()).as("its parts are known").isTrue();
    }

    /** Or the next bookmark would be the end of a list that nobody has received. */
    @Test
    void whatIsUnknownCannotBeReopened() {
        assertThat(store.reopen(ALL).differences()).isEmpty();
        store.apply(new Delta.Progressed<>(ALL, "7"));
        assertThat(complete()).isFalse();
    }

    @Test
    void whatIsReopenedIsCompleteWhenTheServerHasGoneOn() {
        store.apply(listed(ALL, "5"));
        store.reopen(ALL);
        assertThat(complete()).isFalse();
        store.apply(new Delta.Progressed<>(ALL, "6"));
        assertThat(complete()).isTrue();
    }

    @Test
    void anIndexThatIsAddedAgainIsOne() {
        Index<String, String> index = Index.of("index", text -> text);
        store.addIndex(index);
        store.addIndex(index);
        store.apply(upserted(ALL, "a", "1"));
        assertThat(((TrieSnapshot<ObjectKey, String>) store.snapshot()).indexes()).hasSize(1);
        assertThat(store.snapshot().by(index, "a")).containsExactly("a");
    }
}
