package io.reactiveinformer.store;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.InformerStatus.Stale;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Which objects are held in an older state than the server's, because that could not be read, and why. Immutable. */
final class StaleObjects {

    private static final StaleObjects NONE = new StaleObjects(HashTrie.empty());

    /** @param foreign whether what is held is of another history than what could not be read, so that its version says nothing */
    private record Entry(Scope part, Stale why, boolean foreign) {}

    private final HashTrie<ObjectKey, Entry> entries;
    private volatile Map<ObjectKey, Stale> reasons = Map.of(); // of the entries, once it has been asked for

    private StaleObjects(HashTrie<ObjectKey, Entry> entries) {
        this.entries = entries;
    }

    static StaleObjects none() {
        return NONE;
    }

    /** @param foreign whether what is held is of another history than {@code state}; once it is, it stays so */
    StaleObjects with(Delta.Unreadable<?> state, boolean foreign) {
        String reason = String.valueOf(state.failure().getMessage()); // not the failure: it may be big, and hold on to what was read
        return new StaleObjects(entries.with(state.key(), new Entry(state.scope(), new Stale(state.resourceVersion(), reason), foreign || isForeign(state.key()))));
    }

    boolean isForeign(ObjectKey key) {
        Entry entry = entries.get(key);
        return entry != null && entry.foreign();
    }

    StaleObjects without(ObjectKey key) {
        HashTrie<ObjectKey, Entry> others = entries.without(key);
        return others.size() == entries.size() ? this : new StaleObjects(others);
    }

    StaleObjects withoutParts(Predicate<Scope> parts) {
        StaleObjects others = this;
        for (TrieWalk<ObjectKey, Entry> walk = entries.walk(); walk.advance(); ) {
            others = parts.test(walk.value().part()) ? others.without(walk.key()) : others;
        }
        return others;
    }

    Map<ObjectKey, Stale> reasons() {
        Map<ObjectKey, Stale> known = reasons;
        if (known.size() != entries.size()) {
            Map<ObjectKey, Stale> collected = new HashMap<>();
            entries.forEach((key, entry) -> collected.put(key, entry.why()));
            known = Map.copyOf(collected);
            reasons = known;
        }
        return known;
    }
}
