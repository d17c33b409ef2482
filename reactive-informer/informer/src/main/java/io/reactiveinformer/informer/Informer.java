package io.reactiveinformer.informer;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.warmstart.Saved;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Lister;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/**
 * Keeps the objects of one type current, serves them to readers, and notifies subscribers of changes. Callers that request the same objects
 * from a factory share one informer. Thread-safe; no method blocks.
 *
 * @param <T> the objects
 */
public interface Informer<T> extends View<ObjectKey, T> {

    /**
     * An informer over one source, without a factory: for a scripted source in a test, or for a server that is not reached by a
     * {@link io.reactiveinformer.client.KubernetesClient}. It is not shared, and not started.
     *
     * @param source lists and watches the objects
     * @param options the options of its reflectors
     */
    static <T> Informer<T> over(ListerWatcher<T> source, ReflectorOptions options) {
        return over(source.identity().description(), source.identity().part(), part -> source, options);
    }

    /**
     * As {@link #over(ListerWatcher, ReflectorOptions)}, but begins with {@code saved} in its cache, serves it at once, and continues
     * without a list. A server whose history does not reach back that far is listed after all, and so is one that does not show that
     * {@code saved} is of its history, or that sends nothing at all to the first watch. For an informer of a factory, see
     * {@link InformerSpec#withWarmStart}.
     *
     * @param saved what an earlier process saved; read once, and not written to
     * @param resourceVersion up to which {@code saved} is complete; one that the server sent, never "0" or none
     * @throws IllegalArgumentException if {@code resourceVersion} is empty or "0"
     */
    static <T> Informer<T> over(ListerWatcher<T> source, Known<T> saved, String resourceVersion, ReflectorOptions options) {
        Instant now = Instant.ofEpochMilli(options.timer().now(TimeUnit.MILLISECONDS));
        return new SharedInformer<>(source.identity().description(), source.identity().part(), part -> source, options, Set.of(), null,
                Saved.of(saved, source.identity().part(), ResourceVersion.requireSent(resourceVersion), now));
    }

    /**
     * As {@link #over(ListerWatcher, ReflectorOptions)}, with one source for each {@linkplain Namespaces#parts() part} of
     * {@code namespaces}.
     *
     * @param description the name in messages
     * @param sources called with each part, also with those that a later {@link #resize} adds
     */
    static <T> Informer<T> over(
            String description, Namespaces namespaces, Function<Namespaces, ListerWatcher<T>> sources, ReflectorOptions options) {
        return new SharedInformer<>(description, namespaces, sources, options, Set.of(), null, null);
    }

    /** Describes the objects of this informer, for messages: {@code pods.v1 in namespace prod}. */
    String description();

    /** The current namespaces: those of the latest {@link #resize}, or else those that this informer was created for. */
    Namespaces namespaces();

    /**
     * Changes the namespaces, for all callers that share this informer. Returns without waiting for the server. The objects of removed
     * namespaces are deleted from the cache, with {@link io.reactiveinformer.delta.DeletionCause#LEFT}. Added namespaces are listed, and
     * their objects are emitted as additions that are not initial. The other namespaces are not affected. The informer is not synced until
     * the added namespaces are listed; {@link #status} shows the status of each. No effect after {@link #stop}.
     *
     * @throws IllegalArgumentException if the present or the new namespaces are {@link Namespaces#all()}, but not both
     */
    void resize(Namespaces namespaces);

    /**
     * A lister that reads the current cache at each call. Before the informer is {@link #synced}, the cache may be empty or incomplete. A
     * namespace that is not among the {@link #namespaces} has no objects there, whatever the server has: reading it is logged
     * once, for the first 16 such namespaces.
     */
    Lister<T> lister();

    /**
     * Whether a complete state of each current namespace was received. Stays true in an outage and after the end; {@link #status} shows
     * whether the cache is current.
     */
    boolean hasSynced();

    /**
     * As {@link #synced()}, but fails after {@code timeout} with {@link NotSyncedException}, which has the reason: the state, the last
     * failure, the number of failed tries, and the time of the next one. Reactor's {@code timeout} operator has no such reason.
     */
    Mono<Void> synced(Duration timeout);

