package io.reactiveinformer.informer;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
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
import io.reactiveinformer.view.SubscriberStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Reflectors, one for each part of the scope, feed a store; what changes there goes to the subscribers. All writing passes one turnstile, so
 * that the store has one writer, and whoever hears of a change finds it in the store.
 */
final class SharedInformer<T> implements Informer<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    private final String description;
    private final Store<T> store;
    private final ChangeHub<ObjectKey, T> hub;
    private final Awaiting<T> awaiting;
    private final StatusKeeper status;
    private final Scheduler timer;
    private final Function<Scope, ListerWatcher<T>> sources;
    private final ReflectorOptions<T> options;
    private final @Nullable WarmStart<T> warmStart;
    private final boolean saved;
    private final @Nullable Saver<T> saver;
    private final Kept kept = new Kept();
    private final Turnstile turnstile = new Turnstile(this::giveUp);

    // Written by who has passed the turnstile.
    private final Map<Scope, Part> parts = new LinkedHashMap<>();
    private volatile Scope scope;
    private boolean started;
    private boolean begun;
    private long changes;

    /** @param warmStart null where nothing outlasts the process */
    SharedInformer(
            String description,
            Scope scope,
            Function<Scope, ListerWatcher<T>> sources,
            ReflectorOptions<?> options,
            @Nullable WarmStart<T> warmStart) {
        this.description = description;
        this.scope = scope;
        this.sources = sources;
        this.store = Store.create(scope);
        this.options = options.known(store);
        this.timer = options.timer();
        this.saved = options.startFrom() != null || warmStart != null;
        this.warmStart = options.startFrom() == null ? warmStart : null;
        this.saver = warmStart == null ? null : new Saver<>(warmStart, Mono.create(sink -> turnstile.pass(() -> sink.success(held()))), timer);
        this.hub = ChangeHub.of(store.snapshot());
        this.awaiting = new Awaiting<>(description, this::scope, hub);
        this.status = new StatusKeeper(description, scope.parts(), store, timer);
        scope.parts().forEach(part -> parts.put(part, new Part(part)));
        restore(options);
    }

    /** Begins with what an earlier process held, where the options say so. */
    @SuppressWarnings("unchecked") // what is to be served as objects of this type was saved as such
    private void restore(ReflectorOptions<?> asked) {
        String version = asked.startFrom();
        if (version != null) {
            Saved<T> saved = Saved.of((Known<T>) asked.known(), scope, version, now());
            parts.values().forEach(part -> part.restore(saved));
        }
    }

    @Override
    public void start() {
        turnstile.pass(() -> {
            if (!started && !isOver()) {
                started = true;
                status.started();
                (warmStart == null ? Mono.<Saved<T>>empty() : warmStart.recall()).map(Optional::of)
                        .defaultIfEmpty(Optional.empty())
                        .subscribe(saved -> turnstile.pass(() -> begin(saved.orElse(null))), failure -> turnstile.pass(() -> giveUp(failure)));
            }
        });
    }

    private void begin(@Nullable Saved<T> saved) {
        if (isOver()) {
            return;
        }
        begun = true;
        if (saved != null) {
            parts.values().forEach(part -> part.restore(saved));
            LOG.info("{}: begins with {} objects of {}", description, store.snapshot().size(), saved.at());
        }
        if (saver != null) {
            saver.start(saved, changes);
        }
        parts.values().forEach(Part::start);
    }

    /** What the server told, all of it; null where that is not so yet. To be called by who has passed the turnstile. */
    private @Nullable Held<T> held() {
        Snapshot<ObjectKey, T> rows = store.snapshot();
        Instant stale = status.current().staleSince();
        return rows.complete() ? new Held<>(stale == null ? now() : stale, changes, scope, rows, store.stale()) : null;
    }

    private Instant now() {
        return Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS));
    }

    /** Completes when, after {@link #stop}, subscribers have taken what was pending, and what is held has been saved. */
    Mono<Void> finished() {
        return saver == null ? hub.drained() : hub.drained().and(saver.over());
    }

    /** After {@link #stop}: subscribers are not waited for any longer. */
    void cut() {
        turnstile.pass(() -> hub.cut(new InformerStoppedException(description, "its subscribers had taken what was pending"))); // after the end
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
                publish(store.resize(next));
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
                if (begun) {
                    joined.start();
                }
            }
        }
    }

    @Override
    public Mono<Void> keep(Predicate<? super ObjectKey> which) {
        if (saved) {
            throw new IllegalStateException(description + ": begins with what was saved, which may be another part of it. Say coldStart()");
        }
        return Mono.<Void>create(sink -> {
            turnstile.pass(() -> {
                only(which);
                List.copyOf(parts.values()).forEach(Part::again);
                status.publish();
            });
            turnstile.pass(sink::success);
        }).publishOn(Delivery.sharedThreads()).then(Mono.defer(this::synced));
    }

    @Override
    public void narrow(Predicate<? super ObjectKey> which) {
        turnstile.pass(() -> only(which));
    }

    private void only(Predicate<? super ObjectKey> which) {
        if (!isOver()) {
            kept.only(which);
            publish(store.retain(which));
            status.publish();
        }
    }

    @Override
    public void stop() {
        turnstile.pass(() -> {
            if (!isOver()) {
                parts.values().forEach(Part::dispose);
                status.stopped(null);
                hub.complete();
                if (saver != null) {
                    saver.stop(held());
                }
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
        private @Nullable String restored;
        private boolean unread;

        Part(Scope part) {
            this.part = part;
        }

        void restore(Saved<T> saved) {
            Saved.Part<T> held = saved.parts().get(part);
            if (held != null) {
                restored = held.resourceVersion();
                unread = held.hasUnread();
                publish(store.restore(part, held.rows(), restored));
                status.restored(part, saved.at());
            }
        }

        /** Is listed again, for what is held is not all of what is to be; not older than what is held. */
        void again() {
            if (isOver()) {
                return;
            }
            dispose();
            var next = new Part(part);
            String heard = store.heard(part);
            next.restored = heard == null ? restored : heard;
            next.unread = true;
            publish(store.reopen(part));
            parts.put(part, next);
            if (begun) {
                next.start();
            }
        }

        void start() {
            if (restored != null) {
                status.catchingUp(part);
            }
            Reflector.of(source(), from(restored))
                    .events()
                    .doOnNext(this::tellStatus)
                    .transform(DeltaStage.over(store))
                    .subscribe(this);
        }

        /** A watch tells only what happens. What could not be read then may be readable by now, and only a list tells it. */
        private ReflectorOptions<T> from(@Nullable String version) {
            if (version == null) {
                return options;
            }
            return unread ? options.known(new RestoredPart<>(store, part, version)) : options.startFrom(version, store);
        }

        /** Nobody else stands for what was saved without being asked. */
        private ListerWatcher<T> source() {
            ListerWatcher<T> source = kept.around(sources.apply(part));
            return restored == null || warmStart == null ? source : new ProvenResume<>(source, restored, timer);
        }

        /** Not of each object, for which nothing is kept in line but by the stage. */
        private void tellStatus(ReflectorEvent<T> event) {
            if (PartStatus.dependsOn(event)) {
                pass(() -> status.accept(event));
            }
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
                Delta<T> ours = kept.in(delta);
                if (ours != null) {
                    publish(store.apply(ours));
                    status.applied(ours);
                }
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
            if (saver != null) {
                saver.stop(null);
            }
        }
    }

    private void publish(Commit<ObjectKey, T> commit) {
        changes += commit.differences().size();
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
        return awaiting.first(key, rows -> rows.get(key).filter(condition).orElse(null), "was as awaited");
    }

    @Override
    public Mono<Void> awaitAbsent(ObjectKey key) {
        return awaiting.first(key, rows -> rows.complete() && rows.find(key) == null ? rows : null, "was gone").then();
    }

    @Override
    public Mono<Snapshot<ObjectKey, T>> atLeast(ObjectKey key, String resourceVersion) {
        return awaiting.atLeast(key, Objects.requireNonNull(resourceVersion, "resourceVersion"));
    }

    @Override
    public Mono<Void> addIndex(Index<T, ?> index) {
        Objects.requireNonNull(index, "index");
        Mono<Void> filled = Mono.create(sink -> turnstile.pass(() -> {
            try {
                publish(store.addIndex(index));
                sink.success();
            } catch (RuntimeException failure) { // no reason for the informer to end
                sink.error(failure);
            }
        }));
        return filled.publishOn(Delivery.sharedThreads()); // who hears of it may take its time
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
    public List<SubscriberStatus> subscribers() {
        return hub.subscribers();
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
        return Flux.defer(() -> Flux.just(status.current())) // who is synced already waits for no thread
                .concatWith(status())
                .filter(now -> now.synced() || now.state() == State.STOPPED)
                .next()
                .flatMap(now -> now.synced() ? Mono.<Void>empty() : Mono.error(new NotSyncedException(description, null, now)));
    }
}
