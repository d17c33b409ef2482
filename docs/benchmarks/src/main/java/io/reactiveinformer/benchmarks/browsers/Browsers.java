package io.reactiveinformer.benchmarks.browsers;

import com.sun.management.OperatingSystemMXBean;
import io.reactiveinformer.test.FakeApiServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/**
 * Browsers that follow all pods by server-sent events, some of which read one byte a second, under a fixed rate of changes: for how long
 * the healthy ones show what has changed, and what the service holds. The service is a process of its own ({@link PodService}); the cluster
 * and the browsers are in this one.
 *
 * <p>Arguments: how the service tells them ({@link Form}), browsers, how many of them are slow, pods, changes a second, seconds.
 */
public final class Browsers {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String form;
    private final int port;

    private Browsers(String form, int port) {
        this.form = form;
        this.port = port;
    }

    public static void main(String... arguments) throws Exception {
        String form = arguments[0];
        int pods = Integer.parseInt(arguments[3]);
        int rate = Integer.parseInt(arguments[4]);
        int seconds = Integer.parseInt(arguments[5]);
        try (FakeApiServer server = FakeApiServer.builder().history(20_000).build().start()) {
            var writes = new Writes(server, pods, pods + 2 * seconds * rate);
            Process service = new ProcessBuilder(
                    ProcessHandle.current().info().command().orElse("java"), "-Xmx1g", "-cp", System.getProperty("java.class.path"),
                    PodService.class.getName(), server.url(), form).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try (BufferedReader said = service.inputReader(StandardCharsets.UTF_8)) {
                var run = new Browsers(form, Integer.parseInt(said.readLine()));
                run.run(writes, new Clients(run.port, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), writes),
                        rate, seconds);
            } finally {
                service.destroy();
            }
        }
        System.exit(0);
    }

    private void run(Writes writes, Clients clients, int rate, int seconds) {
        System.out.printf("%s: %s%n", form, vitals());
        long begun = System.nanoTime();
        clients.readUntil(until(PATIENCE, healthy -> healthy.stream().allMatch(Client::complete)));
        System.out.printf("%s: the healthy ones had seen all pods after %.1f s, %d MB%n", form,
                (System.nanoTime() - begun) / 1e9, clients.bytes() >> 20);
        int warmUp = seconds * rate / 2;
        during(writes.pods(), warmUp, rate, writes, clients);
        System.out.printf("%s, warmed up: %s%n", form, vitals());
        long bytes = clients.bytes();
        long conflated = clients.conflated();
        long cpu = cpuTime();
        Histogram staleness = during(writes.pods() + warmUp, seconds * rate, rate, writes, clients);
        System.out.printf("%s, after %d s: %s%n", form, seconds, vitals());
        System.out.printf("%s: %d updates came to healthy browsers, %d were conflated; %d MB; this process used %.1f s of processor time%n",
                form, staleness.getTotalCount(), clients.conflated() - conflated, clients.bytes() - bytes >> 20, (cpuTime() - cpu) / 1e9);
        System.out.printf("%s: a change was not yet seen for p50 %.0f ms, p99 %.0f ms, max %.0f ms%n", form,
                staleness.getValueAtPercentile(50) / 1e3, staleness.getValueAtPercentile(99) / 1e3, staleness.getMaxValue() / 1e3);
        begun = System.nanoTime();
        int end = writes.pods() + warmUp + seconds * rate;
        clients.readUntil(until(PATIENCE, healthy -> healthy.stream().allMatch(client -> client.outdated(end) == 0)));
        System.out.printf("%s: %.1f s after the last change each healthy browser had the last state of each pod%n",
                form, (System.nanoTime() - begun) / 1e9);
        System.out.printf("%s, at rest: %s%n", form, vitals());
    }

    private Histogram during(int first, int count, int rate, Writes writes, Clients clients) {
        var writer = CompletableFuture.supplyAsync(() -> writes.write(first, count, rate));
        Histogram seen = clients.readUntil(healthy -> writer.isDone());
        System.out.printf("%s: the writer was %d ms late at the end%n", form, writer.join());
        return seen;
    }

    private static Clients.Condition until(Duration patience, Clients.Condition condition) {
        long limit = System.nanoTime() + patience.toNanos();
        return healthy -> {
            if (System.nanoTime() > limit) {
                System.out.println("gave up after " + patience);
                return true;
            }
            return condition.holds(healthy);
        };
    }

    private String vitals() {
        try {
            return http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/vitals")).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static long cpuTime() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
