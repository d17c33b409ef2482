package io.reactiveinformer.informer;

import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Lister;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/** Keeps the objects of one type current, serves them to readers, and tells subscribers of changes. Shared by all who ask for the same. */
public interface Informer<T> extends View<ObjectKey, T> {

    /**
     * Of one source, for those that no factory makes: a script in a test, a server behind something else. Not shared, and not started.
     *
     * @param options what they say of known objects is overridden
     */
    static <T> Informer<T> over(ListerWatcher<T> source, ReflectorOptions<?> options) {
        return new SharedInformer<>(source.description(), source.part(), part -> source, options, null);
    }

    /** As {@link #over(ListerWatcher, ReflectorOptions)}, of a source for each {@linkplain Scope#parts() part} of {@code scope}. */
    static <T> Informer<T> over(
            String description, Scope scope, Function<Scope, ListerWatcher<T>> sources, ReflectorOptions<?> options) {
        return new SharedInformer<>(description, scope, sources, options, null);
    }

    /** What this keeps, for messages: {@code pods.v1 in namespace prod}. */
    String description();

    Scope scope();

    /**
     * Is of {@code scope} from now on, for all who share this. What was kept of a namespace that is gone leaves, as
     * {@link io.reactiveinformer.delta.DeletionCause#LEFT}; one that is new is listed, and its objects arrive as additions that are not initial.
     * Others are not disturbed. Until what is new has been listed, this is not complete: {@link #status} tells which namespace is waited for.
     *
     * @throws IllegalArgumentException if only one of the old and the new scope is {@link Scope#all()}
     */
    void resize(Scope scope);

    /**
     * Holds, from now on, only objects of whose key {@code which} says yes, for all who share this: others leave, as
     * {@link io.reactiveinformer.delta.DeletionCause#LEFT}, and are passed by before they are decoded. What is held stays; it is listed again for what
     * is not, and this is not complete before. Completes when it is. Works when it is subscribed to.
     *
     * @param which quick, and the same each time; called by whoever reads. An object of which it throws is held
     * @throws IllegalStateException if this begins with what was {@linkplain InformerSpec#warmStart saved}: that may be another part of it
     */
    Mono<Void> keep(Predicate<? super ObjectKey> which);

    /** As {@link #keep}, of a part of what is held: nothing is listed, and this stays complete. To be called after {@link #keep} has completed. */
    void narrow(Predicate<? super ObjectKey> which);

    /** Reads from the cache as it is now. Before {@link #synced} it may be empty or incomplete. */
    Lister<T> lister();

    /**
     * As {@link #synced}; fails after {@code timeout} with {@link NotSyncedException}, which says what stood in the way: the state, the last
     * refusal, how many tries have failed and when the next one is. (A {@code timeout} of Reactor's cannot know that.)
     */
    Mono<Void> synced(Duration timeout);

    /** Registers {@code index}; completes when it is filled, so that snapshots from then on have it. Registering it again does nothing. */
    Mono<Void> addIndex(Index<T, ?> index);

    /** As {@link #addEventHandler(ResourceEventHandler, Delivery)}, with {@link Delivery#conflated()}. */
    default HandlerRegistration addEventHandler(ResourceEventHandler<T> handler) {
        return addEventHandler(handler, Delivery.conflated());
    }

    /** As {@link #addEventHandler(ResourceEventHandler, Delivery)}; each object is told again as an update of itself once a period. */
    default HandlerRegistration addEventHandler(ResourceEventHandler<T> handler, Duration resyncPeriod) {
        return addEventHandler(handler, Delivery.resync(resyncPeriod));
    }

    /** Tells {@code handler} what is there, then what happens, until the registration is disposed of or this is stopped. */
    HandlerRegistration addEventHandler(ResourceEventHandler<T> handler, Delivery delivery);

    /**
     * The object of {@code key} once it is there and {@code condition} holds: at once, or after a change that makes it so. States that last
     * only for a moment may be missed. What an earlier process {@linkplain InformerSpec#warmStart saved} does not count before the server has told
     * what happened since; nor does anything before the first complete list. Waits for ever if need be: give it a {@code timeout}. Fails if this gives up, with
     * {@link InformerStoppedException} if it is stopped first, and with {@link IllegalArgumentException} if {@code key} is outside of the scope, now or
     * when that has become {@linkplain #resize another}.
     */
    Mono<T> await(ObjectKey key, Predicate<? super T> condition);

    /** Completes once this is complete and has no object of {@code key}. Otherwise as {@link #await}. */
    Mono<Void> awaitAbsent(ObjectKey key);

    /**
     * The cache, once it has all that happened to {@code key} up to {@code resourceVersion}: what the server answered to a write is then seen
     * by who reads. Waits and fails as {@link #await}.
     *
     * @param resourceVersion as the server gave it; one that is not a number is only reached where it is met itself
     */
    Mono<Snapshot<ObjectKey, T>> atLeast(ObjectKey key, String resourceVersion);

    /** Starts listing and watching. Returns at once; starting again does nothing. */
    void start();

    /** Stops listing and watching, for good. Subscribers get what is pending, then complete; the cache stays readable. */
    void stop();
}
