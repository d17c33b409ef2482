package io.reactiveinformer.benchmarks.services;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One application that discovers services, in a process of its own on core 0, before a new API server, which is in this process. Prints a
 * figure a line, by name and number.
 *
 * <p>Arguments: the application's class path, its class, services, and flags of its JVM.
 */
public final class DiscoveryRun implements AutoCloseable {

    private static final int CALLS = 10_000;
    private static final int ENDED = 200;

    /** So that all changes take longer than the 35 s for which Spring Cloud's load balancer caches a list. */
    private static final long BETWEEN_MILLIS = 400;

    private final ServiceCluster cluster;
    private final Process process;
    private final BufferedReader answers;
    private final PrintStream questions;
    private final Map<String, Long> figures = new LinkedHashMap<>();

    private DiscoveryRun(ServiceCluster cluster, String classPath, String main, List<String> flags, Path kubeconfig) throws IOException {
        this.cluster = cluster;
        List<String> command = new ArrayList<>(List.of(
                "taskset", "-c", "0", Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath, main, "" + ServiceCluster.ENDPOINTS));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        long begun = System.nanoTime();
        this.process = builder.start();
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        figures.put("first-answer-ms", (answer() - begun) / 1_000_000);
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        int services = Integer.parseInt(arguments[2]);
        try (var cluster = new ServiceCluster(services)) {
            Path kubeconfig = cluster.kubeconfig();
            try (var run = new DiscoveryRun(
                    cluster, arguments[0], arguments[1], Arrays.asList(arguments).subList(3, arguments.length), kubeconfig)) {
                run.measure();
                run.figures.forEach((name, value) -> System.out.println(name + " " + value));
            } finally {
                Files.delete(kubeconfig);
            }
        }
        System.exit(0);
    }

    private void measure() throws IOException, InterruptedException {
        figures.put("first-answer-requests", (long) cluster.requests());
        calls("look-up", "lookups");
        calls("choice", "choices");
        delays("look-up", lookUps());
        delays("balancer", balancerLists(200, 100));
        figures.put("requests", (long) cluster.requests());
        cluster.requestsByKind().forEach((kind, count) -> figures.put("requests-" + kind, count));
        figures.put("threads", ask("threads"));
        long full = ask("heap");
        cluster.deleteAll();
        ask("empty");
        figures.put("heap-kb", full >> 10);
        figures.put("heap-of-services-kb", full - ask("heap") >> 10);
    }

    /** The second time, when all is compiled and each load balancer is made. */
    private void calls(String name, String question) throws IOException {
        ask(question + " " + CALLS);
        int before = cluster.requests();
        figures.put(name + "-us", ask(question + " " + CALLS) / 1_000);
        figures.put(name + "-requests-per-1000", (cluster.requests() - before) * 1_000L / CALLS);
    }

    private long[] lookUps() throws IOException {
        long[] delays = new long[ENDED];
        for (int service = 0; service < ENDED; service++) {
            ask("await " + service + " " + ServiceCluster.address(service, 0));
            long ended = cluster.end(service, 0);
            delays[service] = answer() - ended;
        }
        return delays;
    }

    private long[] balancerLists(int from, int count) throws IOException, InterruptedException {
        ask("lists " + from + " " + count + " .2");
        long[] delays = new long[count];
        for (int i = 0; i < count; i++) {
            delays[i] = -cluster.end(from + i, 1);
            Thread.sleep(BETWEEN_MILLIS);
        }
        for (int i = 0; i < count; i++) {
            delays[i] += answer();
        }
        return delays;
    }

    private void delays(String name, long[] nanos) {
        long[] sorted = Arrays.stream(nanos).sorted().toArray();
        figures.put(name + "-delay-p50-us", sorted[sorted.length / 2] / 1_000);
        figures.put(name + "-delay-p99-us", sorted[sorted.length * 99 / 100] / 1_000);
    }

    private long ask(String question) throws IOException {
        questions.println(question);
        return answer();
    }

    private long answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith("= ")) {
                return Long.parseLong(line.substring(2));
            }
            System.err.println(line);
        }
        throw new IOException("the application ended");
    }

    /** Ends the application by the end of its input. */
    @Override
    public void close() throws IOException {
        questions.close();
        process.onExit().join();
        answers.close();
    }
}
