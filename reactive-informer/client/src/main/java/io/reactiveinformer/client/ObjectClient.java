package io.reactiveinformer.client;

import io.reactiveinformer.resource.ObjectKey;
import reactor.core.publisher.Mono;

/**
 * Requests for one object each: for the whole object ({@link ResourceClient}) or a part of it ({@link ResourceClient.Subresource}). Each
 * subscription sends the request.
 *
 * <p>{@code create}, {@code update} and {@code apply} fail with {@link IllegalArgumentException} for a type that reads only a part of its
 * objects, metadata or a projection: use {@link #patch}, or the type itself.
 */
interface ObjectClient<T> {

    /** Emits the current state of the object. Fails with {@link io.reactiveinformer.resource.NotFoundException} if there is none. */
    Mono<T> get(ObjectKey key);

    /** As {@link #update(ObjectKey, Object, WriteOptions)}, with {@link WriteOptions#defaults}. */
    default Mono<T> update(ObjectKey key, T object) {
        return update(key, object, WriteOptions.defaults());
    }

    /**
     * Replaces the object, and emits it as the server has stored it. Fails with {@link io.reactiveinformer.resource.ConflictException} if
     * {@code object} has a resourceVersion and the server has another one, so that another writer was faster.
     *
     * <p>What the class of the object does not have is not lost. An object of a class or record of the user is read from the server first,
     * by a GET, for which the right is needed; what {@code object} has other than the class makes of the server's object is written over
     * it, and all else stays: fields that the class lacks, and what is empty or null. The same holds for a model, once the client has read
     * an object of it with a field that the model does not have, from a newer server; until then, and for trees, the only request is the
     * PUT. Elements of lists are matched by their name or another key. Fails with {@link IllegalArgumentException}, and writes nothing, if
     * that is impossible and fields would be lost.
     */
    Mono<T> update(ObjectKey key, T object, WriteOptions options);

    /** As {@link #patch(ObjectKey, Patch, WriteOptions)}, with {@link WriteOptions#defaults}. */
    default Mono<T> patch(ObjectKey key, Patch patch) {
        return patch(key, patch, WriteOptions.defaults());
    }

    /** Changes the object as {@code patch} says, and emits it as the server has stored it. */
    Mono<T> patch(ObjectKey key, Patch patch, WriteOptions options);

    /**
     * Server-side apply: the fields that {@code object} sets get these values and are owned by the field manager; fields that this manager
     * applied before and that {@code object} does not set are removed. Creates the object if there is none, and emits it as the server has
     * stored it. Fails with {@link io.reactiveinformer.resource.ConflictException} if another manager owns a field that would change,
     * unless {@link WriteOptions#force}, and with {@link IllegalArgumentException} if there is no field manager.
     *
     * @param object only the intended fields, not an object that was read: the field manager would own all of its fields
     * @param options with a {@link WriteOptions#fieldManager}
     */
    Mono<T> apply(ObjectKey key, T object, WriteOptions options);
}
