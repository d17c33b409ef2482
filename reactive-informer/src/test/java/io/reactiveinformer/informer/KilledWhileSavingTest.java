package io.reactiveinformer.informer;

import io.reactiveinformer.codec.ObjectCodec;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that is killed with SIGKILL while it saves: what the next one finds is one state, whole, and not older than what the killed one knew to
 * be saved. Kills are as many as {@code -Dwarmstart.kills} says.
 */
class KilledWhileSavingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROWS = 2_000;
    private static final String NAME = "texts.v1-1";
    private static final Map<String, String> LABEL = Map.of("server", "here");

    record Text(int generation, String padding) {}

    private static final ResourceType<Text> TEXTS = ResourceType.of("test", "v1", "texts", ResourceType.Reach.CLUSTER, Text.class);

    @TempDir
    private Path directory;

    /** Saves one state after the other, for ever, and says of each when it is saved. */
    static final class Child {

        public static void main(String[] arguments) {
            SnapshotStore files = SnapshotStore.inDirectory(Path.of(arguments[0]));
            ObjectCodec codec = ObjectCodec.create();
            for (int generation = Integer.parseInt(arguments[1]); ; generation++) {
                Held<Text> held = held(generation);
                var label = new SavedLabel(LABEL, held.at(), Map.of(Scope.all(), Integer.toString(generation)));
                files.save(NAME, SavedWriter.write(label, held, codec::write)).block();
                System.out.println(generation);
            }
        }

        private static Held<Text> held(int generation) {
            Store<Text> store = Store.create();
            List<Delta<Text>> rows = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                var text = new Text(generation, "x".repeat(300));
                rows.add(new Delta.Upserted<>(Scope.all(), ObjectKey.clusterScoped("t" + i), new Versioned<>("u" + i, "" + generation, text)));
            }
            store.apply(new Delta.Replaced<>(Scope.all(), rows, Integer.toString(generation), false));
            return new Held<>(Instant.EPOCH, 0, Scope.all(), store.snapshot(), Map.of());
        }
    }

    @Test
    void whatIsFoundIsOneStateWhole() throws Exception {
        int kills = Integer.getInteger("warmstart.kills", 20);
        long seed = Long.getLong("warmstart.seed", System.nanoTime());
        System.out.println("killed while saving: " + kills + " kills, -Dwarmstart.seed=" + seed);
        var random = new Random(seed);
        int begun = 0;
        int found = 0;
        int halves = 0;
        for (int kill = 0; kill < kills; kill++) {
            int known = killedAfter(random, found + 1);
            halves += halfDone();
            found = generationFound();
            assertThat(found).as("kill %s of seed %s", kill, seed).isGreaterThanOrEqualTo(known);
            begun += found > known ? 1 : 0;
        }
        System.out.println("killed while saving: " + halves + " files half-done, " + begun + " whole that nobody knew of yet");
        assertThat(halves).as("kills that came amid a save, seed %s", seed).isPositive();
    }

    /** Returns what the process had said to be saved. */
    private int killedAfter(Random random, int first) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), Child.class.getName(),
                directory.toString(), Integer.toString(first)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader said = child.inputReader()) {
            int known = Integer.parseInt(Objects.requireNonNull(said.readLine(), "the child ended"));
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(200_000)));
            child.toHandle().destroyForcibly(); // Process.destroyForcibly would close what it said, too
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                known = Integer.parseInt(line);
            }
            assertThat(child.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(child.exitValue()).as("by SIGKILL").isEqualTo(128 + 9);
            return known;
        }
    }

    private int halfDone() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> begun = files.filter(file -> file.toString().endsWith(".tmp")).toList();
            for (Path file : begun) {
                Files.delete(file);
            }
            return begun.size();
        }
    }

    private int generationFound() {
        Saved<Text> saved = SavedReader.read(SnapshotStore.inDirectory(directory).load(NAME), LABEL, ObjectCodec.create().written(TEXTS)).block(PATIENCE);
        Saved.Part<Text> part = saved.parts().get(Scope.all());
        assertThat(part.rows()).hasSize(ROWS);
        assertThat(part.rows().stream().map(row -> ((Delta.Upserted<Text>) row).entry().object().generation()).distinct())
                .containsExactly(Integer.parseInt(part.resourceVersion()));
        return Integer.parseInt(part.resourceVersion());
    }
}
