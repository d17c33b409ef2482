package io.reactiveinformer.informer;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.util.concurrent.Queues;

/**
 * Runs tasks one at a time, in the order of their arrival, on the thread of the caller that found it idle. No caller waits. A task that
 * throws does not stop those behind it.
 */
final class SerialExecutor {

    private final Queue<Runnable> waiting = Queues.<Runnable>unboundedMultiproducer().get();
    private final AtomicInteger inside = new AtomicInteger();
    private final Consumer<Throwable> failures;

    /** @param failures receives what a task threw, before the next task runs */
    SerialExecutor(Consumer<Throwable> failures) {
        this.failures = failures;
    }

    void execute(Runnable task) {
        waiting.add(task);
        if (inside.getAndIncrement() != 0) {
            return; // the thread that is inside runs it
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

    /** Returns the throwable that could not even be reported: later tasks must run, whatever is thrown. */
    private @Nullable Throwable run(Runnable task) {
        try {
            task.run();
        } catch (Throwable failure) {
            try {
                failures.accept(failure);
            } catch (Throwable again) {
                return again;
            }
        }
        return null;
    }
}
