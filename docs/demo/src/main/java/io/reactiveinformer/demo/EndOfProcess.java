package io.reactiveinformer.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Ends the command on SIGINT and SIGTERM as if its time were over: pending changes are printed, and the exit code is the command's own, not
 * the signal's.
 */
final class EndOfProcess {

    /** The longest time that the command has to end, since a reader that has stopped reading might block it forever. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Sinks.Empty<Void> requested = Sinks.empty();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int exitCode = ExitCode.NOT_SYNCED;

    private EndOfProcess() {}

    static EndOfProcess install() {
        var end = new EndOfProcess();
        Runtime.getRuntime().addShutdownHook(new Thread(end::onShutdown, "end-of-process"));
        return end;
    }

    Mono<Void> requested() {
        return requested.asMono();
    }

    /** Ends the process; never returns. */
    void exit(int code) {
        exitCode = code;
        ended.countDown();
        System.exit(code);
    }

    /** Runs when the process ends, by {@link #exit} or by a signal. After a signal only halt() sets the exit code. */
    private void onShutdown() {
        if (ended.getCount() == 0) {
            return;
        }
        requested.tryEmitEmpty();
        try {
            boolean inTime = ended.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            Runtime.getRuntime().halt(inTime ? exitCode : ExitCode.NOT_SYNCED);
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        }
    }
}
