package io.reactiveinformer.laws.memory;

import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Memory;
import io.reactiveinformer.view.Retention;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rows of each position, and what is different between any two, are those that were written down when they were current; and they are
 * known exactly as long as the retention says. {@code -Dmemory.schedules} and {@code -Dmemory.seed} as for {@link MemoryPropertyTest}.
 *
 * <p>Each of these was planted once, and caught here: a position that is one step behind, or one ahead; steps undone in the wrong order; a
 * position within a list taken for a moment of its own, or within first rows for one at all; what is forgotten one revision too late, not
 * by time, or not counted by changes; a row that changed back, emitted; a row taken from its last step only; two moments in reverse.
 */
@Timeout(1800)
class MemoryHistoryPropertyTest {

    private static final int SCHEDULES = Integer.getInteger("memory.schedules", 500);

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
    void eachMomentIsRememberedAsItWas() {
        long first = Long.getLong("memory.seed", System.nanoTime());
        for (int i = 0; i < SCHEDULES; i++) {
            long seed = first + i;
            try {
                new Schedule<>(seed).run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("-Dmemory.seed=" + seed + " -Dmemory.schedules=1", failure);
            }
        }
    }

    /**
     * @param revision of the memory
     * @param changes how many rows were different before
     */
    private record Moment<K>(long revision, Instant at, Map<K, Object> rows, int changes) {}

    private final class Schedule<K, T> {

        private final Random random;
        private final TestView<String, String> rows = TestView.create();
        private final TestView<String, String> others = TestView.of(Map.of());
        private final Sinks.Many<Predicate<String>> predicates = Sinks.many().replay().latest();
        private final View<K, T> view;
        private final Retention retention;
        private final Memory<K, T> memory;
        private final List<Moment<K>> moments = new ArrayList<>();
        private int version;

        @SuppressWarnings("unchecked") // each view is only compared with itself
        Schedule(long seed) {
            random = new Random(seed);
            view = (View<K, T>) MemoryPropertyTest.view(random.nextInt(6), rows, others, predicates);
            retention = Retention.of(Duration.ofSeconds(5 + random.nextInt(60))).atMost(1 + random.nextInt(6))
                    .withHistory(random.nextInt(3) * (1 + random.nextInt(12)));
            memory = view.remembering(retention);
        }

        void run() {
            for (int i = random.nextInt(80); i > 0; i--) {
                write();
                time.advanceTime();
                writeDown();
                time.advanceTimeBy(Duration.ofMillis(random.nextInt(3_000)));
                if (random.nextInt(4) == 0) {
                    check();
                }
            }
            check();
            memory.close();
            assertThat(memory.at(memory.position())).isEmpty();
            assertThat(rows.subscribers()).isEmpty();
        }

        private void write() {
            String key = "k" + random.nextInt(4);
            String row = String.valueOf(++version);
            switch (random.nextInt(11)) {
                case 0, 1 -> rows.remove(key);
                case 2 -> rows.recreate(key, row);
                case 3 -> rows.list(Map.of(key, row, "k9", row));
                case 4 -> predicates.tryEmitNext(one -> Integer.parseInt(one) % (2 + version % 3) != 0).orThrow();
                case 5 -> others.put(key, row);
                case 6 -> rows.sync();
                default -> rows.put(key, row);
            }
        }

        private void writeDown() {
            if (!isComplete()) {
                return;
            }
            Map<K, Object> now = states(view.snapshot());
            Map<K, Object> before = moments.isEmpty() ? now : last().rows;
            int changes = (int) keys(before, now).stream().filter(key -> !now.getOrDefault(key, "").equals(before.getOrDefault(key, ""))).count();
            if (moments.isEmpty() || changes > 0) {
                moments.add(new Moment<>(head(), Instant.ofEpochMilli(now()), now, changes));
            }
        }

        private boolean isComplete() {
            return memory.since(memory.position()).isPresent();
        }

        private Moment<K> last() {
            return moments.get(moments.size() - 1);
        }

