package io.reactiveinformer.informer;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.util.concurrent.Queues;

/**
 * Lets tasks through one by one, in the order in which they came, on the thread of whoever found it free. Nobody waits. A task that throws
 * does not bar the way of those behind it.
 */
final class Turnstile {

    private final Queue<Runnable> waiting = Queues.<Runnable>unboundedMultiproducer().get();
    private final AtomicInteger inside = new AtomicInteger();
    private final Consumer<Throwable> failures;

    /** @param failures is given what a task threw, before the next goes through */
    Turnstile(Consumer<Throwable> failures) {
        this.failures = failures;
    }

    void pass(Runnable task) {
        waiting.add(task);
        if (inside.getAndIncrement() != 0) {
            return; // whoever is inside takes it along
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

    /** Returns what could not even be reported: those who come later must find the way free, whatever is thrown. */
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
