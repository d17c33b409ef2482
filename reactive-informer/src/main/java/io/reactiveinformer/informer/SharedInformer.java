package io.reactiveinformer.informer;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceVersion;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Lister;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.ChangeHub;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.Feed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Reflectors, one for each part of the scope, feed a store; what changes there goes to the subscribers. All writing passes one turnstile, so
 * that the store has one writer, and whoever hears of a change finds it in the store.
 */
final class SharedInformer<T> implements Informer<T> {

    private final String description;
    private final Store<T> store;
    private final ChangeHub<ObjectKey, T> hub;
    private final StatusKeeper status;
    private final Scheduler timer;
    private final Function<Scope, ListerWatcher<T>> sources;
    private final ReflectorOptions<T> options;
    private final Turnstile turnstile = new Turnstile(this::giveUp);

    // Written by who has passed the turnstile.
    private final Map<Scope, Part> parts = new LinkedHashMap<>();
    private volatile Scope scope;
    private boolean started;

    SharedInformer(String description, Scope scope, Function<Scope, ListerWatcher<T>> sources, ReflectorOptions<?> options) {
        this.description = description;
        this.scope = scope;
        this.sources = sources;
        this.store = Store.create(scope);
        restore(options);
        this.options = options.known(store);
        this.timer = options.timer();
        this.hub = ChangeHub.of(store.snapshot());
        this.status = new StatusKeeper(description, scope.parts(), store, timer);
        scope.parts().forEach(part -> parts.put(part, new Part(part)));
    }

    /** Begins with what an earlier process held, where the options say so. */
    @SuppressWarnings("unchecked") // what is to be served as objects of this type was saved as such
    private void restore(ReflectorOptions<?> options) {
        if (options.startFrom() != null) {
            Known<T> saved = (Known<T>) options.known();
            scope.parts().forEach(part -> store.apply(new Delta.Replaced<>(part, rows(saved, part), options.startFrom(), false)));
        }
    }

    private static <T> List<Delta<T>> rows(Known<T> saved, Scope part) {
        List<Delta<T>> rows = new ArrayList<>();
        saved.forEachKey(part, key -> {
            Versioned<T> entry = saved.find(key);
            if (entry != null) {
                rows.add(new Delta.Upserted<>(part, key, entry));
            }
        });
        return rows;
    }

    @Override
    public void start() {
        turnstile.pass(() -> {
            if (!started && !isOver()) {
                started = true;
                status.started();
                parts.values().forEach(Part::start);
            }
        });
    }

    @Override
    public void resize(Scope next) {
        if (scope.isAll() != next.isAll()) {
            throw new IllegalArgumentException(description + ": cannot become one of " + next
                    + "; only a set of namespaces can grow and shrink. Make another informer for " + next);
        }
        turnstile.pass(() -> {
            if (!isOver() && !next.equals(scope)) {
                leave(next);
                scope = next;
                status.resize(next.parts());
                hub.publish(store.resize(next));
                join(next);
                status.publish();
            }
        });
    }

    private void leave(Scope next) {
        List<Scope> left = parts.keySet().stream().filter(part -> !next.parts().contains(part)).toList();
        left.forEach(part -> Objects.requireNonNull(parts.remove(part)).dispose());
    }

    private void join(Scope next) {
        for (Scope part : next.parts()) {
            if (!parts.containsKey(part)) {
                var joined = new Part(part);
                parts.put(part, joined);
                if (started) {
                    joined.start();
                }
            }
        }
    }

    @Override
    public void stop() {
        turnstile.pass(() -> {
            if (!isOver()) {
                parts.values().forEach(Part::dispose);
                status.stopped(null);
                hub.complete();
            }
        });
    }

    /** Whether this was stopped or has given up, and so is of no use to those who come now. */
    boolean isOver() {
        return status.current().state() == State.STOPPED;
    }

    /**
     * One part of the scope, for as long as it belongs to it. Takes one delta after the other: the next is requested when the store has the
     * one before, and until then the stage folds. What comes of a part that has left is dropped, also where the same one has joined again.
     */
    private final class Part extends BaseSubscriber<Delta<T>> {

        private final Scope part;

        Part(Scope part) {
            this.part = part;
        }

        void start() {
            String restored = store.reached(part);
            Reflector.of(sources.apply(part), restored == null ? options : options.startFrom(restored, store))
                    .events()
                    .doOnNext(event -> pass(() -> status.accept(event)))
                    .transform(DeltaStage.over(store))
                    .subscribe(this);
        }

