package io.reactiveinformer.store;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import java.util.List;
import java.util.Optional;

/** Answers queries from the cache as it is now. Never waits. Objects are shared: read-only. */
public interface Lister<T> {

    Lister<T> inNamespace(String namespace);

    Optional<T> get(ObjectKey key);

    List<T> list();

    /**
     * @throws IllegalArgumentException if {@code selector} names fields, which only the server can match, or if objects of this form keep no
     *     labels
     */
    List<T> list(Selector selector);
}
