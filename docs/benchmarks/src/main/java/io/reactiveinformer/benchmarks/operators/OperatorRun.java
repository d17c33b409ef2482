package io.reactiveinformer.benchmarks.operators;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * One operator before a new API server, which is in this process: starts it, creates all pages, leaves it at rest, changes all pages and
 * deletes them. Prints a figure a line, by name and number.
 *
 * <p>Arguments: the operator's class path, its class (and after a colon an argument), pages, seconds at rest, milliseconds that the server
 * takes for a write, and flags of the operator's JVM.
 */
public final class OperatorRun {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(5);

    /** After as long without a request, an operator has no more to do; this is part of no figure. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    /** In a shorter rest, most processor time is that of the compilers, which still work on what was before. */
    private static final Duration LONG_REST = Duration.ofSeconds(60);

    /** The server keeps the latest so many requests; earlier ones cannot be counted. */
    private static final int COUNTABLE = 10_000;

    private final int pages;
    private final PageCluster cluster;
    private final OperatorProcess operator;
    private final Map<String, Long> figures = new LinkedHashMap<>();

    private OperatorRun(int pages, PageCluster cluster, OperatorProcess operator) {
        this.pages = pages;
        this.cluster = cluster;
        this.operator = operator;
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        figures(arguments[0], arguments[1], Integer.parseInt(arguments[2]), Duration.ofSeconds(Long.parseLong(arguments[3])),
                Duration.ofMillis(Long.parseLong(arguments[4])), Arrays.asList(arguments).subList(5, arguments.length))
                .forEach((name, value) -> System.out.println(name + " " + value));
        System.exit(0);
    }

    /** @throws IllegalStateException if the operator ends, or does not do its work within three minutes */
    static Map<String, Long> figures(String classPath, String main, int pages, Duration rest, Duration writing, List<String> flags)
            throws IOException, InterruptedException {
        try (var cluster = new PageCluster(pages, writing)) {
            Path kubeconfig = cluster.kubeconfig();
            long begun = System.nanoTime();
            try (var operator = new OperatorProcess(classPath, flags, main, kubeconfig)) {
                var run = new OperatorRun(pages, cluster, operator);
                run.start(begun);
                run.phase("create", cluster::create, cluster::served);
                run.rest(rest);
                run.phase("change", cluster::change, cluster::changed);
                run.phase("delete", cluster::delete, cluster::gone);
                return run.figures;
            } finally {
                Files.delete(kubeconfig);
            }
        }
    }

    private void start(long begun) throws IOException, InterruptedException {
        until("the operator watches", begun, cluster::watched);
        figures.put("start-ms", millis(begun, System.nanoTime()));
        awaitQuiet();
        figures.put("start-cpu-ms", operator.cpuMillis());
        figures.put("start-heap-kb", operator.heapKilobytes());
    }

    /** The time from the first write until all pages are {@code done}, and until the operator's last request; and the requests. */
    private void phase(String name, Runnable writes, IntPredicate done) throws IOException, InterruptedException {
        cluster.forgetRequests();
        long cpu = operator.cpuMillis();
        long begun = System.nanoTime();
        writes.run();
        figures.put(name + "-written-ms", millis(begun, System.nanoTime()));
        for (int page = 0; page < pages; page++) {
            int next = page;
            until(name + " page " + page, begun, () -> done.test(next));
        }
        figures.put(name + "-ms", millis(begun, System.nanoTime()));
        figures.put(name + "-last-request-ms", millis(begun, awaitQuiet()));
        figures.put(name + "-cpu-ms", operator.cpuMillis() - cpu);
        if (cluster.requests() >= COUNTABLE) {
            throw new IllegalStateException("more requests than can be counted: " + cluster.requestsByKind());
        }
        figures.put(name + "-requests", (long) cluster.requests());
        cluster.requestsByKind().forEach((kind, count) -> figures.put(name + "-" + kind.replace(' ', '-'), count));
    }

    /** The requests at rest, then the memory. */
    private void rest(Duration time) throws IOException, InterruptedException {
        cluster.forgetRequests();
        long cpu = operator.cpuMillis();
        Thread.sleep(time.toMillis());
        figures.put("rest-writes", (long) cluster.writes());
        if (time.compareTo(LONG_REST) >= 0) {
            figures.put("rest-cpu-ms-per-minute", (operator.cpuMillis() - cpu) * 60_000 / time.toMillis());
        }
        figures.put("rss-mb", operator.status("VmRSS") >> 10);
        figures.put("peak-mb", operator.status("VmHWM") >> 10);
        figures.put("threads", operator.status("Threads"));
        figures.put("heap-kb", operator.heapKilobytes());
    }

    private interface Condition {
        boolean met() throws IOException;
    }

    private void until(String what, long begun, Condition condition) throws IOException, InterruptedException {
        while (!condition.met()) {
            operator.check();
            if (System.nanoTime() - begun > LIMIT.toNanos()) {
                throw new IllegalStateException("not within " + LIMIT.toSeconds() + " s: " + what + "; requests: "
                        + cluster.requestsByKind() + "; last output: " + operator.lastWords());
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    /** Waits until no more requests come, and returns the time of the last one, or when it began if none came. */
    private long awaitQuiet() throws InterruptedException {
        long last = System.nanoTime();
        int requests = cluster.requests();
        while (System.nanoTime() - last < QUIET.toNanos()) {
            Thread.sleep(POLL.toMillis());
            int now = cluster.requests();
            if (now != requests) {
                requests = now;
                last = System.nanoTime();
            }
        }
        return last;
    }

    private static long millis(long begun, long ended) {
        return (ended - begun) / 1_000_000;
    }
}
