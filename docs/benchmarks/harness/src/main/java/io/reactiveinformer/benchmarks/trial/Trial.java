package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is done to one contender, in a JVM of its own. Prints a line for each figure: a name and a number. */
public final class Trial {

    private final Supplier<Contender> contenders;
    private final String url;
    private final Numbers numbers;

    /**
     * The numbers of a scenario.
     *
     * @param count how many changes it makes; of informers that are idle, for how many seconds they are, before they are measured and while
     *     they are
     * @param perSecond how many of them in a second; 0 for all at once
     */
    private record Numbers(int pods, int count, int perSecond, int podsPerNamespace) {}

    private Trial(Supplier<Contender> contenders, String url, Numbers numbers) {
        this.contenders = contenders;
        this.url = url;
        this.numbers = numbers;
    }

    /** {@code CONTENDER_CLASS[:FORM] SCENARIO URL PODS COUNT PER_SECOND PODS_PER_NAMESPACE}. */
    public static void main(String... arguments) throws Exception {
        var numbers = new Numbers(number(arguments, 3), number(arguments, 4), number(arguments, 5), number(arguments, 6));
        int result = 0;
        try {
            new Trial(() -> contender(arguments[0]), arguments[2], numbers).run(arguments[1]);
        } catch (Exception | Error failure) {
            failure.printStackTrace();
            result = 1;
        }
        System.exit(result); // whatever threads the contender has left
    }

    private void run(String scenario) throws Exception {
        switch (scenario) {
            case "list" -> list();
            case "fits" -> fits();
            case "churn" -> churn();
            case "relist" -> relist();
            case "burst" -> burst();
            case "delay" -> delay();
            case "slow" -> slow();
            case "lister" -> lister();
            case "many" -> many();
            case "cuts" -> cuts();
            default -> throw new IllegalArgumentException("no scenario " + scenario);
        }
    }

    private static int number(String[] arguments, int place) {
        return arguments.length > place ? Integer.parseInt(arguments[place]) : 0;
    }

    private static Contender contender(String name) {
        int colon = name.indexOf(':');
        try {
            Class<?> type = Class.forName(colon < 0 ? name : name.substring(0, colon));
            return colon < 0 ? (Contender) type.getConstructor().newInstance()
                    : (Contender) type.getConstructor(String.class).newInstance(name.substring(colon + 1));
        } catch (ReflectiveOperationException failure) {
            throw new IllegalArgumentException("no contender " + name, failure);
        }
    }

    /** The first list in a cold JVM, what it leaves in the heap, and the same again in the JVM that is warm then. */
    private void list() throws Exception {
        long before = Measures.retained();
        list("cold");
        say("left-mb", awaitReleased(before) >> 20);
        settle();
        list("warm");
        say("peak-mb", Measures.peakMegabytes());
    }

