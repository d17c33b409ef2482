package io.reactiveinformer.informer;

import io.reactiveinformer.delta.Known;
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
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/**
 * Keeps the objects of one type current, serves them to readers, and notifies subscribers of changes. All callers that ask a factory for
 * the same share one.
 */
public interface Informer<T> extends View<ObjectKey, T> {

    /**
     * An informer over one source, without a factory: over a script in a test, or a server behind something else. Not shared, and not
     * started.
     */
    static <T> Informer<T> over(ListerWatcher<T> source, ReflectorOptions options) {
        return over(source.description(), source.part(), part -> source, options);
    }

    /**
     * As {@link #over(ListerWatcher, ReflectorOptions)}, but begins with {@code saved} in its cache, serves it at once, and continues
     * without a list. A server whose history does not reach back that far is listed after all, and so is one that sends nothing at all to
     * the first watch. For an informer of a factory, see {@link InformerSpec#warmStart}.
     *
     * @param saved what an earlier process saved; read once, and not written to
     * @param resourceVersion up to which {@code saved} is complete; one that the server sent, never "0" or none
     * @throws IllegalArgumentException if {@code resourceVersion} is empty or "0"
     */
    static <T> Informer<T> over(ListerWatcher<T> source, Known<T> saved, String resourceVersion, ReflectorOptions options) {
        Instant now = Instant.ofEpochMilli(options.timer().now(TimeUnit.MILLISECONDS));
        return new SharedInformer<>(source.description(), source.part(), part -> source, options, null,
                Saved.of(saved, source.part(), ResourceVersion.requireSent(resourceVersion), now));
    }

    /**
     * As {@link #over(ListerWatcher, ReflectorOptions)}, with one source for each {@linkplain Namespaces#parts() part} of {@code
     * namespaces}.
     *
     * @param sources called with each part, also with those that a later {@link #resize} adds
     */
    static <T> Informer<T> over(
            String description, Namespaces namespaces, Function<Namespaces, ListerWatcher<T>> sources, ReflectorOptions options) {
        return new SharedInformer<>(description, namespaces, sources, options, null, null);
    }

    /** What this keeps, for messages: {@code pods.v1 in namespace prod}. */
    String description();

    /** The namespaces as of now: those of the latest {@link #resize}, or else those that this was made for. */
    Namespaces namespaces();

    /**
     * Changes the namespaces, for all callers that share this. Returns without waiting for the server. The objects of a namespace that is
     * no longer in the namespaces leave, as {@link io.reactiveinformer.delta.DeletionCause#LEFT}; a namespace that is new is listed, and
     * its objects arrive as additions that are not initial. The other namespaces are not disturbed. Until the new ones have been listed,
     * this is not complete: {@link #status} says which namespace is waited for. Does nothing after {@link #stop}.
     *
     * @throws IllegalArgumentException if only one of the old and the new is {@link Namespaces#all()}
     */
    void resize(Namespaces namespaces);

    /**
     * Caches, from now on, only objects whose key {@code which} accepts, for all callers that share this. The others leave, as
     * {@link io.reactiveinformer.delta.DeletionCause#LEFT}, and are skipped before they are decoded. What is cached stays; the rest is
     * listed again, and until then this is not complete. Completes when it is. Takes effect on subscription.
     *
     * @param which quick, and with the same answer each time; called by any thread that reads. If it throws for a key, the object is kept
     * @throws IllegalStateException if this begins with what was {@linkplain InformerSpec#warmStart saved}: that may be another part of it
     */
    Mono<Void> keep(Predicate<? super ObjectKey> which);

    /**
     * As {@link #keep}, for a predicate that accepts a part of what is cached: nothing is listed, and this stays complete. Call it after
     * {@link #keep} has completed.
     */
    void narrow(Predicate<? super ObjectKey> which);

    /** Reads from the cache as it is now. Before {@link #synced} it may be empty or incomplete. */
    Lister<T> lister();

    /**
     * Whether a complete state has been received, as {@link #synced} awaits it, of every namespace that is watched now. Stays true in an
     * outage and after the end: {@link #status} says whether the cache is current.
     */
    boolean hasSynced();

    /**
     * As {@link #synced}; fails after {@code timeout} with {@link NotSyncedException}, which says what stood in the way: the state, the
     * last refusal, how many tries have failed and when the next one is. (A {@code timeout} of Reactor's cannot know that.)
     */
    Mono<Void> synced(Duration timeout);

    /**
     * Registers {@code index}; completes when it is filled, so that snapshots from then on have it. Takes effect on subscription;
     * registering it again does nothing. Fails if the index throws; the informer goes on.
     */
    Mono<Void> addIndex(Index<T, ?> index);

    /** As {@link #addEventHandler(ResourceEventHandler, Delivery)}, with {@link Delivery#conflated()}. */
    default ResourceEventHandler.Registration addEventHandler(ResourceEventHandler<T> handler) {
        return addEventHandler(handler, Delivery.conflated());
    }

    /**
     * As {@link #addEventHandler(ResourceEventHandler, Delivery)}; each object is delivered again, as an update of itself, once a period.
     */
    default ResourceEventHandler.Registration addEventHandler(ResourceEventHandler<T> handler, Duration resyncPeriod) {
        return addEventHandler(handler, Delivery.resync(resyncPeriod));
    }

    /**
     * Calls {@code handler} for what is cached, then for what happens, until the registration is disposed of or this is stopped. Calls of
     * one registration never overlap. May be called before {@link #start}: the calls begin when the first complete state is there.
     *
     * @param delivery says on which threads, and what becomes of changes that come during a call
     */
    ResourceEventHandler.Registration addEventHandler(ResourceEventHandler<T> handler, Delivery delivery);

    /**
     * The object of {@code key} once it is there and {@code condition} accepts it: at once, or after a change that makes it so. States that
     * last only for a moment may be missed. What an earlier process {@linkplain InformerSpec#warmStart saved} does not count before the
     * server has sent what happened since; nor does anything before the first complete list. Without a {@code timeout}, this may wait
     * without end. Fails if the informer gives up, with {@link InformerStoppedException} if it is stopped first, and with
     * {@link IllegalArgumentException} if {@code key} is outside of the namespaces, at the subscription or after a {@link #resize}.
     */
    Mono<T> await(ObjectKey key, Predicate<? super T> condition);

    /** Completes once this is complete and has no object of {@code key}. Otherwise as {@link #await}. */
    Mono<Void> awaitAbsent(ObjectKey key);

    /**
     * The cache, once it has all that happened to {@code key} up to {@code resourceVersion}: its readers then see what the server answered
     * to a write. Waits and fails as {@link #await}.
     *
     * @param resourceVersion as the server gave it; one that is not a number is only reached by an equal one
     */
    Mono<Snapshot<ObjectKey, T>> atLeast(ObjectKey key, String resourceVersion);

    /** Starts listing and watching. Returns at once; starting again, or after {@link #stop}, does nothing. */
    void start();

    /**
     * Stops listing and watching, for good: it cannot be started again. Subscribers receive what is pending, then complete; the cache stays
     * readable.
     */
    void stop();
}
