package io.reactiveinformer.informer;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.util.concurrent.Queues;

/** Lets tasks through one by one, in the order in which they came, on the thread of whoever found it free. Nobody waits. */
final class Turnstile {

    private final Queue<Runnable> waiting = Queues.<Runnable>unboundedMultiproducer().get();
    private final AtomicInteger inside = new AtomicInteger();

    /** @param task must not throw */
    void pass(Runnable task) {
        waiting.add(task);
        if (inside.getAndIncrement() != 0) {
            return; // whoever is inside takes it along
        }
        do {
            Runnable next = waiting.poll();
            if (next != null) {
                next.run();
            }
        } while (inside.decrementAndGet() != 0);
    }
}
