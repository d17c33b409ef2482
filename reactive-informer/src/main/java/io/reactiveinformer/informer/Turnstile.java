package io.reactiveinformer.informer;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import reactor.util.concurrent.Queues;

/**
 * Lets tasks through one by one, in the order in which they came, on the thread of whoever found it free. Nobody waits. A task that throws
 * does not bar the way of those behind it.
 */
final class Turnstile {

    private final Queue<Runnable> waiting = Queues.<Runnable>unboundedMultiproducer().get();
    private final AtomicInteger inside = new AtomicInteger();
    private final Consumer<Throwable> failures;

    /** @param failures is told what a task threw, before the next goes through; must not throw */
    Turnstile(Consumer<Throwable> failures) {
        this.failures = failures;
    }

    void pass(Runnable task) {
        waiting.add(task);
        if (inside.getAndIncrement() != 0) {
            return; // whoever is inside takes it along
        }
        do {
            Runnable next = waiting.poll();
            if (next != null) {
                run(next);
            }
        } while (inside.decrementAndGet() != 0);
    }

    /** Whatever it throws, even an error of the machine: those who come later must find the way free. */
    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable failure) {
            failures.accept(failure);
        }
    }
}
