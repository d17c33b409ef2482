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
 * Makes informers, one for each (type, namespaces, selector, transform): callers that ask for the same get the same, and a new one after
 * that one has stopped or given up. An informer from {@link #of} is kept until this is closed; one from {@link #lease}, while it is leased.
 * Any thread may call.
 */
public interface InformerFactory extends AutoCloseable {

    /**
     * How long an informer goes on after its last lease, by default. Longer than a web page takes to reload, which gives up a lease and
     * takes the next.
     */
    Duration GRACE = Duration.ofMinutes(1);

    /** As {@link #create(KubernetesClient, ReflectorOptions)}, with {@link ReflectorOptions#defaults}. */
    static InformerFactory create(KubernetesClient client) {
        return create(client, ReflectorOptions.defaults());
    }

    /**
     * As {@link #create(KubernetesClient, ReflectorOptions, Duration)}, with {@link #GRACE}.
     *
     * @param options for all of its informers, except the known objects, which are each informer's own
     */
    static InformerFactory create(KubernetesClient client, ReflectorOptions options) {
        return create(client, options, GRACE);
    }

    /**
     * A factory over {@code client}, whose informers begin with a list unless their spec has a {@linkplain InformerSpec#warmStart store}.
     * It sends nothing; its informers stop when the client is closed.
     *
     * @param options for all of its informers, except the known objects, which are each informer's own
     * @param grace how long an informer goes on after its last lease, in case it is asked for again
     */
    static InformerFactory create(KubernetesClient client, ReflectorOptions options, Duration grace) {
        return new SharingInformerFactory(client, options, grace, null);
    }

    /** As {@link #create(KubernetesClient, ReflectorOptions, Duration, WarmStartStorage)}, with default options and {@link #GRACE}. */
    static InformerFactory create(KubernetesClient client, WarmStartStorage snapshots) {
        return create(client, ReflectorOptions.defaults(), GRACE, snapshots);
    }

    /**
     * As {@link #create(KubernetesClient, ReflectorOptions, Duration)}, with a store for restarts.
     *
     * @param snapshots what each informer begins with after a restart, see {@link InformerSpec#warmStart}, unless its spec says otherwise.
     *     Secrets, and what a transform makes, are saved only where the spec says so
     */
    static InformerFactory create(KubernetesClient client, ReflectorOptions options, Duration grace, WarmStartStorage snapshots) {
        return new SharingInformerFactory(client, options, grace, snapshots);
    }

    /** As {@link #of(InformerSpec)}, of all objects of {@code type} in the cluster. */
    default <T> Informer<T> of(ResourceType<T> type) {
        return of(InformerSpec.of(type));
    }

    /** As {@link #of(InformerSpec)}, of all objects of {@code type} in {@code namespaces}. */
    default <T> Informer<T> of(ResourceType<T> type, Namespaces namespaces) {
        return of(InformerSpec.of(type).in(namespaces));
    }

    /**
     * The informer for {@code spec}, shared with all callers that ask for the same. A new one is not started, unless this factory is. One
     * that was {@linkplain Informer#resize resized} is still found by the namespaces that it was made for.
     *
     * @throws IllegalStateException if this factory is closed
     * @throws IllegalArgumentException if the spec saves what a transform makes without naming an edition, or under the edition of another
     *     transform
     */
    <T> Informer<T> of(InformerSpec<T> spec);

    /** As {@link #of(InformerSpec)}, of all objects of {@code type} in {@code namespaces} that {@code selector} matches. */
    default <T> Informer<T> of(ResourceType<T> type, Namespaces namespaces, Selector selector) {
        return of(InformerSpec.of(type).in(namespaces).select(selector));
    }

    /** As {@link #of(InformerSpec)}, for as long as it is needed: the caller disposes of the lease. */
    <T> Handle<T> lease(InformerSpec<T> spec);

    /**
     * The informers made so far, in the order in which they were made, without those that were stopped. One that has given up is among them
     * until it is asked for again.
     */
    List<Informer<?>> informers();

    /** Starts all informers made so far, and each made later. Returns at once; starting again does nothing. */
    void start();

    /** Completes when every informer made so far is synced. Fails when one of them is stopped or gives up first. */
    Mono<Void> synced();

    /**
     * As {@link #synced()}; fails after {@code timeout} with {@link NotSyncedException}, which says for each informer that is not synced
     * why.
     */
    Mono<Void> synced(Duration timeout);

    /**
     * When subscribed to, stops all informers as {@link #close} does, and waits: completes when every subscriber, of derived views too, has
     * taken what was pending, and every {@linkplain InformerSpec#warmStart snapshot} has been saved. After {@code grace} it waits no
     * longer: it completes, and subscribers that are behind fail with {@link InformerStoppedException}, so that no change is lost
     * unnoticed. A save goes on in the background.
     */
    Mono<Void> stop(Duration grace);

    /**
     * Stops all informers, the latest first, and returns without waiting. Subscribers receive what is pending, then complete, however long
     * that takes them. The client stays open.
     */
    @Override
    void close();

    /**
     * An informer, for as long as it is needed. Disposing of the last lease stops it after a grace time, unless it is asked for again.
     * Disposing of a lease twice has no further effect.
     */
    interface Handle<T> extends Disposable {

        /** The leased informer; the same each time. Not to be used after this is disposed of, since it may be stopped then. */
        Informer<T> informer();
    }
}
