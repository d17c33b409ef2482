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
 * How many lists may be under way at once. A list is what costs a server most, and a hundred informers that start together would ask for a
 * hundred; a watch costs little, however long it is open, and has no place here but while it sends the initial state. The rest wait in line.
 * A list that hangs, or whose reader stops reading, keeps its place for {@link #PATIENCE} only, so that nobody waits for ever.
 */
final class ListPlaces {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final boolean unlimited;
    private final Scheduler timer;
    private final Deque<Ticket> line = new ArrayDeque<>(); // guarded by itself; no call leaves while it is held
    private int free; // guarded by line

    /** @param places 0 for no limit */
    ListPlaces(int places, Scheduler timer) {
        this.unlimited = places == 0;
        this.free = places;
        this.timer = timer;
    }

    /** @param list is given what leaves the place before the list has ended; doing so again is harmless */
    <R> Flux<R> within(Function<Runnable, Flux<R>> list) {
        return unlimited
                ? list.apply(() -> {})
                : Flux.using(Ticket::new, ticket -> ticket.turn().thenMany(Flux.defer(() -> list.apply(ticket::leave))), Ticket::leave);
    }

    /** A list's right to a place, from the end of the line to the end of the list. */
    private final class Ticket {

        private final Sinks.Empty<Void> turn = Sinks.empty();
        private boolean placed; // guarded by line
        private boolean left; // guarded by line
        private Disposable over = Disposables.disposed(); // guarded by line: the end of patience

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

        /** A list that cannot be waited for keeps no place, or it might be for ever. */
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
                timer.schedule(turn::tryEmitEmpty); // or each list would be read within the end of the one before
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
