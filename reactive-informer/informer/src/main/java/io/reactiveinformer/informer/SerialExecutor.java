package io.reactiveinformer.informer;

import io.reactiveinformer.internal.informer.Contained;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import reactor.util.concurrent.Queues;

/**
 * Runs tasks one at a time, in the order of their arrival, on the thread of the caller that finds it idle. No caller waits. A task that
 * throws does not prevent later ones.
 */
final class SerialExecutor {

    private final Queue<Runnable> waiting = Queues.<Runnable>unboundedMultiproducer().get();
    private final AtomicInteger inside = new AtomicInteger();
    private final Consumer<Throwable> failures;

    /** @param failures receives an error that a task threw, before the next task runs; must not throw */
    SerialExecutor(Consumer<Throwable> failures) {
        this.failures = failures;
    }

    void execute(Runnable task) {
        waiting.add(task);
        if (inside.getAndIncrement() != 0) {
            return; // the thread that runs tasks now runs this one too
        }
        do {
            Runnable next = waiting.poll();
            if (next != null) {
                Contained.call(Runnable::run, next, failures);
            }
        } while (inside.decrementAndGet() != 0);
    }
}
