package io.reactiveinformer.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What a command finds around itself.
 *
 * @param out for what was asked for, and nothing else
 * @param err for all the rest
 * @param colours whether {@code out} is looked at on a terminal
 * @param endRequested completes when someone wants the command to end now, as if its time were over
 * @param spent since the program was started: a second or more where the machine is busy
 */
record Surroundings(Lines out, PrintStream err, boolean colours, Mono<Void> endRequested, Supplier<Duration> spent) {

    /** Completes when the command is to end: when someone wants it, or {@code duration} after the start of the program. */
    Mono<Void> end(@Nullable Duration duration) {
        Mono<Void> timeIsOver = duration == null ? Mono.never() : Mono.delay(left(duration)).then();
        Mono<Void> end = Mono.firstWithSignal(endRequested, timeIsOver).cache();
        end.subscribe();
        return end;
    }

    /** At least half of it: a slow start leaves time for what was asked for. */
    private Duration left(Duration duration) {
        Duration left = duration.minus(spent.get());
        Duration half = duration.dividedBy(2);
        return left.compareTo(half) < 0 ? half : left;
    }

    /** Says something to the user, on one line whatever it quotes. */
    void say(String message) {
        err.println(Lines.onOneLine(message));
    }
}
