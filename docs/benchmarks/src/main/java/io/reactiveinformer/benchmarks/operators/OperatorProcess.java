package io.reactiveinformer.benchmarks.operators;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An operator in a JVM of its own, on core 0, and what the system and the JVM say of it. */
final class OperatorProcess implements AutoCloseable {

    private static final Path BIN = Path.of(System.getProperty("java.home"), "bin");

    private final Path output;
    private final Process process;

    /** @param main its class, and after a colon an argument beside the kubeconfig */
    OperatorProcess(String classPath, List<String> flags, String main, Path kubeconfig) throws IOException {
        String[] parts = main.split(":", -1);
        List<String> command = new ArrayList<>(List.of("taskset", "-c", "0", BIN.resolve("java").toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, parts[0], kubeconfig.toString()));
        command.addAll(List.of(parts).subList(1, parts.length));
        output = Files.createTempFile("operator", ".out");
        process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    }

    /** @throws IllegalStateException with its last output, if it ended */
    void check() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException("the operator ended: " + lastWords());
        }
    }

    String lastWords() throws IOException {
        String words = Files.readString(output);
        return words.substring(Math.max(words.length() - 2_000, 0)).strip();
    }

    long cpuMillis() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }

    /** Of live objects, by a histogram, which begins with a full collection. */
    long heapKilobytes() throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(BIN.resolve("jcmd").toString(), "" + process.pid(), "GC.class_histogram").start();
        String total = "";
        try (var lines = jcmd.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                total = line.startsWith("Total") ? line : total;
            }
        }
        jcmd.waitFor();
        return Long.parseLong(total.strip().split("\\s+", -1)[2]) >> 10;
    }

    /** A line of {@code /proc/<pid>/status}: {@code VmRSS}, {@code VmHWM} (in kilobytes), {@code Threads}. */
    long status(String name) throws IOException {
        try (var lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
            return lines.filter(line -> line.startsWith(name + ":")).mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst().orElse(0);
        }
    }

    /** Ends the operator by the end of its input, so that a profile is written. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join().destroyForcibly().onExit().join();
        Files.delete(output);
    }
}