    /**
     * Adds {@code index}. Takes effect on subscription; completes when the index is filled, so that later snapshots have it. Adding it
     * again has no effect. Fails if the index cannot be filled; the informer continues.
     */
    Mono<Void> addIndex(Index<T, ?> index);

    /** As {@link #addEventHandler(ResourceEventHandler, Delivery)}, with {@link Delivery#conflated()}. */
    default ResourceEventHandler.Registration addEventHandler(ResourceEventHandler<T> handler) {
        return addEventHandler(handler, Delivery.conflated());
    }

    /**
     * As {@link #addEventHandler(ResourceEventHandler, Delivery)}, and calls {@code onUpdate} for each cached object again in each period.
     *
     * @throws IllegalArgumentException if {@code resyncPeriod} is zero or negative
     */
    default ResourceEventHandler.Registration addEventHandler(ResourceEventHandler<T> handler, Duration resyncPeriod) {
        return addEventHandler(handler, Delivery.conflated().resync(resyncPeriod));
    }

    /**
     * Calls {@code handler} for each cached object, then for each change, until the registration is disposed of or this informer is
     * stopped. Calls of one registration never overlap. They begin when the first complete state was received. May be called before
     * {@link #start}.
     *
     * @param delivery determines the threads of the calls, and whether changes during a call are conflated. Where more changes wait than
     *     {@link Delivery#every} allows, that is logged, and the handler is called with the state that it had of each object before, and
     *     the present one; {@link #subscribers} says how many states it has missed
     */
    ResourceEventHandler.Registration addEventHandler(ResourceEventHandler<T> handler, Delivery delivery);

    /**
     * Emits the object with {@code key} when it is cached and {@code condition} accepts it: at once, or after a change. States that last
     * only for a moment may be missed. Objects count only when the first complete list was received, and objects that an earlier process
     * {@linkplain InformerSpec#withWarmStart saved} only when the server has sent the later changes. Waits without a limit, also if the
     * server refuses the list; {@link #await(ObjectKey, Predicate, Duration)} has a limit. Fails if the informer gives up, with
     * {@link InformerStoppedException} if it is stopped before, and with {@link IllegalArgumentException} if {@code key} is outside of the
     * namespaces, at the subscription or after a {@link #resize}.
     */
    Mono<T> await(ObjectKey key, Predicate<? super T> condition);

    /**
     * As {@link #await(ObjectKey, Predicate)}, but fails after {@code timeout} with {@link NotSyncedException}, which has the reason: the
     * state of the informer, or of the namespace of {@code key} if there are several, its last failure, and the time of the next try.
     * Reactor's {@code timeout} operator has no such reason.
     */
    Mono<T> await(ObjectKey key, Predicate<? super T> condition, Duration timeout);

    /**
     * Completes when the cache is complete and has no object with {@code key}. Waits and fails as {@link #await(ObjectKey, Predicate)}.
     */
    Mono<Void> awaitAbsent(ObjectKey key);

    /** As {@link #awaitAbsent(ObjectKey)}, with the time limit of {@link #await(ObjectKey, Predicate, Duration)}. */
    Mono<Void> awaitAbsent(ObjectKey key, Duration timeout);

    /**
     * Emits a snapshot of the cache when it contains all changes of {@code key} up to {@code resourceVersion}, so that readers see the
     * result of a write. Waits and fails as {@link #await(ObjectKey, Predicate)}.
     *
     * @param key the key of the written object
     * @param resourceVersion the version with which the server answered the write; one that is not a number is reached only by an equal one
     */
    Mono<Snapshot<ObjectKey, T>> atLeast(ObjectKey key, String resourceVersion);

    /** As {@link #atLeast(ObjectKey, String)}, with the time limit of {@link #await(ObjectKey, Predicate, Duration)}. */
    Mono<Snapshot<ObjectKey, T>> atLeast(ObjectKey key, String resourceVersion, Duration timeout);

    /** Starts listing and watching. Returns at once. No effect after the first call, and after {@link #stop}. */
    void start();

    /** Stops listing and watching permanently. Subscribers receive the pending changes, then complete; the cache stays readable. */
    void stop();
}
