package io.reactiveinformer.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/** One run of a credential plugin. Blocks; what it started is gone when it returns. */
final class ExecRun {

    /** No credential is longer. */
    private static final int MOST_OUTPUT = 1 << 20;
    /** As much of its complaints as helps. */
    private static final int MOST_COMPLAINT = 500;

    private final ExecPlugin plugin;
    private final Duration timeLimit;
    private volatile boolean late;

    ExecRun(ExecPlugin plugin, Duration timeLimit) {
        this.plugin = plugin;
        this.timeLimit = timeLimit;
    }

    byte[] output() throws InterruptedException {
        Process process = start();
        Disposable killer = Schedulers.boundedElastic().schedule(() -> giveUp(process), timeLimit.toMillis(), TimeUnit.MILLISECONDS);
        try (InputStream output = process.getInputStream(); InputStream complaints = process.getErrorStream()) {
            byte[] printed = output.readNBytes(MOST_OUTPUT + 1);
            String complaint = new String(complaints.readNBytes(MOST_COMPLAINT), StandardCharsets.UTF_8).strip();
            if (printed.length > MOST_OUTPUT) {
                throw plugin.wrong("it printed more than " + MOST_OUTPUT + " bytes");
            }
            int code = process.waitFor();
            if (late) {
                throw plugin.wrong("it took longer than " + timeLimit.toSeconds() + " s");
            }
            if (code != 0) {
                throw plugin.wrong("exit code " + code + (complaint.isEmpty() ? "" : ": " + complaint));
            }
            return printed;
        } catch (IOException broken) {
            throw plugin.wrong(late ? "it took longer than " + timeLimit.toSeconds() + " s" : "its output broke off");
        } finally {
            killer.dispose();
            kill(process);
        }
    }

    private Process start() {
        var builder = new ProcessBuilder(plugin.command());
        builder.environment().putAll(plugin.environment());
        builder.environment().put("KUBERNETES_EXEC_INFO", plugin.input());
        try {
            Process process = builder.start();
            process.getOutputStream().close(); // nobody is there to answer questions
            return process;
        } catch (IOException cannotStart) {
            throw plugin.wrong("it cannot be started: " + cannotStart.getMessage()
                    + (plugin.installHint() == null ? "" : "\n" + plugin.installHint().strip()));
        }
    }

    private void giveUp(Process process) {
        late = true;
        kill(process);
    }

    /** With its children, which may hold the pipe that we read from. */
    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
