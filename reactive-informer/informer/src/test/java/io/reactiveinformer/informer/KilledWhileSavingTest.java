package io.reactiveinformer.informer;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.internal.warmstart.Held;
import io.reactiveinformer.internal.warmstart.Saved;
import io.reactiveinformer.internal.warmstart.StubClient;
import io.reactiveinformer.internal.warmstart.WarmStart;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that is killed with SIGKILL while it saves: what the next one finds is one state, whole, and not older than what the killed one
 * knew to be saved; an informer that starts on it goes on from there. {@code -Dwarmstart.seeds=N} kills more, each after a time of its
 * seed's.
 */
@Tag("long")
class KilledWhileSavingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROWS = 2_000;

    /** Of so many, some come amid a save; of fewer, none may. */
    private static final int MANY = 100;

    record Text(int generation, String padding) {}

    private static final WarmStart.Selected<Text> TEXTS = new WarmStart.Selected<>(
            ResourceType.of("test", "v1", "texts", ResourceType.Scope.CLUSTER, Text.class), Namespaces.all(), Selector.any(), "");

    @TempDir
    private Path directory;

    /** Saves one state after the other, for ever, and says of each when it is saved. */
    static final class Child {

        public static void main(String[] arguments) {
            WarmStart<Text> files = warmStart(WarmStartStorage.inDirectory(Path.of(arguments[0])), Schedulers.parallel());
            for (int generation = Integer.parseInt(arguments[1]); ; generation++) {
                if (!files.save(cached(generation)).block()) {
                    throw new IllegalStateException("not saved: " + generation);
                }
                System.out.println(generation);
            }
        }

        private static Held<Text> cached(int generation) {
            Store<Text> store = Store.create();
            List<Delta<Text>> rows = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                rows.add(new Delta.Upserted<>(Namespaces.all(), key(i), text(i, generation)));
            }
            store.apply(new Delta.Replaced<>(Namespaces.all(), rows, Integer.toString(generation), false));
            return new Held<>(Instant.EPOCH, 0, Namespaces.all(), store.snapshot(), Map.of());
        }
    }

    private static ObjectKey key(int index) {
        return ObjectKey.clusterScoped("t" + index);
    }

    private static Versioned<Text> text(int index, int generation) {
        return new Versioned<>("u" + index, "" + generation, new Text(generation, "x".repeat(300)));
    }

    private static WarmStart<Text> warmStart(WarmStartStorage store, Scheduler timer) {
        return new WarmStart<>(store, TEXTS, StubClient.of(Mono.just("here")), timer);
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES) // a second or two for each kill, and hundreds where so many are asked for
    void whatIsFoundIsOneStateWhole() throws Exception {
        long[] seeds = Rounds.seeds("warmstart", 10, 2);
        System.out.println("killed while saving: " + seeds.length + " kills, from -Dwarmstart.seed=" + seeds[0]);
        int begun = 0;
        int found = 0;
        int halves = 0;
        for (long seed : seeds) {
            int known = killedAfter(new Random(seed), found + 1);
            halves += halfDone();
            found = generationFound();
            anInformerGoesOnFrom(found);
            assertThat(found).as("killed by seed %s", seed).isGreaterThanOrEqualTo(known);
            begun += found > known ? 1 : 0;
        }
        System.out.println("killed while saving: " + halves + " files half-done, " + begun + " whole that nobody knew of yet");
        if (seeds.length >= MANY) {
            assertThat(halves).as("kills that came amid a save, from seed %s", seeds[0]).isPositive();
        }
    }

    /** Returns what the process had said to be saved. */
    private int killedAfter(Random random, int first) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
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
        Saved<Text> saved = warmStart(WarmStartStorage.inDirectory(directory), Schedulers.parallel()).recall().block(PATIENCE);
        Saved.Part<Text> part = saved.parts().get(Namespaces.all());
        assertThat(part.rows()).hasSize(ROWS);
        assertThat(part.rows().stream().map(row -> ((Delta.Upserted<Text>) row).entry().object().generation()).distinct())
                .containsExactly(Integer.parseInt(part.resourceVersion()));
        return Integer.parseInt(part.resourceVersion());
    }

    /** The next process: it has what was saved, and receives what has happened since. */
    private void anInformerGoesOnFrom(int generation) {
        var server = new OneChangeLater(generation);
        var time = VirtualTimeScheduler.create();
        var informer = new SharedInformer<>("texts", Namespaces.all(), part -> server, ReflectorOptions.defaults().withTimer(time),
                Set.of(), warmStart(new ReadOnly(), time), null);
        informer.start();
        informer.synced().block(PATIENCE);

        assertThat(server.asked).containsExactly("list limit=1", "watch " + generation);
        assertThat(informer.snapshot().size()).isEqualTo(ROWS);
        for (int i = 0; i < ROWS; i++) {
            assertThat(informer.lister().get(key(i)).orElseThrow().generation()).as("row %s", i)
                    .isEqualTo(i == 0 ? generation + 1 : generation);
        }
        informer.stop();
        informer.finished().block(PATIENCE);
    }

    /** What is in the directory stays as the kill left it. */
    private final class ReadOnly implements WarmStartStorage {

        @Override
        public Flux<ByteBuffer> load(String name) {
            return WarmStartStorage.inDirectory(directory).load(name);
        }

        @Override
        public Mono<Void> save(String name, Flux<ByteBuffer> content) {
            return content.then();
        }

        @Override
        public Mono<String> setAside(String name) {
            return Mono.error(new AssertionError("of no use: " + name));
        }
    }

    /** A server where one text has changed since {@code generation}. */
    private static final class OneChangeLater implements ListerWatcher<Text> {

        private final int generation;
        private final List<String> asked = new CopyOnWriteArrayList<>();

        OneChangeLater(int generation) {
            this.generation = generation;
        }

        @Override
        public Identity identity() {
            return Identity.of("texts", Namespaces.all());
        }

        @Override
        public Flux<ObjectEvent<Text>> list(ListOptions options, Reading<Text> reading) {
            asked.add("list limit=" + options.limit());
            return Flux.just(new ObjectEvent.Applied<>(key(0), text(0, generation + 1)),
                    new ObjectEvent.PageEnd<>("" + (generation + 1), "more"));
        }

        @Override
        public Flux<ObjectEvent<Text>> watch(WatchOptions options, Reading<Text> reading) {
            asked.add("watch " + options.resourceVersion());
            return Flux.<ObjectEvent<Text>>just(new ObjectEvent.Opened<>(),
                    new ObjectEvent.Applied<>(key(0), text(0, generation + 1), true))
                    .concatWith(Flux.never());
        }
    }
}
