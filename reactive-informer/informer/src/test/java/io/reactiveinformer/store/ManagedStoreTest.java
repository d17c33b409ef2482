package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a store does for its informer. */
class ManagedStoreTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final ObjectKey A = ObjectKey.of("ns", "a");
    private static final ObjectKey B = ObjectKey.of("ns", "b");

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

    @Test
    void letsGoOfWhatASmallerScopeDoesNotCover() {
        Store.Managed<String> store = Store.Managed.create(Namespaces.of(Set.of("one", "two")));
        Namespaces one = Namespaces.of("one");
        ObjectKey key = ObjectKey.of("one", "a");
        store.apply(new Delta.Replaced<>(one, List.of(new Delta.Upserted<>(one, key, state("ua", 3))), "10", false));
        var commit = store.resize(Namespaces.of(Set.of("two")));
        assertEquals(DeletionCause.LEFT, commit.differences().get(0).cause());
        assertEquals(0, store.snapshot().size());
    }

    /** Readers see restored rows at once; the store is not complete before the server continues from their version. */
    @Test
    void isNotCompleteWithWhatWasRestored() {
        Store.Managed<String> store = Store.Managed.create(ALL);
        store.restore(ALL, List.of(upserted(A, "ua", 3)), "10");
        assertEquals(List.of("ua@3"), store.snapshot().list());
        assertFalse(store.snapshot().complete());
        store.apply(upserted(B, "ub", 12));
        assertFalse(store.snapshot().complete(), "one change says only that one thing has happened");
        assertTrue(store.apply(upserted(A, "ua", 9)).differences().isEmpty(), "older than what was restored");
        store.apply(new Delta.Progressed<>(ALL, "12"));
        assertTrue(store.snapshot().complete());
        assertEquals(Optional.of("12"), store.snapshot().resourceVersion());
        assertThrows(IllegalStateException.class, () -> store.restore(ALL, List.of(), "13"));
    }

    @Test
    void isCompleteWithAListWhateverWasRestored() {
        Store.Managed<String> store = Store.Managed.create(ALL);
        store.restore(ALL, List.of(upserted(A, "ua", 3)), "10");
        store.apply(listed(20, List.of(deleted(A, "ua", 3, DeletionCause.INFERRED), upserted(B, "ub", 12))));
        assertEquals(List.of("ub@12"), store.snapshot().list());
        assertEquals(Optional.of("20"), store.snapshot().resourceVersion());
    }
}
