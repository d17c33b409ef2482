package io.reactiveinformer.benchmarks.real;

import io.reactiveinformer.benchmarks.trial.Corpus;
import io.reactiveinformer.benchmarks.trial.FirstLists;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * What a first list costs, by how it is asked for: one table for each line of conditions. Each cell is the median of some processes, in
 * turns over the ways of asking, so that what else the machine does falls on all of them.
 */
public final class RealTrials {

    private static final int WARM = Integer.getInteger("real.warm", 1);
    private static final String KUBECONFIG = "<kubeconfig>";
    /** Peers of ours that are Java programs, and the property that names their class path. */
    private static final Map<String, String> PEERS = Map.of(
            "fabric8", "io.reactiveinformer.benchmarks.fabric8.Fabric8Client",
            "client-java", "io.reactiveinformer.benchmarks.official.OfficialClient");

    /** What holds for one table. */
    private record Conditions(Link.Speed speed, int clients, int changes, List<String> rows) {}

    /** @param command of the process that is measured, without the kubeconfig, whose place is {@link #KUBECONFIG} */
    private record Row(String title, boolean gzip, List<String> command, List<Turn> cold, List<Turn> warm) {
        Row(String title, boolean gzip, List<String> command) {
            this(title, gzip, command, new ArrayList<>(), new ArrayList<>());
        }
    }

    private record Turn(long millis, long clientCpu, long serverCpu, long bytes, long serverPeak, String failure) {}

    private final Kubeconfigs kubeconfigs;
    private final ServerVitals vitals;
    private final Pods pods;
    private final int rounds;

    private RealTrials(Kubeconfigs kubeconfigs, ServerVitals vitals, Pods pods, int rounds) {
        this.kubeconfigs = kubeconfigs;
        this.vitals = vitals;
        this.pods = pods;
        this.rounds = rounds;
    }

    /**
     * @param args a corpus, a number of pods, rounds, and tables: {@code one}, {@code ten}, {@code changes}, {@code network}, {@code slow};
     *     each may be followed by a colon and its rows, such as {@code slow:LIST,PROTOBUF_LIST,client-go}
     */
    public static void main(String[] args) throws Exception {
        Path kubeconfig = Path.of(System.getenv("REAL_KUBECONFIG"));
        Corpus.Kind kind = Corpus.Kind.valueOf(args[0]);
        int count = Integer.parseInt(args[1]);
        KubernetesClient client = KubernetesClient.create(ClusterConfig.kubeconfig(kubeconfig),
                ClientOptions.defaults().withWriteLimit(0, 1));
        try {
            var pods = new Pods(client, kind, count);
            pods.fill();
            var trials = new RealTrials(new Kubeconfigs(kubeconfig), new ServerVitals(client, pid()), pods, Integer.parseInt(args[2]));
            System.out.printf(Locale.ROOT, "%n### %,d pods of corpus %s, %,d bytes each as JSON%n", count, kind, pods.averageBytes());
            for (String table : Arrays.copyOfRange(args, 3, args.length)) {
                trials.table(conditions(table));
            }
        } finally {
            client.close();
        }
    }

    private static @Nullable String pid() {
        String pid = System.getenv("REAL_PID");
        return pid == null || pid.isEmpty() ? null : pid;
    }

    private static Conditions conditions(String table) {
        String[] parts = table.split(":", 2);
        List<String> askings = parts.length == 1
                ? Arrays.stream(Asking.values()).map(Asking::name).toList() : List.of(parts[1].split(",", -1));
        return switch (parts[0]) {
            case "one" -> new Conditions(Link.Speed.LOOPBACK, 1, 0, askings);
            case "ten" -> new Conditions(Link.Speed.LOOPBACK, 10, 0, askings);
            case "changes" -> new Conditions(Link.Speed.LOOPBACK, 1, 200, askings);
            case "network" -> new Conditions(Link.Speed.NETWORK, 1, 0, askings);
            case "slow" -> new Conditions(Link.Speed.SLOW, 1, 200, askings);
            default -> throw new IllegalArgumentException("there is no table " + parts[0] + "; there are one, ten, changes, network, slow");
        };
    }

    private void table(Conditions conditions) throws IOException {
        List<Row> rows = new ArrayList<>();
        conditions.rows.forEach(name -> rows.addAll(rows(name, conditions.clients)));
        Disposable changes = conditions.changes == 0 ? () -> { } : pods.change(conditions.changes);
        try {
            for (int round = 0; round < rounds; round++) {
                for (Row row : rows) {
                    measure(row, conditions);
                }
            }
        } finally {
            changes.dispose();
        }
        print(rows, conditions);
    }

