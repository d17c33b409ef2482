package io.reactiveinformer.informer;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Selector;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Makes informers, one for each (type, scope, selector, transform): who asks for the same gets the same, and a new one once that is over. What is had by {@link #of} is kept
 * until this is closed; what is had by {@link #lease}, while it is leased.
 */
public interface InformerFactory extends AutoCloseable {

    /** Longer than a page takes to be loaded again, which gives up a lease and takes the next. */
    Duration GRACE = Duration.ofMinutes(1);

    static InformerFactory create(KubernetesClient client) {
        return create(client, ReflectorOptions.defaults());
    }

    /** @param options for all of its informers; what they say of known objects is each informer's own business */
    static InformerFactory create(KubernetesClient client, ReflectorOptions<?> options) {
        return create(client, options, GRACE);
    }

    /** @param grace how long an informer that is leased no more goes on, in case it is asked for again */
    static InformerFactory create(KubernetesClient client, ReflectorOptions<?> options, Duration grace) {
        return new SharingInformerFactory(client, options, grace, null);
    }

    /** As {@link #create(KubernetesClient, ReflectorOptions, Duration, SnapshotStore)}, with what is usual. */
    static InformerFactory create(KubernetesClient client, SnapshotStore snapshots) {
        return create(client, ReflectorOptions.defaults(), GRACE, snapshots);
    }

    /**
     * @param snapshots what each informer begins with after a restart, see {@link InformerSpec#warmStart}, unless its spec says otherwise. Secrets,
     *     and what a transform makes, are kept only where the spec says so
     */
    static InformerFactory create(KubernetesClient client, ReflectorOptions<?> options, Duration grace, SnapshotStore snapshots) {
        return new SharingInformerFactory(client, options, grace, snapshots);
    }

    default <T> Informer<T> of(ResourceType<T> type) {
        return of(InformerSpec.of(type));
    }

    default <T> Informer<T> of(ResourceType<T> type, Scope scope) {
        return of(InformerSpec.of(type).in(scope));
    }

    /**
     * Not started yet when it is new, unless the factory is. One that was {@linkplain Informer#resize resized} is still had by the scope that it
     * was made for.
     */
    <T> Informer<T> of(InformerSpec<T> spec);

    /** As {@link #of(InformerSpec)}, of everything that {@code selector} matches. */
    default <T> Informer<T> of(ResourceType<T> type, Scope scope, Selector selector) {
        return of(InformerSpec.of(type).in(scope).select(selector));
    }

    /** As {@link #of(InformerSpec)}, for as long as it is needed. */
    <T> InformerLease<T> lease(InformerSpec<T> spec);

    /** Those made so far, but for those that were stopped, in the order in which they were made. One that has given up is among them until it is asked for again. */
    List<Informer<?>> informers();

    /** Starts all informers made so far, and each made later. Returns at once. */
    void start();

    /** Completes when every informer made so far is synced. Fails when one of them is stopped or gives up first. */
    Mono<Void> synced();

    /** As {@link #synced()}; fails after {@code timeout} with {@link NotSyncedException}, which says of each that is not synced why. */
    Mono<Void> synced(Duration timeout);

    /**
     * When subscribed to, stops all informers as {@link #close} does, and waits: completes when every subscriber, of derived views too, has taken what
     * was pending and every {@linkplain InformerSpec#warmStart snapshot} has been saved. What is not done after {@code grace} is not waited for
     * any longer: it completes, and subscribers who were behind fail with {@link InformerStoppedException}, so that no change is lost unnoticed.
     * A save goes on in the background.
     */
    Mono<Void> stop(Duration grace);

    /** Stops all informers, those made last first. Subscribers get what is pending, then complete, however long that takes them. The client stays open. */
    @Override
    void close();
}
