package io.reactiveinformer.internal.informer;

import java.util.Map;
import java.util.concurrent.Callable;
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
public final class BlockingCalls<K> {

    private final Scheduler threads;
    private final Map<K, Mono<Void>> running = new ConcurrentHashMap<>();

    /** On virtual threads where the JVM has them. */
    public BlockingCalls() {
        this(Threads.SCHEDULER);
    }

    public BlockingCalls(Scheduler threads) {
        this.threads = threads;
    }

    /** Calls {@code work} on subscription; interrupts it when it is cancelled. Null is an empty result. */
    public <R> Mono<R> call(K key, Callable<? extends @Nullable R> work) {
        return Mono.defer(() -> running.getOrDefault(key, Mono.empty()).then(begin(key, work)));
    }

    private <R> Mono<R> begin(K key, Callable<? extends @Nullable R> work) {
        return Mono.defer(() -> {
            var decided = new AtomicBoolean(); // whether the work runs, or was cancelled before it began
            return Mono.<R>fromCallable(() -> run(key, work, decided))
                    .subscribeOn(threads)
                    .doOnCancel(() -> decided.set(true));
        });
    }

    private <R> @Nullable R run(K key, Callable<? extends @Nullable R> work, AtomicBoolean decided) throws Exception {
        Sinks.Empty<Void> returned = Sinks.empty();
        Mono<Void> end = returned.asMono();
        running.put(key, end); // before the decision: the next call for the key then finds it
        try {
            return decided.getAndSet(true) ? null : work.call();
        } finally {
            running.remove(key, end);
            returned.tryEmitEmpty();
        }
    }

    /** Virtual threads where the JVM has them, without a limit of their own: who calls limits its work. Made on first use. */
    public static final class Threads {

        public static final Scheduler SCHEDULER = create();

        private Threads() {}

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
