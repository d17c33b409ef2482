package io.reactiveinformer.queue;

import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.internal.Watchdog;
import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.internal.informer.Observed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * Hands the ready keys of a {@link KeyTable} to the subscribers of {@link #process}. An Error, such as an
 * {@link OutOfMemoryError}, may interrupt that; while there are subscribers, the {@link Watchdog} resumes it.
 */
final class KeyedWorkQueue<K> implements WorkQueue<K>, Instrumented, Watchdog.Watched {

    /*
     * The rules are client-go's, as is the idea of a dirty key. The difference is that keys are handed to subscribers
     * with demand.
     *
     *   add ──────────────────────────────┐
     *                                     ▼
     *   addAfter ──▶ delayed ── due ──▶ in line ── dispatch ──▶ KeySubscriber ──▶ WorkItem ──▶ work, on a worker
     *                  ▲                  ▲                                                      │
     *                  └── with a delay ──┴── dirty ◀────────── end ◀────────────────────────────┘
     *
     * The flags of a KeyState are the only truth about its key. The line, the delayed keys and the running ones are
     * orders derived from them. An Error can strike between a flag and its order. So each change goes through one
     * method, change: after one that threw, the next derives all orders again, and a shortage of memory loses no key.
     *
     * A KeySubscriber is one subscription to process, with its demand. A WorkItem is the right to work on one key; it
     * ends exactly once, by the end of the work, or given back after a cancellation. Only dispatch moves keys from the
     * line to subscribers. It is a drain loop (wip), so that items are emitted one after the other, whichever thread
     * has added a key, requested more, or ended work.
     *
     * One lock, this, guards the keys and their orders. Subscribers, observers and timers are called without it, as
     * they may call back.
     */

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

    /** The pause before aborted work goes on. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final RateLimiter<K> limiter;
    private final Scheduler workers;
    private final Scheduler timer;
    private final Observed<WorkQueue.Observer> observer;
    private final AtomicInteger wip = new AtomicInteger();
    private final AtomicBoolean clockFailed = new AtomicBoolean();
    private final Sinks.Empty<Void> drained = Sinks.empty();
    private volatile long latest;

    // Guarded by this; the only foreign code called under the lock: classes, equals and hashCode of keys, and the clock
    // of the timer.
    private final KeyTable<K> keys;
    private final Function<K, Integer> release; // made in advance, as is end: memory may be short
    private final Function<KeyState<K>, Integer> end; // and without them a key would stay held, or work would never end
    private final List<KeySubscriber<K>> subscribers = new ArrayList<>();
    private boolean shut;
    private boolean closed;
    private boolean interrupted; // a change of the keys was, so their orders are derived again before the next one
    private volatile boolean doubted; // keys or the alarm may be lost, so ring has to be called

    // One timer task for the earliest of the delays. Used by dispatch only.
    private final Disposable.Swap alarm = Disposables.swap();
    private long armedFor = KeyState.NEVER;
    private volatile boolean rung; // the alarm is not armed any more

    KeyedWorkQueue(WorkQueueOptions<K> options) {
        workers = options.workers();
        timer = SparedTimer.of(options.timer());
        limiter = options.limiter().apply(timer);
        observer = new Observed<>(WorkQueue.Observer.class, options.observer(), LOG, "a queue");
        keys = new KeyTable<>(options.classes(), options.headStart());
        release = key -> keys.release(key, now());
        end = state -> keys.end(state, now());
    }

    /** A meter of the keys in line would miss those that are. */
    @Override
    public <P> void wrap(Class<P> part, UnaryOperator<P> around) {
        if (size() == 0) {
            observer.wrap(part, around);
        }
    }

    private synchronized <A, R extends @Nullable Object> R change(A about, Function<? super A, ? extends R> change) {
        try {
            if (interrupted) {
                interrupted = false;
                if (!keys.restore()) {
                    doubted = true;
                }
            }
            return change.apply(about);
        } catch (Throwable thrown) { // between a flag and its order
            interrupted = true;
            doubted = true;
            throw thrown;
        }
    }

    private synchronized <R> R changeUnlessShut(K key, R otherwise, Function<KeyState<K>, R> change) {
        return shut ? otherwise : change(keys.state(key), change); // a new key without a class interrupts no change
    }

    private void tellAdded(int added) {
        for (int i = 0; i < added; i++) {
            observer.tell(WorkQueue.Observer::added);
        }
    }

    /** If the clock fails, the last time is used, so that no key is lost. */
    private long now() {
        try {
            latest = timer.now(TimeUnit.NANOSECONDS);
        } catch (Throwable failure) { // see above
            if (!clockFailed.getAndSet(true)) {
                LOG.warn("the clock of a queue failed; the queue goes on with the last known time, and further failures "
                        + "are not logged", failure);
            }
        }
        return latest;
    }

    private long dueAfter(Duration delay) {
        return now() + (delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay).toNanos();
    }

    @Override
    public void add(K key, int priority) {
        tellAdded(changeUnlessShut(key, 0, state -> keys.add(state, priority, now())));
        dispatch();
    }

    @Override
    public void addAfter(K key, Duration delay) {
        if (delay.isNegative() || delay.isZero()) {
            add(key);
            return;
        }
        changeUnlessShut(key, false, state -> keys.delay(state, dueAfter(delay)));
        dispatch();
    }

    @Override
    public boolean ails() {
        return doubted;
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
        observer.tell(one -> one.retried(delay));
        addAfter(key, delay);
    }

    private void ring() {
        try {
            synchronized (this) {
                if (doubted) {
                    doubted = false;
                    interrupted = true;
                }
            }
            rung = true;
            tellAdded(change(keys, all -> all.addDue(now())));
        } finally {
            dispatch();
        }
    }

    @Override
    public boolean cancelDelay(K key) {
        return change(key, keys::cancelDelay);
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
    public void hold(K key) {
        changeUnlessShut(key, 0, state -> ++state.holds);
    }

    @Override
    public void release(K key) {
        change(key, release);
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
            var subscriber = new KeySubscriber<>(this, Operators.toCoreSubscriber(actual));
            actual.onSubscribe(subscriber);
            join(subscriber);
        }).flatMap(item -> run(item, work), concurrency, 1)
                .retryWhen(Retry.from(failures -> failures.concatMap(this::pauseAfter)));
        return Flux.using(() -> Watchdog.watch(this), watched -> outcomes, Disposable::dispose);
    }

    private Mono<Long> pauseAfter(Retry.RetrySignal end) {
        if (!(end.failure() instanceof KeySubscriber.BrokenOffException brokenOff)) {
            return Mono.error(end.failure());
        }
        LOG.warn("work on a queue was aborted by an error, and goes on in {} s", PAUSE.toSeconds(),
                brokenOff.getCause());
        return Mono.delay(PAUSE, timer);
    }

    private Mono<WorkQueue.Outcome<K>> run(WorkItem<K> item, Function<? super K, Mono<Result>> work) {
        return Mono.<Result>create(sink -> sink.onCancel(
                        workers.schedule(() -> item.begin(Mono.defer(() -> work.apply(item.key())), sink))))
                .onErrorResume(failure -> Mono.just(Result.failed(failure)))
                .mapNotNull(item::finish)
                .doFinally(end -> item.giveBack());
    }

    void join(KeySubscriber<K> subscriber) {
        synchronized (this) {
            if (!subscriber.isCancelled()) {
                subscribers.add(subscriber);
            }
        }
        dispatch();
    }

    synchronized void leave(KeySubscriber<K> subscriber) {
        subscribers.remove(subscriber);
    }

    /** Hands ready keys to subscribers with demand. Serialized: a concurrent call only causes another pass. */
    void dispatch() {
        if (wip.getAndIncrement() != 0) {
            return;
        }
        Throwable thrown = null;
        for (int missed = 1; missed != 0; missed = wip.addAndGet(-missed)) {
            boolean more = true;
            while (more) {
                more = false;
                try {
                    more = giveNext();
                    arm();
                } catch (Throwable failure) { // rethrown after the loop, so that later callers are not locked out
                    doubted = true;
                    thrown = failure;
                }
            }
        }
        if (thrown != null) {
            throw Exceptions.propagate(thrown);
        }
    }

    /** Gives one key to a subscriber; false if no key is ready, or no subscriber wants one. */
    private boolean giveNext() {
        Assignment<K> next = nextAssignment();
        if (next == null) {
            completeIfOver();
            return false;
        }
        observer.tell(next.taken);
        next.subscriber.give(next.item);
        return true;
    }

    /** Arms the alarm for the first of the delayed keys, or disarms it if there are none. */
    private void arm() {
        if (rung) {
            rung = false;
            armedFor = KeyState.NEVER;
        }
        long due;
        synchronized (this) {
            due = keys.firstDue();
        }
        if (due < armedFor) {
            alarm.update(timer.schedule(this::ring, Math.max(1, due - now()), TimeUnit.NANOSECONDS));
            armedFor = due;
        } else if (due == KeyState.NEVER && armedFor != KeyState.NEVER) {
            alarm.update(Disposables.disposed());
            armedFor = KeyState.NEVER;
        }
    }

    private record Assignment<K>(KeySubscriber<K> subscriber, WorkItem<K> item, Consumer<WorkQueue.Observer> taken) {}

    private synchronized @Nullable Assignment<K> nextAssignment() {
        KeyState<K> next = change(keys, KeyTable::next);
        KeySubscriber<K> subscriber = next == null ? null : nextSubscriber();
        if (next == null || subscriber == null) {
            return null;
        }
        long now = now();
        Duration waited = Duration.ofNanos(now - next.since);
        var assignment = new Assignment<>(subscriber, new WorkItem<>(next, this), one -> one.taken(waited));
        change(next, one -> keys.take(one, now)); // last: a key that is taken and not given would be lost
        return assignment;
    }

    /** The next subscriber with demand; null if none has any. Subscribers take turns. */
    private @Nullable KeySubscriber<K> nextSubscriber() {
        for (int i = 0; i < subscribers.size(); i++) {
            if (subscribers.get(i).wants()) {
                KeySubscriber<K> next = subscribers.remove(i);
                subscribers.add(next);
                return next;
            }
        }
        return null;
    }

    private void completeIfOver() {
        List<KeySubscriber<K>> done = List.of();
        boolean over;
        synchronized (this) {
            over = shut && keys.ready() == 0 && keys.running() == 0;
            if (over || closed) {
                done = List.copyOf(subscribers);
                subscribers.clear();
            }
        }
        try {
            done.forEach(KeySubscriber::complete);
        } finally {
            if (over) {
                drained.tryEmitEmpty();
            }
        }
    }

    /**
     * The work on {@code state} begins now, on a worker: it sees the changes for which the key was added since it was
     * taken.
     */
    void begins(KeyState<K> state) {
        boolean merged;
        synchronized (this) {
            merged = keys.begins(state);
        }
        if (merged) {
            observer.tell(WorkQueue.Observer::merged);
        }
    }

    /**
     * Ends the work on {@code state}; other subscribers may then work on the key, also if the limiter throws. An
     * exception of the limiter fails the subscription to {@link #process}. Whatever else is thrown aborts the
     * subscription, which is repeated: Reactor would rethrow an Error past the operators that wait for the end.
     */
    WorkQueue.Outcome<K> finished(KeyState<K> state, Result result) {
        int retries = 0;
        long next = now();
        Throwable broken = null;
        try {
            retries = limiter.retries(state.key);
            next = next(state, result);
        } catch (Throwable thrown) { // thrown again when the key is free
            broken = thrown;
        }
        Duration took;
        try {
            took = end(state, next, result instanceof Result.Again again ? again.priority() : null, false);
        } catch (Throwable thrown) { // such as by equals of a key
            throw new KeySubscriber.BrokenOffException(thrown);
        }
        if (broken instanceof RuntimeException brokenLimiter) {
            throw brokenLimiter;
        } else if (broken != null) {
            throw new KeySubscriber.BrokenOffException(broken);
        }
        return new WorkQueue.Outcome<>(state.key, result, retries, took);
    }

    /** When the result requires the key to be worked on again; {@link KeyState#NEVER} if it does not. */
    private long next(KeyState<K> state, Result result) {
        if (result instanceof Result.Failed) {
            return afterFailure(state);
        }
        forget(state.key);
        return result instanceof Result.Again again ? dueAfter(again.delay()) : KeyState.NEVER;
    }

    /**
     * A failure during the pause after the one before, as of work that something else caused, leaves that pause as it
     * is.
     */
    private long afterFailure(KeyState<K> state) {
        long now = now();
        long end;
        synchronized (this) {
            end = state.pausedUntil;
        }
        Duration delay;
        if (end > now) {
            delay = Duration.ofNanos(end - now);
        } else {
            delay = limiter.next(state.key);
            end = dueAfter(delay);
            synchronized (this) {
                state.pausedUntil = end;
            }
        }
        observer.tell(one -> one.retried(delay));
        return end;
    }

    /** The work on {@code state} was given back unfinished. */
    void givenBack(KeyState<K> state) {
        end(state, now(), null, true);
    }

    private Duration end(KeyState<K> state, long next, @Nullable Integer priority, boolean evenIfShut) {
        long nanos;
        int added;
        synchronized (this) {
            nanos = now() - state.since;
            state.runPriority = priority == null ? state.runPriority : priority;
            state.next = (evenIfShut ? closed : shut) ? KeyState.NEVER : next;
            added = change(state, end);
        }
        try {
            Duration took = Duration.ofNanos(nanos);
            observer.tell(one -> one.finished(took));
            tellAdded(added);
            return took;
        } finally {
            dispatch();
        }
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
        KeyTable.Dropped dropped = change(keys, all -> {
            shut = true;
            closed |= atOnce;
            return all.shutDown(atOnce, now());
        });
        if (dropped.dirty() + dropped.delayed() > 0) {
            observer.tell(one -> one.dropped(dropped.dirty(), dropped.delayed()));
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
