package io.reactiveinformer.demo;

import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What a command finds around itself.
 *
 * @param out for what was asked for, and nothing else
 * @param err for all the rest
 * @param colours whether {@code out} is looked at on a terminal
 * @param endRequested completes when someone wants the command to end now, as if its time were over
 */
record Surroundings(Lines out, PrintStream err, boolean colours, Mono<Void> endRequested) {

    /** Completes when the command is to end: when someone wants it, or {@code duration} after this call. */
    Mono<Void> end(@Nullable Duration duration) {
        Mono<Void> timeIsOver = duration == null ? Mono.never() : Mono.delay(duration).then();
        Mono<Void> end = Mono.firstWithSignal(endRequested, timeIsOver).cache();
        end.subscribe();
        return end;
    }

    /** Says something to the user, on one line whatever it quotes. */
    void say(String message) {
        err.println(Lines.onOneLine(message));
    }
}
