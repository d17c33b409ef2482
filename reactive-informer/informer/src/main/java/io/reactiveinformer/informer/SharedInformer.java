package io.reactiveinformer.informer;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.internal.Watchdog;
import io.reactiveinformer.internal.informer.Narrowable;
import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.internal.warmstart.Held;
import io.reactiveinformer.internal.warmstart.Saved;
import io.reactiveinformer.internal.warmstart.Saver;
import io.reactiveinformer.internal.warmstart.WarmStart;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ClientClosedException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Lister;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.view.Audited;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.ChangeHub;
import io.reactiveinformer.view.ChangeHub.Feed;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.SubscriberStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Reflectors, one for each part of the namespaces, feed a store, whose commits go to the subscribers. All writes pass one serial executor,
 * so that the store has one writer at a time, and a subscriber that receives a change finds it in the store.
 */
final class SharedInformer<T> implements Informer<T>, ChangeHub.Fed<ObjectKey, T>, Narrowable<ObjectKey> {

    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    private final String description;
    private final Store.Managed<T> store;
    private final ChangeHub<ObjectKey, T> hub;
    private final Awaiting<T> awaiting;
    private final StatusKeeper status;
    private final Scheduler timer;
    private final InformerPart.Works<T> works;
    private final @Nullable WarmStart<T> warmStart;
    private final boolean saved;
    private final @Nullable Saver<T> saver;
    private final WatchedLister.Reads reads;
    private final KeyFilter kept = new KeyFilter();
    private final PartRestarts mending;
    private final SerialExecutor serial;

    // Written by tasks of serial only.
    private final Map<Namespaces, InformerPart<T>> parts = new LinkedHashMap<>();
    private volatile Namespaces namespaces;
    private boolean settled = true;
    private boolean started;
    private boolean begun;
    private Disposable watched = Disposables.disposed();
    private @Nullable End end;
    private boolean doubted;
    private long changes;

    /** @param failure null for an orderly stop */
    private record End(@Nullable Throwable failure) {}

    /**
     * @param refusedAsEmpty the status codes of the refusals for which a part counts as complete and empty
     * @param warmStart null if nothing is to be saved
     * @param saved what to begin with, of the caller's; null to begin with a list, or with what the warm start has saved
     */
    SharedInformer(
            String description,
            Namespaces namespaces,
            Function<Namespaces, ListerWatcher<T>> sources,
            ReflectorOptions options,
            Set<Integer> refusedAsEmpty,
            @Nullable WarmStart<T> warmStart,
            @Nullable Saved<T> saved) {
        this.description = description;
        this.namespaces = namespaces;
        this.store = Store.Managed.create(namespaces);
        this.reads = new WatchedLister.Reads(description, namespaces);
        this.timer = SparedTimer.of(options.timer());
        this.saved = saved != null || warmStart != null;
        this.warmStart = saved == null ? warmStart : null;
        this.mending = new PartRestarts(doubtful -> serial().execute(() -> mend(doubtful)), this::tellOfMending,
                options.backoff().delays(timer, options.random()), timer,
                new IllegalStateException("memory was short, and connections may have been lost without a word"));
        this.serial = new SerialExecutor(mending::needed);
        this.saver = warmStart == null ? null : new Saver<>(warmStart, Mono.create(sink -> serial.execute(() -> sink.success(held()))),
                timer);
        this.hub = ChangeHub.of(store.snapshot());
        this.awaiting = new Awaiting<>(description, this::namespaces, hub);
        this.status = new StatusKeeper(description, namespaces.parts(), store, timer);
        this.works = new InformerPart.Works<>(
                store, status, serial, part -> kept.around(sources.apply(part)), options.withTimer(timer),
                this.warmStart != null, kept, refusedAsEmpty::contains, this::publish,
                this::giveUp, mending::needed);
        namespaces.parts().forEach(part -> parts.put(part, new InformerPart<>(works, part)));
        if (saved != null) {
            parts.values().forEach(part -> part.restore(saved));
        }
    }

    /** Sets the name of the server, for the log; may be empty. Called before {@link #start}. */
    SharedInformer<T> of(Mono<String> server) {
        status.of(server);
        return this;
    }

    @Override
    public void start() {
        serial.execute(() -> {
            if (!started && !isOver()) {
                started = true;
                watched = Watchdog.watch(mending);
                status.started();
                (warmStart == null ? Mono.<Saved<T>>empty() : warmStart.recall()).map(Optional::of)
                        .defaultIfEmpty(Optional.empty())
                        .subscribe(saved -> serial.execute(() -> begin(saved.orElse(null))),
                                failure -> serial.execute(() -> giveUp(failure)));
            }
        });
    }

    private void begin(@Nullable Saved<T> saved) {
        if (isOver() || begun) {
            return;
        }
        begun = true;
        if (saved != null) {
            parts.values().forEach(part -> part.restore(saved));
            LOG.info("{}: begins with {} objects that were saved in their state of {}", description, store.snapshot().size(), saved.at());
        }
        if (saver != null) {
            saver.start(saved, changes);
        }
        startParts();
    }

