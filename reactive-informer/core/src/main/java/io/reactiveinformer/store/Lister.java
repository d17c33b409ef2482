package io.reactiveinformer.store;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Answers queries from the cache as it is now, each from one instant. Never waits. Objects are shared: read-only. Narrowing adds up:
 * {@code lister.inNamespace("prod").by(BY_NODE, "node-7").list(Selector.labels("app=web"))}.
 */
public interface Lister<T> {

    /** Over those in {@code namespace} only. */
    Lister<T> inNamespace(String namespace);

    /**
     * Over those for which {@code index} has {@code value} only.
     *
     * @throws IllegalArgumentException on reading, if the index has not been added
     */
    <V> Lister<T> by(Index<T, V> index, V value);

    /** Empty too if the object is there, but not among those that this lister was narrowed to. */
    Optional<T> get(ObjectKey key);

    List<T> list();

    /**
     * @throws IllegalArgumentException if {@code selector} names fields, which only the server can match, or shards, or if objects of this form keep
     *     no labels
     */
    List<T> list(Selector selector);

    List<T> list(Predicate<? super T> predicate);

    List<ObjectKey> keys();

    int count();
}
