package io.reactiveinformer.store;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Answers queries from the current cache; each answer shows one instant. Never waits; thread-safe. Objects are shared and must not be
 * changed. Restrictions can be combined: {@code lister.inNamespace("prod").by(BY_NODE, "node-7").list(Selector.labels("app=web"))}.
 *
 * @param <T> the objects
 */
public interface Lister<T> {

    /** A lister of the objects of this one that are in {@code namespace}. */
    Lister<T> inNamespace(String namespace);

    /**
     * A lister of the objects of this one for which {@code index} has {@code value}.
     *
     * <p>The methods of the returned lister throw {@link IllegalArgumentException} as long as the index was not added to the informer or
     * store.
     */
    <V> Lister<T> by(Index<T, V> index, V value);

    /** The object with {@code key}; empty if it is not cached, or not among the objects of this lister. */
    Optional<T> get(ObjectKey key);

    /** All objects of this lister, as an immutable list in no particular order. */
    List<T> list();

    /**
     * The objects of this lister that match the labels of {@code selector}, as an immutable list in no particular order.
     *
     * @throws IllegalArgumentException if {@code selector} has fields, which only the server can match, or shards; or if it has labels, and
     *     the metadata of an object cannot be read, see {@link io.reactiveinformer.resource.PartialObjectMetadata#labels}
     */
    List<T> list(Selector selector);

    /**
     * The objects of this lister that match {@code predicate}, as an immutable list in no particular order. An exception of the predicate
     * is thrown to the caller.
     */
    List<T> list(Predicate<? super T> predicate);

    /** The keys of the objects of this lister, as an immutable list in no particular order. */
    List<ObjectKey> keys();

    /** The number of objects of this lister. */
    int count();
}
