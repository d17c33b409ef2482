package io.reactiveinformer.demo;

import java.io.File;
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
 * @param width the columns of that terminal; 0 if {@code out} is none, or its width is not known
 * @param kubeconfig the value of {@code $KUBECONFIG}, which is not used; null if it is not set
 * @param endRequested completes when the user or the system ends the command, as if its time were over
 * @param spent the time since the start of the program: a second or more on a busy machine
 */
record Surroundings(Lines out, PrintStream err, boolean colours, int width, @Nullable String kubeconfig, Mono<Void> endRequested,
        Supplier<Duration> spent) {

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

    /** Prints the address of the embedded server; and, if another cluster may have been meant, how to connect to that one. */
    void sayEmbedded(String url) {
        say("embedded server: " + url);
        if (kubeconfig != null && !kubeconfig.isBlank()) {
            say("$KUBECONFIG is not used without --kubeconfig. For its cluster: --kubeconfig "
                    + (kubeconfig.contains(File.pathSeparator) ? "FILE, with one of its files" : kubeconfig));
        }
    }

    /** Prints a message to the user, always on one line. */
    void say(String message) {
        err.println(Lines.onOneLine(message));
    }
}
