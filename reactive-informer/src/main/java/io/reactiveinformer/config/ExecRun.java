package io.reactiveinformer.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One run of a credential plugin. Blocks. A plugin that takes too long, or prints too much, is ended with all that it was seen to start. What
 * one that has ended well leaves behind, as an agent that keeps a login, is neither waited for nor ended.
 */
final class ExecRun {

    /** No credential is longer. */
    private static final int MOST_OUTPUT = 1 << 20;
    /** More than a message has room for, since parts of it are left out. */
    private static final int MOST_COMPLAINT = 4 << 10;
    /** Between two looks at what it has started: whose parent has ended is nobody's child, and cannot be found any more. */
    private static final long LOOK_MILLIS = 100;
    /** What it printed last may come a moment after it has ended. */
    private static final long REST_MILLIS = 1000;

    private final ExecPlugin plugin;
    private final Duration timeLimit;
    private final Set<ProcessHandle> family = new HashSet<>();

    ExecRun(ExecPlugin plugin, Duration timeLimit) {
        this.plugin = plugin;
        this.timeLimit = timeLimit;
    }

    byte[] output() throws InterruptedException {
        Process process = start();
        boolean ended = false;
        try {
            var output = new Drain(process.getInputStream(), MOST_OUTPUT + 1);
            var complaint = new Drain(process.getErrorStream(), MOST_COMPLAINT);
            await(process, output);
            ended = true;
            int code = process.exitValue();
            if (code != 0) {
                String said = complaint(complaint.content(REST_MILLIS));
                throw plugin.wrong("exit code " + code + (said.isEmpty() ? "" : ": " + said));
            }
            byte[] printed = output.content(REST_MILLIS);
            refuseTooMuch(output);
            return printed;
        } finally {
            if (!ended) {
                kill(process);
            }
        }
    }

    private void await(Process process, Drain output) throws InterruptedException {
        long deadline = System.nanoTime() + timeLimit.toNanos();
        while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            process.descendants().forEach(family::add);
            refuseTooMuch(output);
            if (System.nanoTime() - deadline >= 0) {
                throw plugin.wrong("it took longer than " + timeLimit.toSeconds() + " s");
            }
        }
    }

    private void refuseTooMuch(Drain output) {
        if (output.isFull()) {
            throw plugin.wrong("it printed more than " + MOST_OUTPUT + " bytes");
        }
    }

    private String complaint(byte[] said) {
        String text = new String(said, StandardCharsets.UTF_8);
        return Complaint.of(said.length < MOST_COMPLAINT ? text : text.replaceFirst("\\S*$", ""), plugin.configured());
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

    private void kill(Process process) {
        process.descendants().forEach(family::add);
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
    }
}
