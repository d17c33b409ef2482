package io.reactiveinformer.demo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Sinks;

/** Surroundings of a command that are looked at by a test. */
final class Console {

    private final Sheet out = new Sheet();
    private final Sheet err = new Sheet();
    private final Sinks.Empty<Void> end = Sinks.empty();
    private final @Nullable String kubeconfig;

    Console() {
        this(null);
    }

    /** @param kubeconfig the value of {@code $KUBECONFIG} */
    Console(@Nullable String kubeconfig) {
        this.kubeconfig = kubeconfig;
    }

    int run(String... args) {
        return Commands.run(args, surroundings());
    }

    /** Runs the command on a thread of its own. */
    CompletableFuture<Integer> start(String... args) {
        var executor = Executors.newSingleThreadExecutor();
        return CompletableFuture.supplyAsync(() -> run(args), executor).whenComplete((code, failure) -> executor.shutdown());
    }

    Surroundings surroundings() {
        return new Surroundings(new Lines(out), new PrintStream(err, true, StandardCharsets.UTF_8),
                false, 0, kubeconfig, end.asMono(), () -> Duration.ZERO);
    }

    /** As SIGTERM does. */
    void requestEnd() {
        end.tryEmitEmpty();
    }

    /** From now on every write fails, as on a pipe that nobody reads. */
    void closeOut() {
        out.fail("Broken pipe");
    }

    /** From now on every write fails, as on a full disk. */
    void fillUpOut() {
        out.fail("No space left on device");
    }

    List<String> out() {
        return out.lines();
    }

    List<String> err() {
        return err.lines();
    }

    /** Waits for such a line on stdout, and gives the first. The test's time limit ends a wait in vain. */
    String awaitOut(Predicate<String> wanted) throws InterruptedException {
        return out.await(wanted);
    }

    String awaitOut(String part) throws InterruptedException {
        return awaitOut(line -> line.contains(part));
    }

    /** The same, on stderr. */
    String awaitErr(String part) throws InterruptedException {
        return err.await(line -> line.contains(part));
    }

    private static final class Sheet extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(); // guarded by this
        private @Nullable String failure; // guarded by this

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] more, int offset, int length) throws IOException {
            if (failure != null) {
                throw new IOException(failure);
            }
            bytes.write(more, offset, length);
            notifyAll();
        }

        synchronized void fail(String why) {
            failure = why;
        }

        synchronized List<String> lines() {
            return bytes.toString(StandardCharsets.UTF_8).lines().toList();
        }

        synchronized String await(Predicate<String> wanted) throws InterruptedException {
            while (lines().stream().noneMatch(wanted)) {
                wait();
            }
            return lines().stream().filter(wanted).findFirst().orElseThrow();
        }
    }
}
