package io.reactiveinformer.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Limits how many lists are in progress at once; further ones wait in a queue. A list is the most expensive request for a server, and a
 * hundred informers that start together would send a hundred. A watch is cheap however long it is open, so it takes a place only while it
 * sends the initial state. A list that hangs, or whose subscriber stops requesting, keeps its place for {@link #PATIENCE} at most, so that
 * no other list waits forever.
 */
final class ListPlaces {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final boolean unlimited;
    private final Scheduler timer;
    private final Deque<Ticket> line = new ArrayDeque<>(); // guarded by itself; no outside call under the lock
    private int free; // guarded by line

    /** @param places 0 for no limit */
    ListPlaces(int places, Scheduler timer) {
        this.unlimited = places == 0;
        this.free = places;
        this.timer = timer;
    }

    /** @param list receives a task that frees the place before the list has ended; running it again does nothing */
    <R> Flux<R> within(Function<Runnable, Flux<R>> list) {
        return unlimited
                ? list.apply(() -> {})
                : Flux.using(Ticket::new, ticket -> ticket.turn().thenMany(Flux.defer(() -> list.apply(ticket::leave))), Ticket::leave);
    }

    /** The place of a list, from its arrival in the queue to its end. */
    private final class Ticket {

        private final Sinks.Empty<Void> turn = Sinks.empty();
        private boolean placed; // guarded by line
        private boolean left; // guarded by line
        private Disposable over = Disposables.disposed(); // guarded by line; ends the place after PATIENCE

        Mono<Void> turn() {
            synchronized (line) {
                if (free == 0) {
                    line.add(this);
                    return turn.asMono();
                }
                free--;
                placed = true;
            }
            limit();
            return Mono.empty();
        }

        /** Schedules the end of this place. If that fails, gives it up at once, or it might be taken forever. */
        private void limit() {
            try {
                Disposable end = timer.schedule(this::leave, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                synchronized (line) {
                    if (!left) {
                        over = end;
                        return;
                    }
                }
                end.dispose();
            } catch (Throwable broken) {
                leave();
            }
        }

        private void come() {
            limit();
            try {
                timer.schedule(turn::tryEmitEmpty); // not here: each list would be read inside the end of the one before
            } catch (Throwable broken) {
                turn.tryEmitEmpty();
            }
        }

        void leave() {
            Ticket next;
            Disposable patience;
            synchronized (line) {
                if (left) {
                    return;
                }
                left = true;
                if (!placed) {
                    line.remove(this);
                    return;
                }
                patience = over;
                next = line.poll();
                if (next == null) {
                    free++;
                } else {
                    next.placed = true;
                }
            }
            try {
                patience.dispose();
            } finally {
                if (next != null) {
                    next.come();
                }
            }
        }
    }
}
