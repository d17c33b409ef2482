package io.reactiveinformer.controller;

import io.reactiveinformer.queue.Result;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Runs work that blocks on a thread of its own. Work that was interrupted may go on for a while; the next work on its key begins when it
 * has returned.
 */
final class BlockingReconciler<K> implements Reconciler<K> {

    private final Blocking<K> work;
    private final Scheduler threads;
    private final Map<K, Mono<Void>> running = new ConcurrentHashMap<>();

    BlockingReconciler(Blocking<K> work, Scheduler threads) {
        this.work = work;
        this.threads = threads;
    }

    @Override
    public Mono<Result> reconcile(ReconcileRequest<K> request) {
        return Mono.defer(() -> running.getOrDefault(request.key(), Mono.empty()).then(begin(request)));
    }

    private Mono<Result> begin(ReconcileRequest<K> request) {
        return Mono.defer(() -> {
            var decided = new AtomicBoolean(); // whether the work runs, or was cancelled before it began
            return Mono.<Result>fromCallable(() -> run(request, decided))
                    .subscribeOn(threads)
                    .doOnCancel(() -> decided.set(true));
        });
    }

    private @Nullable Result run(ReconcileRequest<K> request, AtomicBoolean decided) throws Exception {
        Sinks.Empty<Void> returned = Sinks.empty();
        Mono<Void> end = returned.asMono();
        running.put(request.key(), end); // before the decision: the next call for the key then finds it
        try {
            return decided.getAndSet(true) ? null : work.reconcile(request);
        } finally {
            running.remove(request.key(), end);
            returned.tryEmitEmpty();
        }
    }

    /** Virtual threads where the JVM has them, without a limit of their own: a controller limits its work. Made on first use. */
    static final class Threads {

        static final Scheduler SCHEDULER = create();

        private static Scheduler create() {
            try {
                Object virtual = Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
                return Schedulers.fromExecutorService((ExecutorService) virtual, "blocking-reconcilers");
            } catch (NoSuchMethodException beforeJava21) {
                return Schedulers.boundedElastic();
            } catch (ReflectiveOperationException failure) {
                throw new IllegalStateException("virtual threads cannot be made", failure);
            }
        }
    }
}