        private void pass(Runnable task) {
            turnstile.pass(() -> {
                if (!isDisposed()) {
                    task.run();
                }
            });
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            request(1);
        }

        @Override
        protected void hookOnNext(Delta<T> delta) {
            pass(() -> {
                publish(store.apply(delta));
                status.applied(delta);
                request(1);
            });
        }

        @Override
        protected void hookOnError(Throwable failure) {
            turnstile.pass(() -> giveUp(failure));
        }
    }

    private void giveUp(Throwable failure) {
        if (!isOver()) {
            parts.values().forEach(Part::dispose);
            status.stopped(failure instanceof KubernetesException known ? known : new InformerFailedException(description, failure));
            hub.fail(failure);
        }
    }

    private void publish(Commit<ObjectKey, T> commit) {
        if (!isOver()) {
            hub.publish(commit);
        }
    }

    @Override
    public HandlerRegistration addEventHandler(ResourceEventHandler<T> handler, Delivery delivery) {
        var registration = new HandlerSubscriber<>(handler, () -> new NotSyncedException(description, null, status.current()));
        changes(delivery).subscribe(registration);
        return registration;
    }

    @Override
    public Mono<T> await(ObjectKey key, Predicate<? super T> condition) {
        return first(key, rows -> rows.get(key).filter(condition).orElse(null), "was as awaited");
    }

    @Override
    public Mono<Void> awaitAbsent(ObjectKey key) {
        return first(key, rows -> rows.complete() && rows.find(key) == null ? rows : null, "was gone").then();
    }

    @Override
    public Mono<Snapshot<ObjectKey, T>> atLeast(ObjectKey key, String resourceVersion) {
        Objects.requireNonNull(resourceVersion, "resourceVersion");
        return first(key, rows -> hasReached(rows, key, resourceVersion) ? rows : null, "was known up to version " + resourceVersion);
    }

    /** What {@code wanted} first finds in the rows; it gives null as long as it is not there. */
    private <R> Mono<R> first(ObjectKey key, Function<Snapshot<ObjectKey, T>, @Nullable R> wanted, String event) {
        return Mono.defer(() -> scope.covers(key)
                ? hub.snapshots(Delivery.conflated())
                        .mapNotNull(wanted)
                        .next()
                        .switchIfEmpty(Mono.error(() -> new InformerStoppedException(description, key + " " + event)))
                : Mono.error(new IllegalArgumentException(key + " is never in " + description)));
    }

    private boolean hasReached(Snapshot<ObjectKey, ?> rows, ObjectKey key, String resourceVersion) {
        Scope part = scope.isAll() || key.namespace() == null ? scope : Scope.namespace(key.namespace());
        Versioned<?> held = rows.find(key);
        return held != null && ResourceVersion.isAtMost(resourceVersion, held.resourceVersion())
                || ResourceVersion.isAtMost(resourceVersion, rows.resourceVersion(part).orElse(null));
    }

    @Override
    public Mono<Void> addIndex(Index<T, ?> index) {
        Objects.requireNonNull(index, "index");
        return Mono.create(sink -> turnstile.pass(() -> {
            try {
                publish(store.addIndex(index));
                sink.success();
            } catch (RuntimeException failure) { // even of who hears of the success: no reason for the informer to end
                sink.error(failure);
            }
        }));
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Scope scope() {
        return scope;
    }

    @Override
    public Lister<T> lister() {
        return store.lister();
    }

    @Override
    public Snapshot<ObjectKey, T> snapshot() {
        return store.snapshot();
    }

    @Override
    public Feed<ObjectKey, T> feed() {
        return hub.feed();
    }

    @Override
    public Flux<Change<ObjectKey, T>> changes(Delivery delivery) {
        return hub.changes(delivery);
    }

    @Override
    public Flux<InformerStatus> status() {
        return status.statuses();
    }

    @Override
    public Mono<Void> synced(Duration timeout) {
        return synced().timeout(timeout, Mono.defer(() -> Mono.error(new NotSyncedException(description, timeout, status.current()))), timer);
    }

    @Override
    public Mono<Void> synced() {
        return status().filter(now -> now.synced() || now.state() == State.STOPPED)
                .next()
                .flatMap(now -> now.synced() ? Mono.<Void>empty() : Mono.error(new NotSyncedException(description, null, now)));
    }
}
