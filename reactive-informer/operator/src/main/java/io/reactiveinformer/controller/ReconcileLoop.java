package io.reactiveinformer.controller;

import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.controller.ReconcileRequest.Cause;
import io.reactiveinformer.internal.informer.LatestValues;
import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.resource.ForbiddenException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/** The running requests of a controller: creates them, calls the reconciler, and publishes the results. */
final class ReconcileLoop<K> {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    /** The result of a request that was not begun because the controller is not responsible, or drains; recognized by identity. */
    private static final Result NOT_OURS = new Result.Done();

    private static final int RESULTS_REMEMBERED = 256;

    /** Longer than most namespaces take to be deleted. */
    private static final Duration NAMESPACE_PAUSE = Duration.ofSeconds(30);

    private static final int DEEPEST_CAUSE = 10;

    private final ControllerBuilder.Spec<K> spec;
    private final WorkQueue<K> queue;
    private final Scheduler timer;
    private final WriteBarriers<K> holds;
    private final WriteLoops<K> loops;
    private final Causes<K> causes = new Causes<>();
    private final Map<K, Run> running = new ConcurrentHashMap<>();
    private final List<Runnable> idle = new CopyOnWriteArrayList<>(); // called when work on a key has ended
    private final LatestValues<Reconciled<K>> results = LatestValues.ofEvents(RESULTS_REMEMBERED);
    private final String idPrefix = Long.toString(ThreadLocalRandom.current().nextLong(1L << 30), Character.MAX_RADIX);
    private final AtomicLong ids = new AtomicLong();
    private volatile Reconciler<K> reconciler;
    private long published; // guarded by results
    private volatile Object term = new Object();
    private volatile boolean draining;

    ReconcileLoop(ControllerBuilder.Spec<K> spec, WorkQueue<K> queue, WriteBarriers<K> holds) {
        this.spec = spec;
        this.queue = queue;
        this.timer = spec.queue().timer();
        this.holds = holds;
        this.loops = new WriteLoops<>(spec.name(), spec.holdLimit(), timer);
        this.reconciler = spec.reconciler();
    }

    void wrap(UnaryOperator<Reconciler<K>> around) {
        reconciler = around.apply(reconciler);
    }

    /** One request, and when it began. Ends once: with a result, or cancelled. */
    private record Run(ReconcileRequest<?> request, long since, AtomicBoolean ended) {

        boolean end() {
            return !ended.getAndSet(true);
        }
    }

    void wake(K key, int priority, Cause cause) {
        if (spec.responsibility().test(Objects.requireNonNull(key, "a route returned null as a key"))) {
            causes.add(key, cause);
            queue.add(key, priority);
        }
    }

    /** Works as long as it has a subscriber. */
    Mono<Void> work() {
        return Mono.defer(() -> {
            beginTerm();
            return queue.process(spec.concurrency(), this::run).then();
        });
    }

    /** See {@link ReconcileRequest#term}. */
    void beginTerm() {
        term = new Object();
    }

    private Mono<Result> run(K key) {
        var request = new ReconcileRequest<>(spec.name(), key, idPrefix + "-" + ids.incrementAndGet(),
                queue.retries(key), causes.take(key), term);
        var run = new Run(request, now(), new AtomicBoolean());
        running.put(key, run); // before the test of the responsibility: see Controller.idle
        Mono<Result> work = null;
        try {
            work = !draining && spec.responsibility().test(key) ? work(request, run) : null;
        } finally {
            if (work == null) {
                leave(key, run);
            }
        }
        return work == null ? Mono.just(NOT_OURS) : work;
    }

    private Mono<Result> work(ReconcileRequest<K> request, Run run) {
        K key = request.key();
        loops.begin(request);
        Sinks.Empty<Void> returned = Sinks.empty(); // of subscribe: until then, work that blocks inside of it is still running
        var begun = LoggingContext.around(request, Mono.defer(() -> call(request)), returned::tryEmitEmpty);
        Mono<Result> tooLong = Mono.error(() -> new ReconcileTimeoutException(spec.name(), key, spec.timeout()));
        return begun.timeout(spec.timeout(), Mono.defer(() -> returned(request, returned)).then(tooLong), timer)
                .defaultIfEmpty(Result.done())
                .onErrorResume(failure -> Mono.just(Result.failed(failure)))
                .map(result -> loops.ended(request, awaitingNamespace(request, result)))
                .doOnNext(result -> ended(request, run, result))
                .doFinally(signal -> {
                    cancelled(request, run);
                    leave(key, run);
                });
    }