    /** Starts the parts that have not been started, if it is time. */
    private void startParts() {
        if (begun) {
            List.copyOf(parts.values()).forEach(InformerPart::start);
        }
    }

    /** The cached state; null if it is not complete yet, or if each part is refused. Must be called inside the serial executor. */
    private @Nullable Held<T> held() {
        Snapshot<ObjectKey, T> rows = store.snapshot();
        Instant stale = status.current().staleSince();
        List<Namespaces> all = namespaces.parts();
        boolean listed = all.isEmpty() || all.stream().anyMatch(part -> rows.resourceVersion(part).isPresent());
        return rows.complete() && listed ? new Held<>(stale == null ? now() : stale, changes, namespaces, rows, store.stale()) : null;
    }

    private Instant now() {
        return Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS));
    }

    /** Completes when, after {@link #stop}, all subscribers have received the pending changes, and the cached state is saved. */
    Mono<Void> finished() {
        return saver == null ? hub.drained() : hub.drained().and(saver.over());
    }

    /** Ends the wait for subscribers, after {@link #stop}: those that have not received all changes fail. */
    void cut() {
        // inside the serial executor: after the end
        serial.execute(() -> hub.cut(new InformerStoppedException(description, "its subscribers had taken what was pending")));
    }

    @Override
    public void resize(Namespaces next) {
        if (namespaces.isAll() != next.isAll()) {
            throw new IllegalArgumentException(description + ": cannot be resized to " + next
                    + ": only a set of namespaces can grow and shrink. Create another informer for " + next);
        }
        reads.watched(next);
        serial.execute(() -> {
            if (!isOver() && !next.equals(namespaces)) {
                namespaces = next;
                settled = false;
                settle(next);
            }
        });
    }

    /** Changes the parts to those of {@code next}. Idempotent: runs again if an error has interrupted it. */
    private void settle(Namespaces next) {
        leave(next);
        status.resize(next.parts(), begun);
        publish(store.resize(next));
        next.parts().forEach(part -> parts.computeIfAbsent(part, joined -> new InformerPart<>(works, joined)));
        startParts();
        status.publish();
        settled = true;
    }

    private void leave(Namespaces next) {
        List<Namespaces> left = parts.keySet().stream().filter(part -> !next.parts().contains(part)).toList();
        left.forEach(part -> Objects.requireNonNull(parts.remove(part)).dispose());
    }

    /** Lists again, in no older version than the cached one: objects that are accepted now may be missing in the cache. */
    @Override
    public Mono<Void> keep(Predicate<? super ObjectKey> which) {
        if (saved) {
            throw new IllegalStateException(description + ": begins with what was saved, which may be another part. Say withColdStart()");
        }
        return Mono.<Void>create(sink -> {
            serial.execute(() -> {
                if (only(which)) {
                    parts.replaceAll((namespaces, part) -> part.again(true, true));
                    startParts();
                    status.publish();
                }
            });
            serial.execute(sink::success);
        }).publishOn(SharedThreads.ofChanges()).then(Mono.defer(this::synced));
    }

    @Override
    public void narrow(Predicate<? super ObjectKey> which) {
        serial.execute(() -> only(which));
    }

    /** Does nothing, and returns false, if the informer is over. */
    private boolean only(Predicate<? super ObjectKey> which) {
        if (isOver()) {
            return false;
        }
        kept.only(which);
        publish(store.retain(kept::has));
        status.publish();
        return true;
    }

    @Override
    public void stop() {
        serial.execute(() -> end(new End(null)));
    }

    /** As {@link #stop}, with {@link ClientClosedException} as the cause in the status. */
    void clientClosed() {
        serial.execute(() -> end(new End(new ClientClosedException())));
    }

    /** Ends the informer; the first decision counts. Idempotent: runs again if an error has interrupted it. */
    private void end(End decided) {
        End reason = end == null ? decided : end;
        end = reason;
        parts.values().forEach(InformerPart::dispose);
        Throwable failure = reason.failure;
        if (failure == null || failure instanceof ClientClosedException) { // the program itself has closed the client
            status.stopped((ClientClosedException) failure);
            hub.complete();
        } else {
            status.stopped(failure instanceof KubernetesException known ? known : new InformerFailedException(description, failure));
            hub.fail(failure);
        }
        if (saver != null) {
            saver.stop(failure == null || failure instanceof ClientClosedException ? held() : null);
        }
        watched.dispose();
    }

    /** Whether this informer was stopped or has given up, so that new callers need another one. */
    boolean isOver() {
        return status.current().state() == State.STOPPED;
    }

    boolean hasGivenUp() {
        return isOver() && status.current().cause() != null;
    }

    private void giveUp(Throwable failure) {
        if (!isOver()) {
            end(new End(failure));
        }
    }

    private SerialExecutor serial() {
        return serial;
    }

    /** Repairs whatever an error may have left in a wrong state: the informer does not give up because of it. */
    private void mend(boolean doubtful) {
        doubted |= doubtful;
        if (end != null) {
            end(end);
            return;
        }
        if (!settled) {
            settle(namespaces);
        }
        if (started && !begun) {
            begin(null); // without the saved state, whose read was lost
        }
        parts.replaceAll((namespaces, part) -> part.isBroken() || doubted ? part.again(doubted, false) : part);
        doubted = false;
        startParts();
    }

    private void tellOfMending(Duration pause, int attempt, Throwable cause) {
        var failure = new TransportException(description + ": was interrupted by " + cause, cause);
        LOG.warn("{}; going on in {} ms", failure.getMessage(), pause.toMillis(), cause);
        serial.execute(() -> {
            for (InformerPart<T> part : parts.values()) {
                if (part.isBroken() && !isOver()) {
                    status.accept(new ReflectorEvent.Disrupted<T>(part.namespaces(), failure, attempt, pause, false));
                }
            }
        });
    }

    private void publish(Commit<ObjectKey, T> commit) {
        changes += commit.differences().size();
        if (!isOver()) {
            hub.publish(commit);
        }
    }

    @Override
    public ResourceEventHandler.Registration addEventHandler(ResourceEventHandler<T> handler, Delivery delivery) {
        var registration = new HandlerSubscriber<>(handler, () -> new NotSyncedException(description, null, status.current()));
        Audited.of(this, delivery).subscribe(registration);
        return registration;
    }

    @Override
    public Mono<T> await(ObjectKey key, Predicate<? super T> condition) {
        return awaiting.first(key, rows -> rows.get(key).filter(condition).orElse(null), "met the condition");
    }

    @Override
    public Mono<T> await(ObjectKey key, Predicate<? super T> condition, Duration timeout) {
        return within(timeout, await(key, condition), key, " has not met the condition");
    }

    @Override
    public Mono<Void> awaitAbsent(ObjectKey key) {
        return awaiting.first(key, rows -> rows.complete() && rows.find(key) == null ? rows : null, "was absent").then();
    }

    @Override
    public Mono<Void> awaitAbsent(ObjectKey key, Duration timeout) {
        return within(timeout, awaitAbsent(key), key, " is not known to be absent");
    }

    @Override
    public Mono<Snapshot<ObjectKey, T>> atLeast(ObjectKey key, String resourceVersion) {
        return awaiting.atLeast(key, Objects.requireNonNull(resourceVersion, "resourceVersion"));
    }

    @Override
    public Mono<Snapshot<ObjectKey, T>> atLeast(ObjectKey key, String resourceVersion, Duration timeout) {
        return within(timeout, atLeast(key, resourceVersion), key, " has not reached version " + resourceVersion);
    }

    private <R> Mono<R> within(Duration timeout, Mono<R> awaited, ObjectKey key, String missing) {
        return within(timeout, awaited, () -> {
            InformerStatus whole = status.current();
            InformerStatus part = key.namespace() == null ? null : whole.parts().get(Namespaces.of(key.namespace()));
            return new NotSyncedException(description, key + missing, timeout, part == null ? whole : part);
        });
    }

    /** The subscriber may be slow, and must not delay the timer. */
    private <R> Mono<R> within(Duration timeout, Mono<R> awaited, Supplier<NotSyncedException> late) {
        return awaited.timeout(timeout, Mono.<R>error(late).publishOn(SharedThreads.ofChanges()), timer);
    }

    @Override
    public Mono<Void> addIndex(Index<T, ?> index) {
        Objects.requireNonNull(index, "index");
        Mono<Void> filled = Mono.create(sink -> serial.execute(() -> {
            try {
                publish(store.addIndex(index));
                sink.success();
            } catch (RuntimeException failure) { // a failure of the index does not end the informer
                sink.error(failure);
            } catch (Error failure) {
                sink.error(new IllegalStateException(description + ": cannot fill " + index + ": " + failure, failure));
            }
        }));
        return filled.publishOn(SharedThreads.ofChanges()); // the subscriber may be slow
    }

    @Override
    public boolean hasSynced() {
        return store.snapshot().complete(); // as subscribers that have received Synced find it; the status follows
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Namespaces namespaces() {
        return namespaces;
    }

    @Override
    public String toString() {
        return "Informer[" + description + ", " + status.current().state() + ", " + store.snapshot().size() + " objects]";
    }

    @Override
    public Lister<T> lister() {
        return namespaces.isAll() ? store.lister() : new WatchedLister<>(store.lister(), reads);
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
        return status(Delivery.conflated().on(SharedThreads.ofStatuses()));
    }

    @Override
    public Flux<InformerStatus> status(Delivery delivery) {
        return status.statuses(delivery);
    }

    @Override
    public Mono<Void> synced(Duration timeout) {
        return within(timeout, synced(), () -> new NotSyncedException(description, timeout, status.current()));
    }

    @Override
    public Mono<Void> synced() {
        return Flux.defer(() -> Flux.just(status.current())) // no change of the thread if it is synced already
                .concatWith(status())
                .filter(now -> now.synced() || now.state() == State.STOPPED)
                .next()
                .flatMap(now -> now.synced() ? Mono.<Void>empty() : Mono.error(new NotSyncedException(description, null, now)));
    }
}
