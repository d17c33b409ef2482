package io.reactiveinformer.controller;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Keeps a deleted object until an effect outside of the cluster is undone.
 *
 * <pre>{@code
 * Finalizer<Website> cached = Finalizer.of("example.com/cache", client, Website.TYPE, websites);
 * … cached.around(request, website, this::publish, gone -> purge(gone))
 * }</pre>
 *
 * <p>The finalizer is on the object before the first effect, and is taken off after the cleanup. Other finalizers, also those that are
 * written at the same time, stay. The cache of a replica that begins to lead may be older than the effects of the one before it, so the
 * first time that a {@link Controller#run} finds the finalizer on an object, the object is read from the server, and again before each
 * cleanup: nothing is begun for one that is gone, and the object that replaced it is not cleaned up. Thread-safe.
 *
 * @param <T> the objects; their class must have {@code metadata.finalizers}
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/">Kubernetes: finalizers</a>
 */
public final class Finalizer<T> {

    /** A cache that lags is behind for seconds. */
    private static final Duration CACHE_LAGS = Duration.ofSeconds(30);

    private final String name;
    private final ResourceClient<T> client;
    private final Informer<T> cache;

    /** By {@linkplain ReconcileRequest#term term}: the uid of each object that lives and has the finalizer, as the server said. */
    private final Map<Object, Map<ObjectKey, String>> terms = Collections.synchronizedMap(new WeakHashMap<>());

    private Finalizer(String name, ResourceClient<T> client, Informer<T> cache) {
        this.name = name;
        this.client = client;
        this.cache = cache;
    }

    /**
     * A finalizer.
     *
     * @param name with a domain, such as {@code example.com/cache}
     * @param cache an informer of the objects
     * @throws IllegalArgumentException if {@code name} has no domain, which servers refuse
     */
    public static <T> Finalizer<T> of(String name, KubernetesClient client, ResourceType<T> type, Informer<T> cache) {
        int slash = name.indexOf('/');
        if (slash < 1 || slash == name.length() - 1 || slash != name.lastIndexOf('/')) {
            throw new IllegalArgumentException("a finalizer needs a domain, such as example.com/cache; was \"" + name + "\"");
        }
        return new Finalizer<>(name, client.resources(type), cache);
    }

    /** The name that objects have in {@code metadata.finalizers}. */
    public String name() {
        return name;
    }

    /** Whether {@code object} has the finalizer. */
    public boolean isOn(T object) {
        return finalizers(object).contains(name);
    }

    /**
     * Works on an object that lives, and cleans up after one that is being deleted. {@code work} is called when the object has the
     * finalizer, with the object in that state. {@code cleanup} is called if the object is being deleted and has the finalizer, which is
     * removed when its {@code Mono} completes. If that or the removal fails, so does the result, and both are repeated: cleaning up what is
     * clean must succeed. Empty if there is nothing to do; {@link Result#again} if the server does not have the object, or is deleting it
     * while the cache has it alive.
     *
     * @param object as it is cached
     */
    public Mono<Result> around(ReconcileRequest<?> request, T object, Function<? super T, Mono<Result>> work,
            Function<? super T, Mono<Void>> cleanup) {
        return ifThere(live(request, object), now -> {
            if (isLeaving(now)) {
                return isOn(now) ? cleanup.apply(now).then(Mono.defer(() -> remove(request, now))).then(Mono.empty()) : Mono.empty();
            }
            return ifThere(add(request, now), work);
        });
    }

    /** Where the server does not have the object, the cache will lose it soon; or the server did not serve the type for a moment. */
    private static <T> Mono<Result> ifThere(Mono<T> object, Function<? super T, Mono<Result>> then) {
        return object.map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(there -> there.isPresent() ? then.apply(there.get()) : Mono.just(Result.again(CACHE_LAGS)));
    }

    private Map<ObjectKey, String> marked(ReconcileRequest<?> request) {
        return terms.computeIfAbsent(request.term(), begun -> new ConcurrentHashMap<>());
    }

    private void forget(ObjectKey key) {
        synchronized (terms) {
            terms.values().forEach(marked -> marked.remove(key));
        }
    }

    private static boolean isLeaving(Object object) {
        return ObjectWrites.metadata(object).getDeletionTimestamp() != null;
    }

    /**
     * The object; read from the server if only the cache says that it has the finalizer, and before each cleanup. Empty if it is gone, or
     * another object has its name.
     */
    private Mono<T> live(ReconcileRequest<?> request, T object) {
        return Mono.defer(() -> {
            ObjectKey key = ObjectWrites.key(object);
            String uid = uid(object);
            if (!isOn(object) || !isLeaving(object) && uid.equals(marked(request).get(key))) {
                return Mono.just(object);
            }
            return client.get(key)
                    .onErrorResume(NotFoundException.class, gone -> Mono.empty())
                    .filter(now -> ObjectWrites.isSame(object, now))
                    .doOnNext(now -> {
                        if (isOn(now) && !isLeaving(now)) {
                            marked(request).put(key, uid);
                        }
                    });
        });
    }

    private static String uid(Object object) {
        return String.valueOf(ObjectWrites.metadata(object).getUid());
    }

    /**
     * Adds the finalizer, unless {@code object} has it, and emits the object with it. Empty if the object is gone or being deleted: then
     * nothing may be begun that has to be cleaned up. If another writer was faster, it is tried again, a few times.
     */
    public Mono<T> add(ReconcileRequest<?> request, T object) {
        return live(request, object).flatMap(now -> ObjectWrites.write(client, now, latest -> {
            if (isLeaving(latest)) {
                return Mono.empty();
            } else if (isOn(latest)) {
                return Mono.just(latest);
            }
            List<String> more = new ArrayList<>(finalizers(latest));
            more.add(name);
            return patch(request, latest, more);
        })).doOnNext(marked -> marked(request).put(ObjectWrites.key(marked), uid(marked)));
    }

    /** Removes the finalizer, if the object has it; completes if it has not, or is gone. Tried again as {@link #add}. */
    public Mono<Void> remove(ReconcileRequest<?> request, T object) {
        return Mono.defer(() -> {
            forget(ObjectWrites.key(object)); // before the request, since its answer may be lost
            return ObjectWrites.write(client, object, latest -> {
                List<String> fewer = finalizers(latest).stream().filter(other -> !other.equals(name)).toList();
                return isOn(latest) ? patch(request, latest, fewer) : Mono.empty();
            }).then();
        });
    }

    private static List<String> finalizers(Object object) {
        List<String> finalizers = ObjectWrites.metadata(object).getFinalizers();
        return finalizers == null ? List.of() : finalizers;
    }

    /** Changes exactly the version that was read: the list is replaced as a whole, and others may have written to it. */
    private Mono<T> patch(ReconcileRequest<?> request, T latest, List<String> finalizers) {
        String version = String.valueOf(ObjectWrites.metadata(latest).getResourceVersion());
        return client.patch(ObjectWrites.key(latest),
                        Patch.merge(Map.of("metadata", Map.of("resourceVersion", version, "finalizers", finalizers))))
                .doOnNext(request.wrote(cache));
    }
}
