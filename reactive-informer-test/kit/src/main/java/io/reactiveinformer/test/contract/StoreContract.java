package io.reactiveinformer.test.contract;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The behaviour of a {@link Store} that readers and writers rely on: laws 12 to 15 of the design. The test of an implementation extends
 * this.
 */
public abstract class StoreContract {

    private static final Namespaces ALL = Namespaces.all();
    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final ObjectKey B = ObjectKey.of("ns", "b");

    /** A new empty store of these namespaces. */
    protected abstract Store<String> create(Namespaces namespaces);

    private static Versioned<String> state(String uid, long version) {
        return new Versioned<>(uid, Long.toString(version), uid + "@" + version);
    }

    private static Delta<String> upserted(ObjectKey key, String uid, long version) {
        return new Delta.Upserted<>(ALL, key, state(uid, version));
    }

    private static Delta<String> deleted(ObjectKey key, String uid, long version, DeletionCause cause) {
        return new Delta.Deleted<>(ALL, key, state(uid, version), cause);
    }

    private static Delta<String> listed(long version, List<Delta<String>> differences) {
        return new Delta.Replaced<>(ALL, differences, Long.toString(version), false);
    }

    private Store<String> listed() {
        Store<String> store = create(ALL);
        store.apply(listed(10, List.of(upserted(A, "ua", 3))));
        return store;
    }

    @Test
    void isIncompleteUntilTheFirstList() {
        Store<String> store = create(ALL);
        assertFalse(store.snapshot().complete());
        assertTrue(store.snapshot().resourceVersion().isEmpty());
        store.apply(listed(10, List.of()));
        assertTrue(store.snapshot().complete());
        assertEquals(Optional.of("10"), store.snapshot().resourceVersion());
    }

    @Test
    void showsWhatWasAppliedWhenApplyReturns() {
        Store<String> store = listed();
        var commit = store.apply(upserted(B, "ub", 11));
        assertSame(commit.snapshot(), store.snapshot());
        assertEquals(Optional.of("ub@11"), store.snapshot().get(B));
        assertEquals(Optional.of("11"), store.snapshot().resourceVersion());
        assertEquals(1, commit.differences().size());
    }

    @Test
    void neverChangesASnapshot() {
        Store<String> store = listed();
        Snapshot<ObjectKey, String> before = store.snapshot();
        store.apply(upserted(B, "ub", 11));
        store.apply(deleted(A, "ua", 12, DeletionCause.OBSERVED));
        assertEquals(List.of("ua@3"), before.list());
        assertTrue(store.snapshot().revision() > before.revision(), "revisions grow");
    }

    @Test
    void doesNotTravelBackInTime() {
        Store<String> store = listed();
        store.apply(deleted(A, "ua", 15, DeletionCause.OBSERVED));
        assertTrue(store.apply(upserted(A, "ua", 14)).differences().isEmpty());
        assertTrue(store.apply(upserted(A, "another", 15)).differences().isEmpty());
        assertEquals(0, store.snapshot().size());
    }

    @Test
    void comparesVersionsAsNumbers() {
        Store<String> store = create(ALL);
        store.apply(listed(9, List.of(upserted(A, "ua", 3))));
        assertEquals(1, store.apply(upserted(A, "ua", 10)).differences().size());
    }

    @Test
    void showsAListAtOnceAndKeepsTheInstancesOfWhatIsUnchanged() {
        Store<String> store = listed();
        Versioned<String> held = store.snapshot().find(A);
        var commit = store.apply(listed(20, List.of(upserted(B, "ub", 15))));
        assertSame(held, store.snapshot().find(A));
        assertEquals(Set.of(B), Set.copyOf(commit.differences().stream().map(difference -> difference.key()).toList()));
        store.apply(listed(30, List.of(deleted(A, "ua", 3, DeletionCause.INFERRED))));
        assertEquals(List.of("ub@15"), store.snapshot().list());
    }

    @Test
    void fillsAnIndexWhenItIsAddedAndKeepsItCurrent() {
        Index<String, String> byUid = Index.of("uid", text -> text.substring(0, text.indexOf('@')));
        Store<String> store = listed();
        store.addIndex(byUid);
        assertEquals(List.of("ua@3"), store.snapshot().by(byUid, "ua"));
        store.apply(upserted(A, "uz", 11));
        assertEquals(List.of(), store.snapshot().by(byUid, "ua"));
        assertEquals(List.of("uz@11"), store.snapshot().by(byUid, "uz"));
    }

    /** Law 12: the store's version is the one up to which nothing is missing; a single row may be newer. */
    @Test
    void isCompleteUpToWhereItWasToldSo() {
        Store<String> store = listed();
        store.apply(new Delta.Upserted<>(ALL, B, state("ub", 15), "12"));
        assertEquals(Optional.of("12"), store.snapshot().resourceVersion());
        store.apply(new Delta.Upserted<>(ALL, A, state("ua", 14), "15"));
        assertEquals(Set.of("ua@14", "ub@15"), Set.copyOf(store.snapshot().list()));
        assertEquals(Optional.of("15"), store.snapshot().resourceVersion());
    }

    @Test
    void equalsAMapAfterAnyHistory() {
        long seed = Long.getLong("store.seed", 1);
        var random = new Random(seed);
        Store<String> store = create(ALL);
        Map<ObjectKey, String> expected = new HashMap<>();
        store.apply(listed(1, List.of()));
        for (long version = 2; version < 2_000; version++) {
            ObjectKey key = ObjectKey.of("ns", "o" + random.nextInt(50));
            if (expected.containsKey(key) && random.nextInt(3) == 0) {
                store.apply(deleted(key, "u", version, DeletionCause.OBSERVED));
                expected.remove(key);
            } else {
                store.apply(upserted(key, "u", version));
                expected.put(key, "u@" + version);
            }
        }
        Map<ObjectKey, String> held = new HashMap<>();
        store.snapshot().forEach((key, row) -> held.put(key, row.object()));
        assertEquals(expected, held, "seed " + seed);
    }
}
