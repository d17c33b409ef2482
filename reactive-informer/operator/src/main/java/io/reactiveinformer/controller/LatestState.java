package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.RetryOnConflict;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Repeats a write with the current state of an object, if another writer was faster. */
final class LatestState {

    private LatestState() {}

    static V1ObjectMeta metadata(Object object) {
        return PartialObjectMetadata.of(object).metadata();
    }

    static ObjectKey key(Object object) {
        V1ObjectMeta metadata = metadata(object);
        return ObjectKey.of(metadata.getNamespace(), Objects.requireNonNull(metadata.getName(), "name"));
    }

    /**
     * Calls {@code write} with {@code seen}, and after each conflict with what the server has then, five times at most. Empty if the object
     * is gone, or is another one of that name.
     *
     * @param seen a state of the object, as a rule the cached one
     * @param write writes with the version of its argument as a precondition; may be empty
     */
    static <T> Mono<T> write(ResourceClient<T> client, T seen, Function<T, Mono<T>> write) {
        return Mono.defer(() -> {
            var latest = new AtomicReference<>(seen);
            return Mono
                    .defer(() -> {
                        T now = Objects.requireNonNull(latest.get());
                        return isSame(seen, now) ? write.apply(now) : Mono.<T>empty();
                    })
                    .onErrorResume(ConflictException.class, conflict -> client.get(key(seen))
                            .doOnNext(latest::set)
                            .then(Mono.error(conflict)))
                    .retryWhen(RetryOnConflict.quickly())
                    .onErrorResume(NotFoundException.class, gone -> Mono.empty());
        });
    }

    /** Whether {@code one} is a later state of the same object. */
    static boolean isLater(Object one, Object other) {
        return isSame(one, other) && ResourceVersion.isNewer(metadata(one).getResourceVersion(), metadata(other).getResourceVersion());
    }

    /** Whether both are states of the same object. */
    static boolean isSame(Object one, Object other) {
        return Objects.equals(metadata(one).getUid(), metadata(other).getUid());
    }
}
