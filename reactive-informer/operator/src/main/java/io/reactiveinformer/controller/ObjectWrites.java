package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.RetryOnConflict;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What those share that write objects: which object and version a state is, and a write that is repeated with the current
 * state if another writer was faster.
 */
final class ObjectWrites {

    /** Below this number nothing is forgotten. */
    private static final int FEW = 64;

    private ObjectWrites() {}

    static V1ObjectMeta metadata(Object object) {
        return PartialObjectMetadata.of(object).metadata();
    }

    static ObjectKey key(Object object) {
        V1ObjectMeta metadata = metadata(object);
        return ObjectKey.of(metadata.getNamespace(), Objects.requireNonNull(metadata.getName(), "name"));
    }

    static @Nullable String version(Object object) {
        return metadata(object).getResourceVersion();
    }

    /** Removes what is not cached any more from what is {@code known} of objects, when that may be half of it. */
    static void forget(Map<ObjectKey, ?> known, Informer<?> cache) {
        if (known.size() > Math.max(FEW, 2 * cache.lister().count())) {
            known.keySet().removeIf(key -> cache.lister().get(key).isEmpty());
        }
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
        return isSame(one, other) && ResourceVersion.isNewer(version(one), version(other));
    }

    /** Whether both are states of the same object. */
    static boolean isSame(Object one, Object other) {
        return Objects.equals(metadata(one).getUid(), metadata(other).getUid());
    }
}
