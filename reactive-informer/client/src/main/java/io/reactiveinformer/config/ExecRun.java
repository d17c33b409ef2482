package io.reactiveinformer.config;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * One run of a credential plugin. Blocks. A plugin that takes too long or prints too much is killed together with its descendants; so is
 * a plugin that still runs when its client is closed or this process ends. A process whose own parent has exited is no descendant any
 * more, and may survive. Processes that remain after a plugin has exited by itself, such as an agent that keeps a login, are neither
 * awaited nor killed.
 */
final class ExecRun implements Disposable {

    /** No credential is longer. */
    private static final int MOST_OUTPUT = 1 << 20;
    /** More than fits into a message, since parts of it are removed. */
    private static final int MOST_COMPLAINT = 4 << 10;
    /** Most characters of what the plugin printed to stderr in a message. */
    private static final int LONGEST_COMPLAINT = 500;
    /** How often the length of the output is checked. */
    private static final long LOOK_MILLIS = 100;
    /** The last output may arrive a moment after the plugin has exited. */
    private static final long REST_MILLIS = 1000;

    private final ExecPlugin plugin;
    private final Duration timeLimit;
    private final boolean stderr;
    private @Nullable Process process; // guarded by this
    private boolean disposed; // guarded by this

    /** @param stderr whether failures quote the plugin's stderr, which may contain secrets */
    ExecRun(ExecPlugin plugin, Duration timeLimit, boolean stderr) {
        this.plugin = plugin;
        this.timeLimit = timeLimit;
        this.stderr = stderr;
    }

    byte[] output() throws InterruptedException {
        Process started = start();
        var atExit = new Thread(this::dispose, "reactive-informer-credential-plugin-end");
        boolean ended = false;
        try {
            addHook(atExit);
            var output = new Drain(started.getInputStream(), MOST_OUTPUT + 1);
            var complaint = new Drain(started.getErrorStream(), MOST_COMPLAINT);
            await(started, output, complaint);
            ended = true;
            int code = started.exitValue();
            if (code != 0) {
                throw plugin.wrong("exit code " + code + said(complaint));
            }
            byte[] printed = output.content(REST_MILLIS);
            refuseTooMuch(output);
            return printed;
        } finally {
            if (!ended) {
                kill(started);
            }
            removeHook(atExit);
        }
    }

    private void addHook(Thread atExit) {
        try {
            Runtime.getRuntime().addShutdownHook(atExit);
        } catch (IllegalStateException shutDown) {
            throw closed();
        }
    }

    private static void removeHook(Thread atExit) {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException shutDown) {
            // the hook is running or has run
        }
    }

    private void await(Process started, Drain output, Drain complaint) throws InterruptedException {
        long deadline = System.nanoTime() + timeLimit.toNanos();
        while (!started.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            refuseTooMuch(output);
            if (System.nanoTime() - deadline >= 0) {
                throw plugin.wrong("it took longer than " + timeLimit.toSeconds() + " s" + said(complaint));
            }
        }
        synchronized (this) {
            if (disposed) {
                throw closed();
            }
        }
    }

    private void refuseTooMuch(Drain output) {
        if (output.isFull()) {
            throw plugin.wrong("it printed more than " + MOST_OUTPUT + " bytes");
        }
    }

    private String said(Drain complaint) throws InterruptedException {
        String text = new String(complaint.content(REST_MILLIS), StandardCharsets.UTF_8);
        if (text.isBlank()) {
            return "";
        }
        if (!stderr) {
            return "; what it printed to stderr is not shown, since it may be secret: run it by hand, or set "
                    + ExecPlugin.STDERR + "=1 in the environment of this process";
        }
        String line = plugin.withoutConfigured(text).replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\uFFFD]+", " ").strip();
        return ": " + (line.length() <= LONGEST_COMPLAINT ? line : line.substring(0, LONGEST_COMPLAINT - 1) + "…");
    }

    private synchronized Process start() {
        if (disposed) {
            throw closed();
        }
        var builder = new ProcessBuilder(plugin.command());
        builder.environment().putAll(plugin.environment());
        builder.environment().put("KUBERNETES_EXEC_INFO", plugin.input());
        try {
            Process started = builder.start();
            process = started;
            started.getOutputStream().close(); // no person can answer questions here
            return started;
        } catch (IOException cannotStart) {
            throw plugin.wrong("it cannot be started: " + why(plugin.command().get(0), cannotStart) + "."
                    + (plugin.installHint() == null ? "" : "\n" + plugin.installHint().strip()));
        }
    }

    /** A message of this library if the file system shows the reason, since Java's wording differs between releases. */
    private static String why(String program, IOException cannotStart) {
        if (!program.contains(File.separator)) {
            return isOnPath(program) ? reason(cannotStart) : "there is no program of this name on the PATH of this process";
        }
        Path file = Path.of(program);
        if (!Files.exists(file)) {
            return "there is no such file";
        }
        return Files.isRegularFile(file) && Files.isExecutable(file)
                ? reason(cannotStart) : "it is not a file that this process may execute";
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv("PATH");
        return Stream.of((path == null ? "" : path).split(File.pathSeparator))
                .anyMatch(directory -> new File(directory, program).exists() || new File(directory, program + ".exe").exists());
    }

    private static String reason(IOException cannotStart) {
        return String.valueOf(cannotStart.getMessage()).strip();
    }

    private ConfigException closed() {
        return plugin.wrong("it was ended, since the client was closed or this process ends");
    }

    /**
     * Kills the plugin if it runs; prevents its start otherwise. Returns after the plugin and its descendants have been sent the signal,
     * also if another thread has begun to send it: this program may end next.
     */
    @Override
    public synchronized void dispose() {
        disposed = true;
        if (process != null) {
            kill(process);
        }
    }

    /** The descendants are listed first: once the plugin has ended, they are no longer known to be its own. */
    private synchronized void kill(Process running) {
        if (running.isAlive()) {
            List<ProcessHandle> descendants = running.descendants().toList();
            running.destroyForcibly();
            descendants.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /**
     * Reads all output of a program, so that it never blocks on a full pipe; keeps the beginning. On a thread of its own, since a process
     * that the program has started may keep the stream open forever.
     */
    private static final class Drain {

        private final InputStream stream;
        private final int most;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream(); // guarded by itself
        private final Thread reader;

        /** @param most how many bytes are kept */
        Drain(InputStream stream, int most) {
            this.stream = stream;
            this.most = most;
            this.reader = new Thread(this::read, "reactive-informer-credential-plugin");
            this.reader.setDaemon(true);
            this.reader.start();
        }

        private void read() {
            byte[] buffer = new byte[8 << 10];
            try {
                for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                    synchronized (kept) {
                        kept.write(buffer, 0, Math.min(read, most - kept.size()));
                    }
                }
            } catch (IOException gone) {
                // the program has exited: what was read before is all
            }
        }

        /** What has been read by the end of the stream, or after {@code millis} at most. */
        byte[] content(long millis) throws InterruptedException {
            reader.join(millis);
            synchronized (kept) {
                return kept.toByteArray();
            }
        }

        /** Whether {@code most} bytes were read; more are dropped. */
        boolean isFull() {
            synchronized (kept) {
                return kept.size() == most;
            }
        }
    }
}
