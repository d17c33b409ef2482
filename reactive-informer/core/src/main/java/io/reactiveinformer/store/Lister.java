package io.reactiveinformer.store;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Answers queries from the current cache; each answer is of one instant. Never waits; thread-safe. Objects are shared: read-only.
 * Restrictions can be combined: {@code lister.inNamespace("prod").by(BY_NODE, "node-7").list(Selector.labels("app=web"))}.
 */
public interface Lister<T> {

    /** A lister of the objects of this one that are in {@code namespace}. */
    Lister<T> inNamespace(String namespace);

    /**
     * A lister of the objects of this one for which {@code index} has {@code value}.
     *
     * @throws IllegalArgumentException on reading, if the index has not been added
     */
    <V> Lister<T> by(Index<T, V> index, V value);

    /** The object of {@code key}; empty if it is not cached, or not among the objects of this lister. */
    Optional<T> get(ObjectKey key);

    /** All objects of this lister, as an immutable list in no particular order. */
    List<T> list();

    /**
     * The objects of this lister that match the labels of {@code selector}, as an immutable list in no particular order.
     *
     * @throws IllegalArgumentException if {@code selector} names fields, which only the server can match, or shards, or if it names
     *     labels and objects of this class do not expose any
     */
    List<T> list(Selector selector);

    /**
     * The objects of this lister that match {@code predicate}, as an immutable list in no particular order. What the predicate throws
     * reaches the caller.
     */
    List<T> list(Predicate<? super T> predicate);

    /** The keys of the objects of this lister, as an immutable list in no particular order. */
    List<ObjectKey> keys();

    /** How many objects this lister has. */
    int count();
}
