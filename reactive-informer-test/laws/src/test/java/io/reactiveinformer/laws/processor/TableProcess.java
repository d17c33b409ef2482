package io.reactiveinformer.laws.processor;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.processor.RowChange;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.ChangeHub;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A program that writes a table of files by a processor, from a cluster that it reads from a file and changes itself; until it is killed, or
 * is told to finish. Then it compares them.
 */
final class TableProcess {

    private static final int KEYS = 40;

    private final Path directory;
    private final Path cluster;
    private final Random random = new Random();
    private final Table<ObjectKey, String> rows = Table.create();
    private final Map<ObjectKey, Versioned<String>> all = new HashMap<>();
    private long version;

    private TableProcess(Path directory) {
        this.directory = directory;
        this.cluster = directory.resolve("cluster");
    }

    /** @param arguments a directory, and whether to change the cluster until killed */
    public static void main(String[] arguments) throws Exception {
        new TableProcess(Path.of(arguments[0])).run(Boolean.parseBoolean(arguments[1]));
        Runtime.getRuntime().halt(0);
    }

    private void run(boolean changing) throws Exception {
        read();
        rows.commit(true);
        ChangeHub<ObjectKey, String> hub = ChangeHub.of(rows.snapshot());
        RowProcessor<ObjectKey> processor = RowProcessor.of("table", new ClusterView(rows, hub)).positions(directory).concurrency(4)
                .process(row -> Mono.delay(Duration.ofMillis(random.nextInt(10))).doOnNext(later -> write(row)));
        processor.start();
        System.out.println("working");
        while (changing) {
            Thread.sleep(1); // the pace of the changes
            change();
            hub.publish(rows.commit(true));
        }
        processor.synced().block(Duration.ofSeconds(60));
        System.out.println("table " + table().equals(expected()) + " of " + all.size() + " rows");
        System.out.println("table " + table() + "\ncluster " + expected());
    }

    private void read() throws IOException {
        if (!Files.exists(cluster)) {
            return;
        }
        String text = Files.readString(cluster);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1); // the last change may not have been written whole: then it was none
        Files.writeString(cluster, whole);
        whole.lines().forEach(line -> apply(line.split(" ", -1)));
    }

    private void change() throws IOException {
        ObjectKey key = ObjectKey.of("shop", "row-" + random.nextInt(KEYS));
        Versioned<String> present = all.get(key);
        long next = version + 1;
        String uid = present == null || random.nextInt(10) == 0 ? "uid-" + next : present.uid();
        String line = next + " " + key.name() + (present != null && random.nextInt(4) == 0 ? "" : " " + uid);
        Files.writeString(cluster, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        apply(line.split(" ", -1));
    }

    /** A version, a name, and a uid unless the row is deleted; the version is also the object. */
    private void apply(String[] fields) {
        version = Long.parseLong(fields[0]);
        ObjectKey key = ObjectKey.of("shop", fields[1]);
        if (fields.length == 2) {
            all.remove(key);
            rows.remove(key, DeletionCause.OBSERVED, fields[0]);
        } else {
            var state = new Versioned<>(fields[2], fields[0], fields[0]);
            all.put(key, state);
            rows.put(key, state, DeletionCause.OBSERVED);
        }
    }

    private void write(RowChange<ObjectKey, String> row) {
        Path file = directory.resolve("table").resolve(row.key().name());
        try {
            Files.createDirectories(file.getParent());
            if (row.deleted()) {
                Files.deleteIfExists(file);
            } else {
                Files.writeString(file, row.object());
            }
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private Map<String, String> expected() {
        Map<String, String> expected = new HashMap<>();
        all.forEach((key, state) -> expected.put(key.name(), state.object()));
        return expected;
    }

    private Map<String, String> table() throws IOException {
        Map<String, String> table = new HashMap<>();
        try (Stream<Path> files = Files.list(directory.resolve("table"))) {
            for (Path file : files.toList()) {
                table.put(file.getFileName().toString(), Files.readString(file));
            }
        } catch (NoSuchFileException none) {
            return table;
        }
        return table;
    }

    record ClusterView(Table<ObjectKey, String> rows, ChangeHub<ObjectKey, String> hub)
            implements ChangeHub.Fed<ObjectKey, String> {

        @Override
        public Snapshot<ObjectKey, String> snapshot() {
            return rows.snapshot();
        }

        @Override
        public Flux<Change<ObjectKey, String>> changes(Delivery delivery) {
            return hub.changes(delivery);
        }

        @Override
        public Mono<Void> synced() {
            return Mono.empty();
        }

        @Override
        public Flux<InformerStatus> status() {
            return Flux.never();
        }

        @Override
        public ChangeHub.Feed<ObjectKey, String> feed() {
            return hub.feed();
        }
    }
}
