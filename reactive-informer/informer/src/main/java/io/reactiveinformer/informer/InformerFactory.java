package io.reactiveinformer.informer;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.time.Duration;
import java.util.List;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Creates informers and shares them: callers that request the same type, namespaces, selector and transform get the same informer, and a
 * new one after it has stopped or given up. An informer from {@link #of} exists until the factory is closed; one from {@link #lease} as
 * long as it is leased. Thread-safe.
 */
public interface InformerFactory extends AutoCloseable {

    /**
     * The default time for which an informer continues after its last lease. Longer than the reload of a web page, which gives up a lease
     * and takes the next.
     */
    Duration GRACE = Duration.ofMinutes(1);

    /** As {@link #create(KubernetesClient, ReflectorOptions)}, with {@link ReflectorOptions#defaults}. */
    static InformerFactory create(KubernetesClient client) {
        return create(client, ReflectorOptions.defaults());
    }

    /**
     * As {@link #create(KubernetesClient, ReflectorOptions, Duration)}, with {@link #GRACE}.
     *
     * @param options the options of all informers, unless a spec changes them
     */
    static InformerFactory create(KubernetesClient client, ReflectorOptions options) {
        return create(client, options, GRACE);
    }

    /**
     * Creates a factory whose informers begin with a list, unless their spec has a {@linkplain InformerSpec#withWarmStart warm start}.
     * Sends no request. The informers stop when the client is closed.
     *
     * @param client sends the requests of the informers
     * @param options the options of all informers, unless a spec changes them
     * @param grace the time for which an informer continues after its last lease, in case it is requested again
     */
    static InformerFactory create(KubernetesClient client, ReflectorOptions options, Duration grace) {
        return new SharingInformerFactory(client, options, grace, null);
    }

    /** As {@link #create(KubernetesClient, ReflectorOptions, Duration, WarmStartStorage)}, with default options and {@link #GRACE}. */
    static InformerFactory create(KubernetesClient client, WarmStartStorage snapshots) {
        return create(client, ReflectorOptions.defaults(), GRACE, snapshots);
    }

    /**
     * As {@link #create(KubernetesClient, ReflectorOptions, Duration)}, with warm starts.
     *
     * @param snapshots where each informer saves its objects, to begin with them after a restart, unless its spec has another storage; see
     *     {@link InformerSpec#withWarmStart}. Secrets, and results of a transform, are saved only if the spec has a storage
     */
    static InformerFactory create(KubernetesClient client, ReflectorOptions options, Duration grace, WarmStartStorage snapshots) {
        return new SharingInformerFactory(client, options, grace, snapshots);
    }

    /** As {@link #of(InformerSpec)}, for all objects of {@code type} in the cluster. */
    default <T> Informer<T> of(ResourceType<T> type) {
        return of(InformerSpec.of(type));
    }

    /** As {@link #of(InformerSpec)}, for all objects of {@code type} in {@code namespaces}. */
    default <T> Informer<T> of(ResourceType<T> type, Namespaces namespaces) {
        return of(InformerSpec.of(type).withNamespaces(namespaces));
    }

    /**
     * The informer for {@code spec}, shared with all callers that request the same. A new one is started only if this factory is. An
     * informer that was {@linkplain Informer#resize resized} is still found by the namespaces that it was created for.
     *
     * @throws IllegalStateException if this factory is closed
     * @throws IllegalArgumentException if the class of the objects cannot be decoded, or if the spec saves results of a transform without
     *     an edition, or under the edition of another transform
     */
    <T> Informer<T> of(InformerSpec<T> spec);

    /** As {@link #of(InformerSpec)}, for the objects of {@code type} in {@code namespaces} that {@code selector} matches. */
    default <T> Informer<T> of(ResourceType<T> type, Namespaces namespaces, Selector selector) {
        return of(InformerSpec.of(type).withNamespaces(namespaces).withSelector(selector));
    }

    /**
     * As {@link #of(InformerSpec)}, but the informer is stopped when it is not needed any more: the caller must dispose of the returned
     * lease.
     */
    <T> Handle<T> lease(InformerSpec<T> spec);

    /**
     * The informers that were created so far, in the order of their creation, without those that were stopped. One that has given up is
     * included until it is requested again.
     */
    List<Informer<?>> informers();

    /** Starts all informers that were created so far, and each that is created later. Returns at once. No effect after the first call. */
    void start();

    /**
     * Completes when each informer that was created before the subscription is synced. Fails when one of them is stopped or gives up
     * before.
     */
    Mono<Void> synced();

    /**
     * As {@link #synced()}, but fails after {@code timeout} with {@link NotSyncedException}, which has the reason for each informer that is
     * not synced.
     */
    Mono<Void> synced(Duration timeout);

    /**
     * On subscription, stops all informers as {@link #close} does. Completes when each subscriber, also of derived views, has received the
     * pending changes, and each {@linkplain InformerSpec#withWarmStart snapshot} is saved; or when {@code grace} is over. Subscribers that
     * have not received all changes then fail with {@link InformerStoppedException}, so that no change is lost unnoticed. A save continues
     * in the background.
     */
    Mono<Void> stop(Duration grace);

    /**
     * Stops all informers, the latest first, and returns without waiting. Subscribers receive the pending changes, then complete, without a
     * time limit. The client stays open.
     */
    @Override
    void close();

    /**
     * A lease of an informer. Disposing of the last lease stops the informer after the grace time, unless it is requested again. Disposing
     * of a lease twice has no further effect.
     *
     * @param <T> the objects
     */
    interface Handle<T> extends Disposable {

        /** The leased informer; the same at each call. Do not use it after the lease is disposed of, as it may be stopped then. */
        Informer<T> informer();
    }
}
