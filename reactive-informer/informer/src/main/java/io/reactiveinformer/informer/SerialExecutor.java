package io.reactiveinformer.informer;

import io.reactiveinformer.internal.informer.Contained;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.util.concurrent.Queues;

/**
 * Runs tasks one at a time, in the order of their arrival, on the thread of the caller that finds it idle. No caller waits. A task that
 * throws does not prevent later ones.
 */
final class SerialExecutor {

    private final Queue<Runnable> waiting = Queues.<Runnable>unboundedMultiproducer().get();
    private final AtomicInteger inside = new AtomicInteger();
    private final Consumer<Throwable> failures;

    /** @param failures receives an error that a task threw, before the next task runs */
    SerialExecutor(Consumer<Throwable> failures) {
        this.failures = failures;
    }

    void execute(Runnable task) {
        waiting.add(task);
        if (inside.getAndIncrement() != 0) {
            return; // the thread that runs tasks now runs this one too
        }
        Throwable unheard = null;
        do {
            Runnable next = waiting.poll();
            Throwable again = next == null ? null : run(next);
            unheard = unheard == null ? again : unheard;
        } while (inside.decrementAndGet() != 0);
        if (unheard != null) {
            throw Exceptions.propagate(unheard);
        }
    }

    /** Runs the task, and reports an error. Returns an error that could not be reported, as later tasks must run before it is thrown. */
    private @Nullable Throwable run(Runnable task) {
        try {
            Contained.call(Runnable::run, task, failures);
            return null;
        } catch (Throwable again) { // by failures
            return again;
        }
    }
}
