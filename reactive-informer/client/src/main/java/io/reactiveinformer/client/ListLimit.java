package io.reactiveinformer.client;

import io.reactiveinformer.internal.ListWaits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * Limits how many lists are in progress at once; further ones wait in a queue. A list is the most expensive request for a server, and a
 * hundred informers that start together would send a hundred. A watch is cheap however long it is open, so it takes a place only while it
 * sends the initial state. A list that hangs, or whose subscriber stops requesting, keeps its place for twice {@link #PATIENCE} at most,
 * and one that is slow for {@value #MOST_LOOKS} times, so that no other list waits forever. Its sender learns of the wait, and may be
 * urgent: see {@link ListWaits}.
 */
final class ListLimit {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A list whose items come so slowly that it takes longer than this many times the patience loses its place. */
    static final int MOST_LOOKS = 10;

    private final boolean unlimited;
    private final Scheduler timer;
    private final Deque<Ticket> line = new ArrayDeque<>(); // guarded by itself; no outside call under the lock
    private final Deque<Ticket> urgent = new ArrayDeque<>(); // guarded by line
    private int free; // guarded by line

    /** @param places 0 for no limit */
    ListLimit(int places, Scheduler timer) {
        this.unlimited = places == 0;
        this.free = places;
        this.timer = timer;
    }

    /**
     * Frees the place after the subscriber was notified of the end, which may have got into line for the next page meanwhile.
     *
     * @param list receives a task that frees the place before the list has ended; running it again does nothing
     */
    <R> Flux<R> within(Function<Runnable, Flux<R>> list) {
        return unlimited
                ? list.apply(() -> {})
                : Flux.deferContextual(context -> Flux.using(() -> new Ticket(context), ticket -> ticket.hold(list), Ticket::leave, false));
    }

    /** The place of a list, from its arrival in the queue to its end. */
    private final class Ticket {

        private final Sinks.Empty<Void> turn = Sinks.empty();
        private final Consumer<Boolean> waits;
        private final Deque<Ticket> mine;
        private int looks; // by the timer only
        private volatile boolean active; // an item came since the last look
        private boolean placed; // guarded by line
        private boolean left; // guarded by line
        private final Disposable.Swap over = Disposables.swap(); // ends the place after PATIENCE

        Ticket(ContextView context) {
            waits = ListWaits.waits(context);
            mine = ListWaits.isUrgent(context) ? urgent : line;
        }

        <R> Flux<R> hold(Function<Runnable, Flux<R>> list) {
            waits.accept(true);
            return turn().thenMany(Flux.defer(() -> {
                waits.accept(false);
                return list.apply(this::leave).doOnNext(item -> active = true);
            }));
        }

        private Mono<Void> turn() {
            synchronized (line) {
                if (free == 0) {
                    mine.add(this);
                    return turn.asMono();
                }
                free--;
                placed = true;
            }
            limit();
            return Mono.empty();
        }

        /** Schedules the end of this place, unless items come. If that fails, gives it up at once, or it might be taken forever. */
        private void limit() {
            try {
                over.replace(timer.schedule(this::look, PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
            } catch (Throwable broken) { // a place that nothing ends might be taken forever
                leave();
            }
        }

        private void look() {
            if (active && ++looks < MOST_LOOKS) {
                active = false;
                limit();
            } else {
                leave();
            }
        }

        private void come() {
            limit();
            try {
                timer.schedule(turn::tryEmitEmpty); // not here: each list would be read inside the end of the one before
            } catch (Throwable broken) { // no task can be scheduled: then inside the end of the one before
                turn.tryEmitEmpty();
            }
        }

        void leave() {
            Ticket next;
            synchronized (line) {
                if (left) {
                    return;
                }
                left = true;
                if (!placed) {
                    mine.remove(this);
                    return;
                }
                next = urgent.isEmpty() ? line.poll() : urgent.poll();
                if (next == null) {
                    free++;
                } else {
                    next.placed = true;
                }
            }
            try {
                over.dispose();
            } finally {
                if (next != null) {
                    next.come();
                }
            }
        }
    }
}
