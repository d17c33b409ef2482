package io.reactiveinformer.store;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.internal.PersistentMap;
import io.reactiveinformer.internal.trie.HashTrie;
import io.reactiveinformer.internal.trie.TrieWalk;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The objects whose newest state could not be read, so that an older state, or none, is cached; with the reasons. Immutable. */
final class StaleObjects {

    private static final StaleObjects NONE = new StaleObjects(HashTrie.empty());

    /** @param foreign whether the cached state is of another epoch than the unreadable one, so that their versions cannot be compared */
    private record Note(Namespaces part, Stale why, boolean foreign) {}

    private final HashTrie<ObjectKey, Note> entries;
    private final Map<ObjectKey, Stale> reasons;

    private StaleObjects(HashTrie<ObjectKey, Note> entries) {
        this.entries = entries;
        this.reasons = entries.isEmpty() ? Map.of() : new Reasons(entries);
    }

    static StaleObjects none() {
        return NONE;
    }

    /** @param foreign whether the cached state is of another epoch than {@code state}; once true, it stays true */
    StaleObjects with(Delta.Unreadable<?> state, boolean foreign) {
        String reason = String.valueOf(state.failure().getMessage()); // not the failure itself: it may be big, and refer to the object
        var entry = new Note(state.part(), new Stale(state.resourceVersion(), reason), foreign || isForeign(state.key()));
        return entry.equals(entries.get(state.key())) ? this : new StaleObjects(entries.with(state.key(), entry));
    }

    boolean isForeign(ObjectKey key) {
        Note entry = entries.get(key);
        return entry != null && entry.foreign();
    }

    StaleObjects without(ObjectKey key) {
        HashTrie<ObjectKey, Note> others = entries.without(key);
        return others.size() == entries.size() ? this : new StaleObjects(others);
    }

    StaleObjects withoutParts(Predicate<Namespaces> parts) {
        StaleObjects others = this;
        for (TrieWalk<ObjectKey, Note> walk = entries.walk(); walk.advance(); ) {
            others = parts.test(walk.value().part()) ? others.without(walk.key()) : others;
        }
        return others;
    }

    /** Whether any of them is in {@code part}. */
    boolean hasAnyOf(Namespaces part) {
        for (TrieWalk<ObjectKey, Note> walk = entries.walk(); walk.advance(); ) {
            if (part.covers(walk.key())) {
                return true;
            }
        }
        return false;
    }

    /** The reasons; the same instance while nothing changes. A change of one object costs the same for any number of objects. */
    Map<ObjectKey, Stale> reasons() {
        return reasons;
    }

    private static final class Reasons extends PersistentMap<ObjectKey, Stale> {

        private final HashTrie<ObjectKey, Note> entries;

        Reasons(HashTrie<ObjectKey, Note> entries) {
            this.entries = entries;
        }

        @Override
        public @Nullable Stale get(@Nullable Object key) {
            Note entry = key instanceof ObjectKey named ? entries.get(named) : null;
            return entry == null ? null : entry.why();
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return get(key) != null;
        }

        @Override
        public int size() {
            return entries.size();
        }

        @Override
        public Set<Map.Entry<ObjectKey, Stale>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Map.Entry<ObjectKey, Stale>> iterator() {
                    List<Map.Entry<ObjectKey, Stale>> all = new ArrayList<>(entries.size());
                    entries.forEach((key, entry) -> all.add(Map.entry(key, entry.why())));
                    return Collections.unmodifiableList(all).iterator();
                }

                @Override
                public int size() {
                    return entries.size();
                }
            };
        }
    }
}
