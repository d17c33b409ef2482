package io.reactiveinformer.store;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reads the newest snapshot at each call.
 *
 * @param narrowings select the parts of a snapshot to which this lister is restricted: it has the rows that are in all of them
 */
record SnapshotLister<T>(
        Supplier<TrieSnapshot<ObjectKey, T>> newest, List<Function<TrieSnapshot<ObjectKey, T>, Part<ObjectKey, T>>> narrowings)
        implements Lister<T> {

    @Override
    public Lister<T> inNamespace(String namespace) {
        return narrowed(snapshot -> snapshot.namespaces().of(namespace));
    }

    @Override
    public <V> Lister<T> by(Index<T, V> index, V value) {
        return narrowed(snapshot -> snapshot.partBy(index, value));
    }

    private Lister<T> narrowed(Function<TrieSnapshot<ObjectKey, T>, Part<ObjectKey, T>> narrowing) {
        return new SnapshotLister<>(newest, Stream.concat(narrowings.stream(), Stream.of(narrowing)).toList());
    }

    @Override
    public Optional<T> get(ObjectKey key) {
        TrieSnapshot<ObjectKey, T> snapshot = newest.get();
        for (Function<TrieSnapshot<ObjectKey, T>, Part<ObjectKey, T>> narrowing : narrowings) {
            if (!narrowing.apply(snapshot).has(key)) {
                return Optional.empty();
            }
        }
        return snapshot.get(key);
    }

    @Override
    public List<T> list() {
        return narrowings.size() == 1 ? narrowings.get(0).apply(newest.get()).objects() : list(object -> true);
    }

    @Override
    public List<T> list(Selector selector) {
        if (!selector.fields().isEmpty()) {
            throw new IllegalArgumentException("only the server can select by fields, was " + selector.fields()
                    + "; list by a predicate or an index, or select when the informer is created");
        }
        if (selector.shards() != null) {
            throw new IllegalArgumentException("shards are selected when the informer is created, were " + selector.shards());
        }
        return selector.labels().isEmpty() ? list() : list(object -> selector.matchesLabels(PartialObjectMetadata.labels(object)));
    }

    @Override
    public List<T> list(Predicate<? super T> predicate) {
        List<T> objects = new ArrayList<>();
        forEach((key, row) -> {
            if (predicate.test(row.object())) {
                objects.add(row.object());
            }
        });
        return List.copyOf(objects);
    }

    @Override
    public List<ObjectKey> keys() {
        List<ObjectKey> keys = new ArrayList<>();
        forEach((key, row) -> keys.add(key));
        return List.copyOf(keys);
    }

    @Override
    public int count() {
        TrieSnapshot<ObjectKey, T> snapshot = newest.get();
        return switch (narrowings.size()) {
            case 0 -> snapshot.size();
            case 1 -> narrowings.get(0).apply(snapshot).size();
            default -> keys().size();
        };
    }

    /** Walks over the smallest part, and looks up each key in the others. */
    private void forEach(BiConsumer<ObjectKey, Versioned<T>> action) {
        TrieSnapshot<ObjectKey, T> snapshot = newest.get();
        List<Part<ObjectKey, T>> parts = parts(snapshot);
        if (parts.isEmpty()) {
            snapshot.forEach(action);
            return;
        }
        List<Part<ObjectKey, T>> others = parts.subList(1, parts.size());
        parts.get(0).forEach((key, row) -> {
            if (isInAll(others, key)) {
                action.accept(key, row);
            }
        });
    }

    private static <T> boolean isInAll(List<Part<ObjectKey, T>> parts, ObjectKey key) {
        for (Part<ObjectKey, T> part : parts) {
            if (!part.has(key)) {
                return false;
            }
        }
        return true;
    }

    private List<Part<ObjectKey, T>> parts(TrieSnapshot<ObjectKey, T> snapshot) {
        return narrowings.stream()
                .map(narrowing -> narrowing.apply(snapshot))
                .sorted(Comparator.comparingInt(Part::size))
                .toList();
    }
}
