package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A {@link LoadServer} on one core, before which contenders are put on another, each in a process of its own. */
final class ServerProcess implements AutoCloseable {

    private final ClusterShape cluster;
    private final Process process;
    private final String url;

    private ServerProcess(ClusterShape cluster, Process process, String url) {
        this.cluster = cluster;
        this.process = process;
        this.url = url;
    }

    /** @throws IOException if it cannot be started, or ends at once */
    static ServerProcess start(ClusterShape cluster) throws IOException {
        Process process = start(List.of(), 1, "harness", List.of("-Xmx3g", "-XX:+UseSerialGC"),
                LoadServer.class.getName(), cluster.arguments(), null);
        String url = process.inputReader(StandardCharsets.UTF_8).readLine();
        if (url == null) {
            throw new IOException("the server of " + cluster + " did not start");
        }
        return new ServerProcess(cluster, process, url);
    }

    /**
     * What a client says and how it ended.
     *
     * @param figures as {@link Trial} prints them
     * @param succeeded whether it came to its end within the time
     * @param lastWords the end of what it wrote to its standard error
     */
    record Outcome(Map<String, List<Long>> figures, boolean succeeded, String lastWords) {}

    /**
     * @param trial what {@link Trial} calls it
     * @param flags of its JVM, beside those of the property {@code trial.flags}, which all clients have
     */
    Outcome client(Entrant entrant, String trial, int count, int perSecond, List<String> flags, Duration limit)
            throws IOException, InterruptedException {
        return run(0, entrant.classPath(), flags(flags), Trial.class.getName(),
                List.of(entrant.contender(), trial, url, "" + cluster.pods(), "" + count, "" + perSecond, "" + cluster.podsPerNamespace()),
                limit);
    }

    /** These flags, and those of the property {@code trial.flags}. */
    static List<String> flags(List<String> flags) {
        return Stream.concat(flags.stream(), Stream.of(System.getProperty("trial.flags", "").split(" ", -1)))
                .filter(flag -> !flag.isEmpty()).toList();
    }

    /** Runs a class that prints figures, on this core. */
    static Outcome run(int core, String classPath, List<String> flags, String main, List<String> arguments, Duration limit)
            throws IOException, InterruptedException {
        Path errors = Files.createTempFile("trial", ".err");
        Process process =
                start(List.of("timeout", "-s", "KILL", limit.toSeconds() + "s"), core, classPath, flags, main, arguments, errors);
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            Map<String, List<Long>> figures = new LinkedHashMap<>();
            lines.lines().map(line -> line.split(" ", -1)).filter(line -> line.length == 2 && line[1].matches("-?\\d+"))
                    .forEach(line -> figures.computeIfAbsent(line[0], first -> new ArrayList<>()).add(Long.parseLong(line[1])));
            boolean succeeded = process.waitFor() == 0;
            String words = Files.readString(errors);
            return new Outcome(figures, succeeded, words.substring(Math.max(words.length() - 2_000, 0)).strip());
        } finally {
            process.destroyForcibly();
            Files.delete(errors);
        }
    }

    /** @param errors where its standard error goes; null for that of this process */
    private static Process start(
            List<String> within, int core, String classPath, List<String> flags, String main,
            List<String> arguments, @Nullable Path errors) throws IOException {
        List<String> command = new ArrayList<>(within);
        if (Runtime.getRuntime().availableProcessors() > 1) {
            command.addAll(List.of("taskset", "-c", "" + core));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("trial." + classPath), main));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(errors == null ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.to(errors.toFile())).start();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
