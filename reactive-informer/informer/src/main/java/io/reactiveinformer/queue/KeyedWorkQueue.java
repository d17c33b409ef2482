package io.reactiveinformer.queue;

import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.internal.Watchdog;
import io.reactiveinformer.internal.informer.Instrumented;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * Hands ready {@link Keys} to the subscribers of {@link #process}. An Error, such as an {@link OutOfMemoryError}, may interrupt that; while
 * there are subscribers, the {@link Watchdog} resumes it.
 */
final class KeyedWorkQueue<K> implements WorkQueue<K>, Instrumented, Watchdog.Watched {

    /*
     * The rules are client-go's, as is the idea of a dirty key. The difference is that keys are handed to subscribers with demand.
     *
     *   add ──────────────────────────────────┐
     *                                         ▼
     *   addAfter ──▶ DelayedKeys ──── due ──▶ FairQueue ── dispatch ──▶ Taker ──▶ WorkItem ──▶ work, on a worker
     *                  ▲                      ▲                                                  │
     *                  └── with a delay ──────┴── dirty ◀────────── end ◀────────────────────────┘
     *
     * The flags of an Entry are the only truth about its key. FairQueue (the ready keys), DelayedKeys and the set of running keys
     * are orders derived from them. An Error can strike between a flag and its order. A change that did not end is therefore noted, and the
     * next change derives all orders again: a shortage of memory loses no key.
     *
     * A Taker is one subscription to process, with its demand. A WorkItem is the right to work on one key; it ends exactly once, by the end
     * of the work, or given back after a cancellation. Only dispatch moves keys from the FairQueue to Takers. It is a drain loop (wip), so
     * that items are emitted one after the other, whichever thread has added a key, requested more, or ended work.
     *
     * One lock, this, guards the entries and their orders. Subscribers, observers and timers are called without it, as they may call back.
     */

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

    /** The pause before aborted work goes on. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final RateLimiter<K> limiter;
    private final Scheduler workers;
    private final Scheduler timer;
    private final ContainedQueueObserver observer;
    private final AtomicInteger wip = new AtomicInteger();
    private final AtomicBoolean clockFailed = new AtomicBoolean();
    private final Sinks.Empty<Void> drained = Sinks.empty();
    private volatile long latest;

    // Guarded by this; the only foreign code called under the lock: classes, equals and hashCode of keys, and the clock of the timer.
    private final Keys<K> keys;
    private final DelayedKeys<K> delays;
    private final List<Taker<K>> takers = new ArrayList<>();
    private boolean shut;
    private boolean closed;
    private volatile boolean doubted; // an Error may have interrupted a change of the keys

    KeyedWorkQueue(WorkQueueOptions<K> options) {
        workers = options.workers();
        timer = SparedTimer.of(options.timer());
        limiter = options.limiter().apply(timer);
        observer = new ContainedQueueObserver(options.observer());
        delays = new DelayedKeys<>(timer, this, this::ring);
        keys = new Keys<>(options.classes(), options.headStart(), delays);
    }

    /** A meter of the keys in line would miss those that are. */
    @Override
    public <P> void wrap(Class<P> part, UnaryOperator<P> around) {
        if (part == WorkQueue.Observer.class && size() == 0) {
            observer.wrap(present -> (WorkQueue.Observer) around.apply(part.cast(present)));
        }
    }

    /** If the clock fails, the last time is used, so that no key is lost. */
    private long now() {
        try {
            latest = timer.now(TimeUnit.NANOSECONDS);
        } catch (Throwable failure) {
            if (!clockFailed.getAndSet(true)) {
                LOG.warn("the clock of a queue failed; the queue goes on with the last known time, and further failures are not "
                        + "logged", failure);
            }
        }
        return latest;
    }

    private long dueAfter(Duration delay) {
        return now() + (delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay).toNanos();
    }

    @Override
    public void add(K key, int priority) {
        boolean added;
        try {
            synchronized (this) {
                added = !shut && keys.add(key, priority, now());
            }
        } catch (Throwable failure) {
            noteFailure();
            throw failure;
        }
        if (added) {
            observer.added();
        }
        dispatch();
    }

    @Override
    public void addAfter(K key, Duration delay) {
        if (delay.isNegative() || delay.isZero()) {
            add(key);
            return;
        }
        try {
            synchronized (this) {
                if (!shut) {
                    keys.delay(key, dueAfter(delay));
                }
            }
        } catch (Throwable failure) {
            noteFailure();
            throw failure;
        }
        delays.arm();
    }

    /** Called after a change has thrown. */
    private synchronized void noteFailure() {
        if (keys.isDisorderly()) {
            doubted = true;
        }
    }

    @Override
    public boolean ails() {
        return doubted || delays.mayBeLost();
    }

    @Override
    public void look() {
        timer.schedule(this::ring); // calls observers and subscribers, which must not block the watchdog
    }

    @Override
    public void doubt() {
        doubted = true;
        look();
    }

    @Override
    public void addRateLimited(K key) {
        Duration delay = limiter.next(key);
        observer.retried(delay);
        addAfter(key, delay);
    }

    private void ring() {
        try {
            int news;
            synchronized (this) {
                if (doubted) {
                    doubted = false;
                    keys.doubt();
                }
                try {
                    news = keys.ring(now());
                } finally {
                    noteFailure();
                }
            }
            for (; news > 0; news--) {
                observer.added();
            }
        } finally {
            try {
                delays.arm();
            } finally {
                dispatch();
            }
        }
    }

    @Override
    public synchronized boolean cancelDelay(K key) {
        return keys.cancelDelay(key);
    }

    @Override
    public void forget(K key) {
        limiter.forget(key);
        synchronized (this) {
            keys.forgetPause(key);
        }
    }

    @Override
    public int retries(K key) {
        return limiter.retries(key);
    }

    @Override
    public synchronized void hold(K key) {
        if (!shut) {
            keys.hold(key);
        }
    }

    @Override
    public void release(K key) {
        try {
            synchronized (this) {
                keys.release(key, now());
            }
        } catch (Throwable failure) {
            noteFailure();
            throw failure;
        }
        dispatch();
    }

    @Override
    public synchronized int size() {
        return keys.ready();
    }

    @Override
    public synchronized int delayed() {
        return keys.delayed();
    }

    @Override
    public synchronized Unfinished unfinished() {
        return keys.unfinished(now());
    }

    @Override
    public Flux<WorkQueue.Outcome<K>> process(int concurrency, Function<? super K, Mono<Result>> work) {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, was " + concurrency);
        }
        Objects.requireNonNull(work, "work");
        Flux<WorkQueue.Outcome<K>> outcomes = Flux.<WorkItem<K>>from(actual -> {
            var taker = new Taker<>(this, Operators.toCoreSubscriber(actual));
            actual.onSubscribe(taker);
            join(taker);
        }).flatMap(item -> run(item, work), concurrency, 1).retryWhen(Retry.from(failures -> failures.concatMap(this::pauseAfter)));
        return Flux.using(() -> Watchdog.watch(this), watched -> outcomes, Disposable::dispose);
    }

    private Mono<Long> pauseAfter(Retry.RetrySignal end) {
        if (!(end.failure() instanceof Taker.BrokenOffException brokenOff)) {
            return Mono.error(end.failure());
        }
        LOG.warn("work on a queue was aborted by an error, and goes on in {} s", PAUSE.toSeconds(), brokenOff.getCause());
        return Mono.delay(PAUSE, timer);
    }

    private Mono<WorkQueue.Outcome<K>> run(WorkItem<K> item, Function<? super K, Mono<Result>> work) {
        return new MonoWork<>(item, Mono.defer(() -> work.apply(item.key())))
                .subscribeOn(workers)
                .singleOptional() // waits for the end, and so cancels nothing that succeeds
                .map(result -> result.orElseGet(Result::done))
                .onErrorResume(failure -> Mono.just(Result.failed(failure)))
                .mapNotNull(result -> finish(item, result))
                .doFinally(end -> item.giveBack());
    }

    /**
     * An exception thrown by a limiter fails the subscription to {@link #process}. An Error aborts the subscription, which is repeated:
     * Reactor would rethrow the Error past the operators that wait for the end.
     */
    private static <K> WorkQueue.@Nullable Outcome<K> finish(WorkItem<K> item, Result result) {
        try {
            return item.finish(result);
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Throwable thrown) {
            throw new Taker.BrokenOffException(thrown);
        }
    }

    private void join(Taker<K> taker) {
        synchronized (this) {
            if (!taker.isCancelled()) {
                takers.add(taker);
            }
        }
        delays.arm();
        dispatch();
    }

    synchronized void leave(Taker<K> taker) {
        takers.remove(taker);
    }

    /** Hands ready keys to subscribers with demand. Serialized: a concurrent call only causes another pass. */
    void dispatch() {
        if (wip.getAndIncrement() != 0) {
            return;
        }
        Throwable thrown = null;
        for (int missed = 1; missed != 0; missed = wip.addAndGet(-missed)) {
            try {
                giveAll();
                completeIfOver();
            } catch (Throwable failure) {
                doubted = true;
                thrown = failure; // rethrown after the loop, so that later callers are not locked out
            }
        }
        if (thrown != null) {
            throw Exceptions.propagate(thrown);
        }
    }

    private void giveAll() {
        for (Assignment<K> assignment = nextAssignment(); assignment != null; assignment = nextAssignment()) {
            observer.taken(assignment.waited);
            assignment.taker.give(assignment.item);
        }
    }

    private record Assignment<K>(Taker<K> taker, WorkItem<K> item, Duration waited) {}

    private synchronized @Nullable Assignment<K> nextAssignment() {
        Entry<K> entry = keys.next();
        Taker<K> taker = entry == null ? null : nextTaker();
        if (entry == null || taker == null) {
            return null;
        }
        long now = now();
        var assignment = new Assignment<>(taker, new WorkItem<>(entry, this, taker), Duration.ofNanos(now - entry.since));
        boolean taken = false;
        taker.willGive(assignment.item);
        try {
            keys.take(entry, now); // last: a key that is taken and not given would never be worked on
            taken = true;
        } finally {
            if (!taken) {
                taker.over(assignment.item);
            }
        }
        return assignment;
    }

    /** The next subscriber with demand; null if none has any. Subscribers take turns. */
    private @Nullable Taker<K> nextTaker() {
        for (int i = 0; i < takers.size(); i++) {
            if (takers.get(i).wants()) {
                Taker<K> next = takers.remove(i);
                takers.add(next);
                return next;
            }
        }
        return null;
    }

    private void completeIfOver() {
        List<Taker<K>> done = List.of();
        boolean over;
        synchronized (this) {
            over = shut && keys.ready() == 0 && keys.running() == 0;
            if (over || closed) {
                done = List.copyOf(takers);
                takers.clear();
            }
        }
        try {
            done.forEach(Taker::complete);
        } finally {
            if (over) {
                drained.tryEmitEmpty();
            }
        }
    }

    /** The work on {@code entry} begins now, on a worker: it sees the changes for which the key was added since it was taken. */
    void begins(Entry<K> entry) {
        boolean merged;
        synchronized (this) {
            merged = keys.begins(entry);
        }
        if (merged) {
            observer.merged();
        }
    }

    WorkQueue.Outcome<K> finished(Entry<K> entry, Result result) {
        K key = entry.key;
        int retries;
        long next;
        try {
            retries = limiter.retries(key);
            next = next(entry, result);
        } catch (Throwable brokenLimiter) { // ends or aborts this subscription; other subscribers may work on the key
            end(entry, now(), null, false);
            throw brokenLimiter;
        }
        try {
            Integer priority = result instanceof Result.Again again ? again.priority() : null;
            return new WorkQueue.Outcome<>(key, result, retries, end(entry, next, priority, false));
        } catch (RuntimeException brokenTimer) { // a failure of the queue, not of its limiter
            throw new Taker.BrokenOffException(brokenTimer);
        }
    }

    /** When the result requires the key to be worked on again; {@link Entry#NEVER} if it does not. */
    private long next(Entry<K> entry, Result result) {
        if (result instanceof Result.Failed) {
            return afterFailure(entry);
        }
        forget(entry.key);
        return result instanceof Result.Again again ? dueAfter(again.delay()) : Entry.NEVER;
    }

    /** A failure during the pause after the one before, as of work that something else caused, leaves that pause as it is. */
    private long afterFailure(Entry<K> entry) {
        long now = now();
        long end;
        synchronized (this) {
            end = entry.pausedUntil;
        }
        Duration delay;
        if (end > now) {
            delay = Duration.ofNanos(end - now);
        } else {
            delay = limiter.next(entry.key);
            end = dueAfter(delay);
            synchronized (this) {
                entry.pausedUntil = end;
            }
        }
        observer.retried(delay);
        return end;
    }

    /** The work on {@code entry} was given back unfinished. */
    void givenBack(Entry<K> entry) {
        end(entry, now(), null, true);
    }

    private Duration end(Entry<K> entry, long next, @Nullable Integer priority, boolean evenIfShut) {
        Keys.End end;
        try {
            synchronized (this) {
                boolean again = evenIfShut ? !closed : !shut;
                if (priority != null) {
                    entry.runPriority = priority;
                }
                end = keys.end(entry, now(), again ? next : Entry.NEVER);
            }
        } catch (Throwable failure) {
            noteFailure();
            throw failure;
        }
        observer.finished(end.took());
        if (end.added()) {
            observer.added();
        }
        delays.arm();
        dispatch();
        return end.took();
    }

    @Override
    public void shutDown() {
        shutDown(false);
    }

    @Override
    public void close() {
        shutDown(true);
    }

    private void shutDown(boolean atOnce) {
        int delayed;
        int dirty = 0;
        Disposable alarm;
        synchronized (this) {
            shut = true;
            keys.releaseAll(now());
            delayed = keys.dropDelayed();
            alarm = delays.disarm();
            if (atOnce) {
                closed = true;
                dirty = keys.dropDirty();
            }
        }
        alarm.dispose();
        if (dirty + delayed > 0) {
            observer.dropped(dirty, delayed);
        }
        dispatch();
    }

    @Override
    public Mono<Void> drain() {
        return Mono.defer(() -> {
            shutDown();
            return drained.asMono();
        });
    }

    @Override
    public String toString() {
        return "WorkQueue[" + size() + " keys wait]";
    }
}