    /**
     * Waits until the memory of a closed contender is free, for a minute at most. Returns how many bytes more than before are still
     * retained.
     */
    private static long awaitReleased(long before) {
        long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        long held = Measures.retained() - before;
        while (held > 16 << 20 && System.nanoTime() < limit) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            held = Measures.retained() - before;
        }
        return held;
    }

    private void list(String name) throws Exception {
        long before = Measures.retained();
        Contender made = contenders.get();
        long collecting = Measures.collectionMillis();
        Map<Long, Long> allocated = Measures.allocated();
        long cpu = Measures.cpuMillis();
        long compiling = Measures.compilingMillis();
        long begun = System.nanoTime();
        try (Contender contender = synced(made, mark -> {})) {
            say(name + "-ms", (System.nanoTime() - begun) / 1_000_000);
            say(name + "-cpu-ms", Measures.cpuMillis() - cpu);
            say(name + "-jit-ms", Measures.compilingMillis() - compiling);
            say(name + "-gc-ms", Measures.collectionMillis() - collecting);
            say(name + "-allocated-per-pod", Measures.allocatedSince(allocated) / numbers.pods());
            say(name + "-retained-per-pod", (Measures.retained() - before) / numbers.pods());
            say(name + "-threads", Measures.threads());
            contender.size();
        }
    }

    /** Whether the heap is large enough. */
    private void fits() throws Exception {
        try (Contender contender = synced(mark -> {})) {
            say("fits", contender.size());
        }
    }

    private void churn() throws Exception {
        var marks = new Marks();
        long before = Measures.retained();
        try (Contender contender = synced(marks)) {
            say("retained-per-pod", (Measures.retained() - before) / numbers.pods());
            marks.await(change(numbers.pods(), 0));
            marks.clear();
            say("retained-per-pod-changed", (Measures.retained() - before) / numbers.pods());
            contender.size();
        }
    }

    private void relist() throws Exception {
        long cpu = Measures.cpuMillis();
        long begun = System.nanoTime();
        try (Contender contender = synced(mark -> {})) {
            say("list-cpu-ms", Measures.cpuMillis() - cpu);
            say("list-ms", (System.nanoTime() - begun) / 1_000_000);
            settle();
            for (String name : new String[] {"first", "second", "third"}) {
                long lists = lists();
                long requests = requests();
                cpu = Measures.cpuMillis();
                long compiling = Measures.compilingMillis();
                ask("/trial/expire");
                await(() -> lists() > lists);
                settle();
                say(name + "-relist-cpu-ms", Measures.cpuMillis() - cpu);
                say(name + "-relist-jit-ms", Measures.compilingMillis() - compiling);
                say(name + "-relist-requests", requests() - requests);
            }
            contender.size();
        }
    }

    /** Waits until the processor has been at rest for a while. */
    private static void settle() {
        long before = -1;
        for (long now = Measures.cpuMillis(); now - before > 15; now = Measures.cpuMillis()) {
            before = now;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    private void burst() throws Exception {
        var marks = new Marks();
        try (Contender contender = synced(marks)) {
            for (String name : new String[] {"first", "second"}) {
                marks.clear();
                long cpu = Measures.cpuMillis();
                long begun = System.nanoTime();
                marks.await(change(numbers.count(), 0));
                long millis = (System.nanoTime() - begun) / 1_000_000;
                say(name + "-ms", millis);
                say(name + "-events-per-second", numbers.count() * 1000L / millis);
                say(name + "-cpu-ms", Measures.cpuMillis() - cpu);
                say(name + "-told", marks.told());
            }
            contender.size();
        }
    }

    private void delay() throws Exception {
        var marks = new Marks();
        try (Contender contender = synced(marks)) {
            marks.await(change(numbers.count() / 2, numbers.perSecond())); // warms up
            marks.clear();
            marks.await(change(numbers.count(), numbers.perSecond()));
            say("p50-us", marks.delays.getValueAtPercentile(50) / 1000);
            say("p99-us", marks.delays.getValueAtPercentile(99) / 1000);
            say("p99.9-us", marks.delays.getValueAtPercentile(99.9) / 1000);
            say("max-us", marks.delays.getMaxValue() / 1000);
            contender.size();
        }
    }

    private void slow() throws Exception {
        var marks = new Marks();
        Contender.Handler slow = mark -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            marks.handle(mark);
        };
        try (Contender contender = synced(slow)) {
            marks.clear();
            say("retained-mb", Measures.retained() >> 20);
            int finals = change(numbers.count(), numbers.perSecond());
            long lastSent = System.nanoTime() + numbers.count() * 1_000_000_000L / numbers.perSecond();
            long retained = 0;
            int backlog = 0;
            while (marks.awaitFor(finals, 1) < finals) {
                if (System.nanoTime() - lastSent > TimeUnit.MINUTES.toNanos(10)) {
                    throw new IllegalStateException("told of fewer than " + finals + " last states");
                }
                retained = Math.max(retained, Measures.retained());
                backlog = Math.max(backlog, contender.backlog());
            }
            say("behind-ms", (System.nanoTime() - lastSent) / 1_000_000);
            say("told", marks.told());
            say("most-retained-mb", retained >> 20);
            say("most-waiting", backlog);
            contender.size();
        }
    }

    /**
     * Reads by key and of namespaces, while pods change: at the beginning, and again when that has gone on for a while and the compilers
     * have come to an end. Keys come one after the other from an array, in random order, so that what is measured is the finding of pods
     * and not that of their names. The number of changes that the handler received meanwhile shows whether the contender keeps up: one
     * that does not, leaves more of the core to its reader.
     */
    private void lister() throws Exception {
        var marks = new Marks();
        try (Contender contender = synced(marks)) {
            var corpus = new Corpus(Corpus.Kind.A, 2, numbers.podsPerNamespace(), 1);
            List<Integer> order = IntStream.range(0, numbers.pods()).boxed().collect(Collectors.toCollection(ArrayList::new));
            Collections.shuffle(order, new Random(1));
            var keys = new Endless<>(order.stream().map(corpus::name).toArray(PodName[]::new));
            var namespaces = new Endless<>(order.stream().map(number -> Corpus.namespace(number, numbers.podsPerNamespace()))
                    .toArray(String[]::new));
            Supplier<Integer> get = () -> {
                PodName key = keys.next();
                return contender.get(key.namespace(), key.name()) == null ? 0 : 1;
            };
            Supplier<Integer> list = () -> contender.list(namespaces.next()) == numbers.podsPerNamespace() ? 1 : 0;

            change(numbers.count(), numbers.perSecond());
            long period = numbers.count() * 1_000_000_000L / numbers.perSecond() / 13; // twelve are used
            sayRate("gets", get, 64, period, marks);
            sayRate("lists", list, 1, period, marks);
            for (int i = 0; i < 6; i++) {
                rate(i % 2 == 0 ? get : list, 1, period);
            }
            sayRate("warm-gets", get, 64, 2 * period, marks);
            sayRate("warm-lists", list, 1, 2 * period, marks);
        }
    }

    private static void sayRate(String name, Supplier<Integer> read, int batch, long nanos, Marks marks) {
        long told = marks.told();
        long begun = System.nanoTime();
        say(name + "-per-second", rate(read, batch, nanos));
        say(name + "-told-per-second", (marks.told() - told) * 1_000_000_000L / (System.nanoTime() - begun));
    }

    /** The same again and again. */
    private static final class Endless<T> {

        private final T[] all;
        private int next;

        Endless(T[] all) {
            this.all = all;
        }

        T next() {
            next = next + 1 == all.length ? 0 : next + 1;
            return all[next];
        }
    }

    private static long rate(Supplier<Integer> read, int batch, long nanos) {
        long begun = System.nanoTime();
        long reads = 0;
        long right = 0;
        while (System.nanoTime() - begun < nanos) {
            for (int i = 0; i < batch; i++) {
                right += read.get();
            }
            reads += batch;
        }
        if (right != reads) {
            throw new IllegalStateException(reads - right + " of " + reads + " reads were wrong");
        }
        return reads * 1_000_000_000L / (System.nanoTime() - begun);
    }

    private void many() throws Exception {
        long before = Measures.retained();
        int threads = Measures.threads();
        List<String> namespaces = IntStream.range(0, numbers.pods() / numbers.podsPerNamespace()).mapToObj(i -> "team-" + i).toList();
        try (Contender contender = contenders.get()) {
            contender.start(url, namespaces, mark -> {});
            contender.awaitSynced();
            say("pods", contender.size());
            settle();
            say("threads", Measures.threads() - threads);
            say("retained-kb", (Measures.retained() - before) >> 10);
            long rest = TimeUnit.SECONDS.toNanos(numbers.count());
            LockSupport.parkNanos(rest); // until the compilers have seen what an idle one does
            long cpu = Measures.cpuMillis();
            LockSupport.parkNanos(rest);
            say("idle-permille", (Measures.cpuMillis() - cpu) / numbers.count());
            say("threads-at-rest", Measures.threads() - threads);
            contender.size();
        }
    }

    /** Drops the connection again and again while pods change. */
    private void cuts() throws Exception {
        var marks = new Marks();
        try (Contender contender = synced(marks)) {
            marks.clear();
            long lists = lists();
            long requests = requests();
            int cut = 0;
            int finals = change(numbers.count(), numbers.perSecond());
            for (int i = 0; i < 20; i++) {
                LockSupport.parkNanos(numbers.count() * 1_000_000_000L / numbers.perSecond() / 22);
                cut += Integer.parseInt(ask("/trial/cut"));
            }
            say("lost", finals - marks.awaitFor(finals, 60));
            say("lists", lists() - lists);
            say("cut", cut);
            say("requests", requests() - requests);
            contender.size();
        }
    }

    private Contender synced(Contender.Handler handler) throws Exception {
        return synced(contenders.get(), handler);
    }

    private Contender synced(Contender contender, Contender.Handler handler) throws Exception {
        contender.start(url, List.of(), handler);
        contender.awaitSynced();
        if (contender.size() != numbers.pods()) {
            throw new IllegalStateException(contender.size() + " of " + numbers.pods() + " pods are cached");
        }
        return contender;
    }

    private int change(int count, int perSecond) throws IOException {
        return Integer.parseInt(ask("/trial/change?count=" + count + "&perSecond=" + perSecond));
    }

    private long lists() {
        return served(0);
    }

    private long requests() {
        return served(1);
    }

    private long served(int place) {
        try {
            return Long.parseLong(ask("/trial/served").split(" ", -1)[place]);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private String ask(String path) throws IOException {
        var connection = (HttpURLConnection) URI.create(url + path).toURL().openConnection();
        try (var answer = connection.getInputStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void await(Supplier<Boolean> condition) {
        long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.get()) {
            if (System.nanoTime() > limit) {
                throw new IllegalStateException("did not happen in two minutes");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private static void say(String name, long value) {
        System.out.println(String.format(Locale.ROOT, "%s %d", name, value));
    }
}
