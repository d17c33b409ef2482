package io.reactiveinformer.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The environment of a command.
 *
 * @param out for the requested output, and nothing else
 * @param err for all other messages
 * @param colours whether {@code out} is a terminal that shows colours
 * @param endRequested completes when the user or the system ends the command, as if its time were over
 * @param spent the time since the start of the program: a second or more on a busy machine
 */
record Surroundings(Lines out, PrintStream err, boolean colours, Mono<Void> endRequested, Supplier<Duration> spent) {

    /** Completes when the command must end: when {@link #endRequested} does, or {@code duration} after the start of the program. */
    Mono<Void> end(@Nullable Duration duration) {
        Mono<Void> timeIsOver = duration == null ? Mono.never() : Mono.delay(left(duration)).then();
        Mono<Void> end = Mono.firstWithSignal(endRequested, timeIsOver).cache();
        end.subscribe();
        return end;
    }

    /** The rest of {@code duration}, but at least half of it, so that a slow start leaves time for the command itself. */
    private Duration left(Duration duration) {
        Duration left = duration.minus(spent.get());
        Duration half = duration.dividedBy(2);
        return left.compareTo(half) < 0 ? half : left;
    }

    /** Prints a message to the user, always on one line. */
    void say(String message) {
        err.println(Lines.onOneLine(message));
    }
}
