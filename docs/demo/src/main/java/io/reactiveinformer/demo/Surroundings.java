package io.reactiveinformer.demo;

import java.io.PrintStream;
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

    /** Says something to the user, on one line whatever it quotes. */
    void say(String message) {
        err.println(Lines.onOneLine(message));
    }
}
