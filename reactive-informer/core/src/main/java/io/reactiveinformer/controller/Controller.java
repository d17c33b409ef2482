package io.reactiveinformer.controller;

import io.reactiveinformer.resource.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Works on keys as the rows of its views change.
 *
 * <pre>{@code
 * Controller<ObjectKey> controller = Controller.named("replicasets")
 *         .on(replicaSets, Route.self())
 *         .on(pods, Route.toController(ResourceType.of(V1ReplicaSet.class)))
 *         .reconcile(request -> replicas(request.key()).thenReturn(Result.done()));
 * controller.start();
 * informers.start();
 * }</pre>
 *
 * <p>No key is worked on before every view is synced; none twice at a time; one that fails later again, and no other because of it. A key that was
 * told of while it was worked on is worked on once more. What is there at the beginning, and what is told again, comes after what happens now.
 * Any thread may call; nothing blocks. The views, and what starts and stops them, are the caller's.
 *
 * @param <K> what is worked on, as a rule the {@link ObjectKey} of the object that says what is desired
 */
public interface Controller<K> extends AutoCloseable {

    /** Of objects: the usual kind. */
    static ControllerBuilder<ObjectKey> named(String name) {
        return new ControllerBuilder<>(name);
    }

    /** Of anything with {@code equals} and {@code hashCode}. */
    static <K> ControllerBuilder<K> named(String name, Class<K> keys) {
        return new ControllerBuilder<>(name);
    }

    String name();

    /** Follows its views and works, until closed. Returns at once; starting again does nothing. */
    void start();

    /**
     * Follows its views from now on and keeps what is to be done, but does nothing of it before {@link #start} or {@link #run}: so whoever becomes the
     * leader begins at once, without a list. Returns at once.
     */
    void warm();

    /**
     * As {@link #warm}, and works as long as it is subscribed to. Who cancels ends the work that goes on; its keys wait for the next who subscribes.
     *
     * <pre>{@code
     * elector.whileLeading(term -> controller.run()).subscribe();
     * }</pre>
     *
     * <p>Each {@link Reconciler}'s {@code Mono} sees the context of who subscribes here. Completes when the controller is drained or closed; fails
     * with {@link IllegalStateException} if someone else is at work.
     */
    Mono<Void> run();

    /** Completes when every view is synced; fails with {@link ViewEndedException} if one of them ends before. */
    Mono<Void> synced();

    /** How this stands, now and at each change; a slow subscriber misses what is outdated. Completes after the end. */
    Flux<ControllerStatus> status();

    /**
     * What comes of the work, from now on. Who is slow delays nobody and gets the latest: a gap in {@link Reconciled#number} says how many were
     * missed. Completes after the end.
     */
    Flux<Reconciled<K>> results();

    /** To be worked on, whatever the views say. Ignored after the end. */
    void add(K key);

    /**
     * Every row of the views is routed again, and the keys that {@code which} accepts are to be worked on: for when they have become ours. Those
     * that come up meanwhile are worked on as ever.
     */
    void addAll(Predicate<? super K> which);

    /** Completes when no key that {@code which} accepts is worked on; at once, if that is so. Later ones are not waited for. */
    Mono<Void> idle(Predicate<? super K> which);

    /** Keys that wait until what was written for them is seen, see {@link Request#wrote}; those that wait longest first. */
    List<Held<K>> held();

    /** How many keys are ready to be worked on. */
    int size();

    /**
     * When subscribed to, takes no more keys, and waits: completes when the work that goes on has ended, and after {@code grace} at the latest; what
     * goes on then is cancelled. The controller is over after this.
     */
    Mono<Void> drain(Duration grace);

    /** Cancels the work that goes on. The controller is over after this. */
    @Override
    void close();
}
