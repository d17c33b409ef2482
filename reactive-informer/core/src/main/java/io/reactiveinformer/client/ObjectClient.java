package io.reactiveinformer.client;

import io.reactiveinformer.resource.ObjectKey;
import reactor.core.publisher.Mono;

/** What is done to one object at a time, to the whole of it ({@link ResourceClient}) or to a part ({@link Subresource}). */
public interface ObjectClient<T> {

    /** Fails with {@link io.reactiveinformer.resource.NotFoundException} if there is no such object. */
    Mono<T> get(ObjectKey key);

    default Mono<T> update(ObjectKey key, T object) {
        return update(key, object, WriteOptions.defaults());
    }

    /** Replaces the object; fails with {@link io.reactiveinformer.resource.ConflictException} if it has changed since it was read. */
    Mono<T> update(ObjectKey key, T object, WriteOptions options);

    default Mono<T> patch(ObjectKey key, Patch patch) {
        return patch(key, patch, WriteOptions.defaults());
    }

    /** Changes the object, and gives it as it is then. */
    Mono<T> patch(ObjectKey key, Patch patch, WriteOptions options);

    /**
     * Server-side apply: the fields that {@code object} sets become so and are ours; those that we set before and no longer do are removed.
     * Creates the object if there is none. Fails with {@link io.reactiveinformer.resource.ConflictException} if others own a field that would
     * change, unless {@link WriteOptions#force}.
     *
     * @param object what we mean, not what was read: a read object's fields would all become ours
     * @param options with a {@link WriteOptions#fieldManager}
     */
    Mono<T> apply(ObjectKey key, T object, WriteOptions options);
}