    private static List<Row> rows(String name, int clients) {
        if (clients != 1 && (name.equals("client-go") || PEERS.containsKey(name))) {
            throw new IllegalArgumentException(name + " makes one client; it cannot be a row of a table of " + clients);
        }
        if (name.equals("client-go")) {
            String program = Objects.requireNonNull(System.getenv("CLIENT_GO"),
                    "CLIENT_GO must name the program; README.md says how to build it");
            return List.of(new Row("client-go, protobuf", true, List.of(program, KUBECONFIG, "gzip")),
                    new Row("client-go, protobuf", false, List.of(program, KUBECONFIG, "identity")));
        }
        String peer = PEERS.get(name);
        if (peer != null) {
            return List.of(new Row(name, true, java(System.getProperty("real." + name), FirstLists.class.getName(), peer, KUBECONFIG)));
        }
        Asking asking = Asking.valueOf(name.replace("PROTOBUF_", ""));
        boolean protobuf = name.startsWith("PROTOBUF_");
        List<String> command = java(System.getProperty("java.class.path"),
                FirstList.class.getName(), KUBECONFIG, asking.name(), "" + clients, "" + protobuf);
        String title = asking.title + (protobuf ? ", protobuf" : "");
        return List.of(new Row(title, true, command), new Row(title, false, command));
    }

    private static List<String> java(String classPath, String... rest) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx6g"));
        command.addAll(List.of(System.getProperty("real.flags", "-XX:+UseSerialGC").split(" ", -1)));
        command.addAll(List.of("-cp", classPath));
        command.addAll(List.of(rest));
        return command;
    }

    private void measure(Row row, Conditions conditions) throws IOException {
        try (var link = new Link(kubeconfigs.server(), conditions.speed)) {
            Path kubeconfig = kubeconfigs.through(link.port(), row.gzip);
            Process process = new ProcessBuilder(
                            row.command.stream().map(part -> part.equals(KUBECONFIG) ? kubeconfig.toString() : part).toList())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (var in = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                    var out = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8)) {
                row.cold.add(turn(in, out, link));
                for (int i = 0; i < WARM; i++) {
                    row.warm.add(turn(in, out, link));
                }
            } finally {
                process.destroy();
            }
            Files.deleteIfExists(kubeconfig);
        }
    }

    private Turn turn(BufferedReader in, PrintWriter out, Link link) throws IOException {
        vitals.resetPeak();
        long cpu = vitals.cpuMillis();
        long bytes = link.received();
        out.println();
        String line = in.readLine();
        while (line != null && !line.startsWith("turn ")) { // what the library logs
            System.err.println(line);
            line = in.readLine();
        }
        if (line == null) {
            throw new IOException("the client's process has ended");
        }
        String[] said = line.split(" ", 5);
        return new Turn(
                Long.parseLong(said[1]), Long.parseLong(said[2]), vitals.cpuMillis() - cpu,
                link.received() - bytes, vitals.peakMegabytes(), said[4]);
    }

    private void print(List<Row> rows, Conditions conditions) throws IOException {
        System.out.printf("%n**%s, %s, %s**; load %s; medians of %d%n%n", conditions.clients == 1
                ? "one client" : conditions.clients + " clients at once",
                conditions.speed.title(), conditions.changes == 0 ? "idle" : conditions.changes + " changes a second",
                Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0], rounds);
        System.out.println(
                "| asked for | encoding | cold ms | warm ms | server CPU ms | client CPU ms, cold | warm | MB from the server | server's "
                + "peak MB | failures |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (Row row : rows) {
            List<Turn> all = new ArrayList<>(row.cold);
            all.addAll(row.warm);
            List<String> failures = all.stream().map(Turn::failure).filter(failure -> !failure.isEmpty()).toList();
            System.out.printf(Locale.ROOT, "| %s | %s | %,d | %,d | %,d | %,d | %,d | %.1f | %,d | %s |%n",
                    row.title, row.gzip ? "gzip" : "identity",
                    median(row.cold.stream().map(Turn::millis).toList()), median(row.warm.stream().map(Turn::millis).toList()),
                    median(all.stream().map(Turn::serverCpu).toList()), median(row.cold.stream().map(Turn::clientCpu).toList()),
                    median(row.warm.stream().map(Turn::clientCpu).toList()), median(all.stream().map(Turn::bytes).toList()) / 1048576.0,
                    median(all.stream().map(Turn::serverPeak).toList()), failures.isEmpty()
                            ? "0" : failures.size() + " of " + all.size() + ": " + failures.get(0));
        }
        System.out.flush();
    }

    private static long median(List<Long> values) {
        long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