    /**
     * The result, or {@link Result#again} if it is the failure of a creation in a namespace that is being deleted. Such a namespace refuses
     * new objects until it is gone. That is no failure, and trying again soon does not help: the key is worked on again when what it needs
     * may be gone, too.
     */
    private static Result awaitingNamespace(ReconcileRequest<?> request, Result result) {
        if (!(result instanceof Result.Failed failed)
                || Stream.iterate(failed.cause(), Objects::nonNull, Throwable::getCause).limit(DEEPEST_CAUSE).noneMatch(cause ->
                        cause instanceof ForbiddenException forbidden && forbidden.status().hasCause("NamespaceTerminating"))) {
            return result;
        }
        LOG.debug("{}: the namespace is being deleted, and is waited for: {}", request, failed.cause().getMessage());
        return Result.again(NAMESPACE_PAUSE);
    }

    private Mono<Void> returned(ReconcileRequest<K> request, Sinks.Empty<Void> returned) {
        if (!Boolean.TRUE.equals(returned.scan(Scannable.Attr.TERMINATED))) {
            LOG.warn("{}: has blocked its thread for longer than {}; it is tried again only after it has returned",
                    request, spec.timeout());
        }
        return returned.asMono();
    }

    private Mono<Result> call(ReconcileRequest<K> request) {
        try {
            Mono<Result> work = reconciler.reconcile(request);
            return work != null ? work : Mono.error(new NullPointerException(
                    request + ": the reconciler returned null; return Mono.empty() if there is nothing to do"));
        } catch (RuntimeException failure) {
            return Mono.error(failure);
        } catch (Throwable broken) { // such as a LinkageError: fails this key only; Reactor would treat it as fatal
            return Mono.error(new IllegalStateException(request + ": the reconciler threw an Error: " + broken, broken));
        }
    }

    private void ended(ReconcileRequest<K> request, Run run, Result result) {
        if (!run.end()) {
            return;
        }
        K key = request.key();
        if (result instanceof Result.Failed) {
            causes.add(key, request.merged());
        }
        if (result instanceof Result.Failed || result instanceof Result.Again) {
            causes.add(key, again(key));
        }
        holds.hold(request);
        log(request, result);
        synchronized (results) {
            results.publish(new Reconciled<>(++published, request, result, Duration.ofNanos(now() - run.since)));
        }
    }

    /**
     * Keeps the causes for the next request of the key: the queue adds the key again unless the controller is closed. No effect on a run
     * that has ended.
     */
    private void cancelled(ReconcileRequest<K> request, Run run) {
        if (run.end()) {
            causes.add(request.key(), request.merged());
            causes.add(request.key(), again(request.key()));
            holds.hold(request);
        }
    }

    private Cause again(K key) {
        return new Cause(Cause.Kind.AGAIN, spec.name(), String.valueOf(key));
    }

    private void leave(K key, Run run) {
        if (running.remove(key, run)) {
            idle.forEach(Runnable::run);
        }
    }

    /** Warns at the first failure of a key, not at each retry. */
    private static void log(ReconcileRequest<?> request, Result result) {
        Throwable cause = result instanceof Result.Failed failed ? failed.cause() : result instanceof Result.GivenUp givenUp
                ? givenUp.cause() : null;
        if (cause == null) {
            return;
        }
        LoggingContext.within(request, () -> {
            if (result instanceof Result.GivenUp) {
                LOG.warn("{}: given up", request, cause);
            } else if (request.retries() == 0) {
                LOG.warn("{}: failed, will be tried again", request, cause);
            } else {
                LOG.debug("{}: failed again", request, cause);
            }
        });
    }

    Mono<Void> idle(Predicate<? super K> which) {
        return Mono.create(sink -> {
            Runnable look = () -> {
                try {
                    if (running.keySet().stream().noneMatch(which)) {
                        sink.success();
                    }
                } catch (Throwable thrown) { // a predicate that throws ends its own wait, not the work of others
                    sink.error(thrown);
                }
            };
            idle.add(look); // before the first look: a key that leaves meanwhile causes another
            sink.onDispose(() -> idle.remove(look));
            look.run();
        });
    }

    Flux<Reconciled<K>> results() {
        return results.flux(SharedThreads.ofStatuses());
    }

    /** Begins no more requests. */
    void drain() {
        draining = true;
        causes.end();
    }

    void complete() {
        results.complete();
    }

    /** The number of keys whose causes are kept. */
    int explained() {
        return causes.size();
    }

    /** Whether a request is running. */
    boolean works() {
        return !running.isEmpty();
    }

    /** The running requests. */
    @Override
    public String toString() {
        return running.values().stream().map(run -> run.request.toString()).toList().toString();
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
