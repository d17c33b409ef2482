package io.reactiveinformer.client;

import io.reactiveinformer.resource.ObjectKey;
import reactor.core.publisher.Mono;

/**
 * A part of an object with a path of its own, such as {@code status} or {@code scale}. {@code key} names the object. Failures as in
 * {@link ResourceClient}.
 */
public interface Subresource<S> extends ObjectClient<S> {

    /** Creates the subresource of the object, as for {@code eviction} and {@code token}, and emits the answer. */
    Mono<S> create(ObjectKey key, S object, WriteOptions options);
}
