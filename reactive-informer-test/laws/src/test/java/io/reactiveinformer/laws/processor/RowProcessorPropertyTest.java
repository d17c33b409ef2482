package io.reactiveinformer.laws.processor;

import io.reactiveinformer.processor.RowChange;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.processor.RowProcessorBuilder;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.TestView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A table that a processor writes equals its view in the end, after any schedule of changes, failures, cancellations and kills, at any pace.
 * {@code -Dprocessor.schedules=10000} for more schedules, {@code -Dprocessor.seed=4711} for those of a build before.
 */
@Timeout(1800)
class RowProcessorPropertyTest {

    private static final int SCHEDULES = Integer.getInteger("processor.schedules", 300);
    private static final int KEYS = 5;

    @TempDir
    private Path directory;

    private VirtualTimeScheduler time;

    @BeforeEach
    void virtualTime() {
        time = VirtualTimeScheduler.getOrSet();
    }

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    @Test
    void theTableEqualsTheViewInTheEnd() {
        long first = Long.getLong("processor.seed", System.nanoTime());
        for (int i = 0; i < SCHEDULES; i++) {
            long seed = first + i;
            try {
                new Schedule(seed).run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("-Dprocessor.seed=" + seed + " -Dprocessor.schedules=1", failure);
            }
        }
    }

    private final class Schedule {

        private final Random random;
        private final String name;
        private final boolean positions;
        private final boolean batches;
        private final TestView<ObjectKey, String> view = TestView.create();
        private final Map<ObjectKey, String> rows = new HashMap<>();
        private final Map<ObjectKey, String> table = new HashMap<>();
        private final Set<ObjectKey> inWork = new HashSet<>();
        private final Set<ObjectKey> twice = new HashSet<>();
        private boolean calm;
        private int state;
        private @Nullable RowProcessor<ObjectKey> processor;

        Schedule(long seed) {
            random = new Random(seed);
            name = "table" + seed;
            positions = random.nextInt(4) > 0;
            batches = random.nextInt(3) == 0;
        }

        void run() {
            RowProcessor<ObjectKey> begun = begin();
            for (int i = random.nextInt(40); i > 0; i--) {
                step();
            }
            view.list(rows); // complete at the latest now
            calm = true;
            time.advanceTimeBy(Duration.ofMinutes(2));
            RowProcessor<ObjectKey> last = processor == null ? begun : processor;
            assertThat(twice).as("worked on twice at a time").isEmpty();
            assertThat(table).isEqualTo(rows);
            assertThat(last.status().behind()).isZero();
            assertThat(last.status().running()).isZero();
            last.close();
        }

        private RowProcessor<ObjectKey> begin() {
            inWork.clear(); // what was cancelled may have had its effect
            RowProcessorBuilder<ObjectKey, String> spec = RowProcessor.of(name, view).concurrency(1 + random.nextInt(3))
                    .timeout(Duration.ofSeconds(5));
            if (positions) {
                spec.positions(directory);
            }
            if (random.nextBoolean()) {
                spec.brief();
            }
            RowProcessor<ObjectKey> begun = batches ? spec.processBatches(3, Duration.ofMillis(random.nextInt(100)), this::write)
                    : spec.process(row -> write(List.of(row)));
            begun.start();
            processor = begun;
            return begun;
        }

        private void step() {
            ObjectKey key = ObjectKey.of("shop", "row-" + random.nextInt(KEYS));
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> view.put(key, next(key));
                case 3 -> view.recreate(key, next(key));
                case 4 -> {
                    rows.remove(key);
                    view.remove(key);
                }
                case 5 -> view.list(rows);
                case 6 -> restart();
                default -> time.advanceTimeBy(Duration.ofMillis(random.nextInt(200)));
            }
        }

        private String next(ObjectKey key) {
            String next = "s" + ++state;
            rows.put(key, next);
            return next;
        }

        /** Without positions, the program deletes at its start what is not there, as the page says: here it begins with an empty table. */
        private void restart() {
            if (processor != null) {
                processor.close();
            }
            if (!positions) {
                table.clear();
            }
            begin();
        }

        /** Fails before or after its effect, never ends, or takes its time. */
        private Mono<Void> write(List<RowChange<ObjectKey, String>> batch) {
            return Mono.defer(() -> {
                batch.stream().filter(row -> !inWork.add(row.key())).forEach(row -> twice.add(row.key()));
                Runnable over = () -> batch.forEach(row -> inWork.remove(row.key())); // before the last signal, after which the next may begin
                int kind = calm ? 9 : random.nextInt(10);
                Mono<Void> effect = Mono.fromRunnable(() -> batch.forEach(this::apply));
                Mono<Void> slow = Mono.delay(Duration.ofMillis(random.nextInt(150))).then();
                Mono<Void> work = switch (kind) {
                    case 0 -> Mono.error(new IllegalStateException("before"));
                    case 1 -> effect.then(Mono.error(new IllegalStateException("after")));
                    case 2 -> effect.then(Mono.never());
                    case 3, 4, 5 -> slow.then(effect);
                    case 6 -> effect.then(slow);
                    default -> effect;
                };
                return work.doOnTerminate(over).doOnCancel(over);
            });
        }

        private void apply(RowChange<ObjectKey, String> row) {
            if (row.deleted()) {
                table.remove(row.key());
            } else {
                table.put(row.key(), row.object());
            }
        }
    }
}