        private static long now() {
            return Schedulers.parallel().now(TimeUnit.MILLISECONDS);
        }

        private static <K> Set<K> keys(Map<K, ?> one, Map<K, ?> other) {
            Set<K> keys = new HashSet<>(one.keySet());
            keys.addAll(other.keySet());
            return keys;
        }

        private long head() {
            String position = memory.position();
            return Long.parseLong(position.substring(position.indexOf('.') + 1), Character.MAX_RADIX);
        }

        private String position(long revision) {
            String position = memory.position();
            return position.substring(0, position.indexOf('.') + 1) + Long.toString(revision, Character.MAX_RADIX);
        }

        private void check() {
            if (!isComplete()) {
                assertThat(memory.at(memory.position())).isEmpty();
                return;
            }
            assertThat(memory.historySince()).isEqualTo(moments.get(oldest()).at);
            for (long revision = 0; revision < head() + 2; revision++) {
                Moment<K> moment = moment(revision);
                assertThat(memory.at(position(revision)).map(this::states)).as("at %s", revision)
                        .isEqualTo(Optional.ofNullable(moment).map(Moment::rows));
                long other = random.nextLong(head() + 2);
                checkBetween(revision, moment, other, moment(other));
                assertThat(memory.at(position(revision) + "." + Long.toString(revision + 1, Character.MAX_RADIX))).isEmpty();
            }
        }

        /** The first moment that is known, by the retention. */
        private int oldest() {
            int oldest = moments.size() - 1;
            int changes = 0;
            while (oldest > 0) {
                Moment<K> step = moments.get(oldest);
                changes += step.changes;
                if (changes > retention.history() || now() - step.at.toEpochMilli() >= retention.time().toMillis()) {
                    break;
                }
                oldest--;
            }
            return oldest;
        }

        private @Nullable Moment<K> moment(long revision) {
            int oldest = oldest();
            boolean known = oldest == 0 ? revision >= moments.get(0).revision : revision > moments.get(oldest - 1).revision;
            return !known ? null : moments.stream().skip(oldest).filter(one -> revision <= one.revision).findFirst().orElse(null);
        }

        private void checkBetween(long from, @Nullable Moment<K> one, long to, @Nullable Moment<K> other) {
            Optional<List<Change<K, T>>> between = memory.between(position(from), position(to));
            assertThat(between.isPresent()).as("between %s and %s", from, to).isEqualTo(one != null && other != null && from <= to);
            if (between.isEmpty()) {
                return;
            }
            Map<K, Object> replayed = new HashMap<>(one.rows);
            Set<K> deleted = new HashSet<>();
            for (Change<K, T> change : between.get()) {
                change.accept(
                        added -> {
                            assertThat(replayed.put(added.key(), state(added.entry()))).as("%s", change).isNull();
                            assertThat(one.rows.containsKey(added.key())).isEqualTo(deleted.contains(added.key()));
                        },
                        updated -> {
                            assertThat(updated.entryBefore().recreatedAs(updated.entryAfter())).as("%s", change).isFalse();
                            assertThat(replayed.put(updated.key(), state(updated.entryAfter()))).as("%s", change)
                                    .isEqualTo(state(updated.entryBefore())).isNotEqualTo(other.rows.get(updated.key()));
                        },
                        gone -> {
                            assertThat(replayed.remove(gone.key())).as("%s", change).isEqualTo(state(gone.entry()));
                            deleted.add(gone.key());
                        },
                        synced -> {
                            throw new AssertionError("synced");
                        });
            }
            assertThat(replayed).as("between %s and %s", from, to).isEqualTo(other.rows);
        }

        private Map<K, Object> states(Snapshot<K, T> snapshot) {
            Map<K, Object> states = new HashMap<>();
            snapshot.forEach((key, row) -> states.put(key, state(row)));
            assertThat(states).hasSize(snapshot.size());
            return states;
        }

        private Object state(Versioned<T> row) {
            return Arrays.asList(row.uid(), row.computed() ? null : row.resourceVersion(), row.object());
        }
    }
}
