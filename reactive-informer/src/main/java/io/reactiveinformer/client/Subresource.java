package io.reactiveinformer.client;

import io.reactiveinformer.resource.ObjectKey;
import reactor.core.publisher.Mono;

/**
 * A part of an object with a path of its own, such as {@code status} or {@code scale}. {@code key} names the object. Failures as in
 * {@link ResourceClient}.
 */
public interface Subresource<S> {

    Mono<S> get(ObjectKey key);

    /** Sends something to the object, as for {@code eviction} and {@code token}. */
    Mono<S> create(ObjectKey key, S object, WriteOptions options);

    default Mono<S> update(ObjectKey key, S object) {
        return update(key, object, WriteOptions.defaults());
    }

    /** Replaces it; fails with {@link io.reactiveinformer.resource.ConflictException} if the object has changed since it was read. */
    Mono<S> update(ObjectKey key, S object, WriteOptions options);

    default Mono<S> patch(ObjectKey key, Patch patch) {
        return patch(key, patch, WriteOptions.defaults());
    }

    Mono<S> patch(ObjectKey key, Patch patch, WriteOptions options);

    /** Server-side apply; see {@link ResourceClient#apply}. */
    Mono<S> apply(ObjectKey key, S object, WriteOptions options);
}
