package io.reactiveinformer.laws.memory;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.Memory;
import io.reactiveinformer.view.Remembered;
import io.reactiveinformer.view.Remembered.Gone;
import io.reactiveinformer.view.Remembered.Reset;
import io.reactiveinformer.view.Remembered.Row;
import io.reactiveinformer.view.Remembered.Synced;
import io.reactiveinformer.view.Retention;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whoever is cut off at any element, and continues from its position, has the rows of the view in the end, and receives nothing twice;
 * whatever the view, the pace, and what is forgotten meanwhile. {@code -Dmemory.schedules=10000} for more schedules,
 * {@code -Dmemory.seed=4711} for those of a build before.
 *
 * <p>Each of these was planted once, and caught here or in {@link MemoryTest}: a position that is one behind, or one ahead, of what was
 * received; deletions that are forgotten without a reset; a changed row that keeps its place; a recreated row taken for an update; the
 * first of several objects with one name left out of account; what came and went, emitted; positions of the future, and such as are not
 * written as ours; a subscriber that stays after it has cancelled; subscribers that are not woken where there are many.
 */
@Timeout(1800)
class MemoryPropertyTest {

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
    void replayFromAnyPositionGivesTheView() {
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

    /** Views of every kind; the rows are texts such as {@code "17"}. */
    static View<?, ?> view(int kind, TestView<String, String> rows, TestView<String, String> others,
            Sinks.Many<Predicate<String>> predicates) {
        return switch (kind) {
            case 0 -> rows;
            case 1 -> rows.filter(row -> number(row) % 3 != 0);
            case 2 -> rows.map(row -> "mod " + number(row) % 3);
            case 3 -> rows.join(others, row -> List.of("k" + number(row) % 4), (row, referred) -> number(row) % 5 + "" + referred);
            case 4 -> rows.group(row -> number(row) % 5 == 0 ? Optional.empty() : Optional.of(number(row) % 3));
            default -> rows.filter(predicates.asFlux());
        };
    }

    private static int number(String row) {
        return Integer.parseInt(row);
    }

    private final class Schedule<K, T> {

        private final Random random;
        private final TestView<String, String> rows = TestView.create();
        private final TestView<String, String> others = TestView.of(Map.of());
        private final Sinks.Many<Predicate<String>> predicates = Sinks.many().replay().latest();
        private final int kind;
        private final View<K, T> view;
        private final Memory<K, T> memory;
        private final List<Client> clients = new ArrayList<>();
        private int version;
        private int writes;

        @SuppressWarnings("unchecked") // each view is only compared with itself
        Schedule(long seed) {
            random = new Random(seed);
            kind = random.nextInt(6);
            view = (View<K, T>) view(kind, rows, others, predicates);
            memory = view.remembering(Retention.of(Duration.ofSeconds(1 + random.nextInt(20))).atMost(1 + random.nextInt(6)));
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                clients.add(new Client());
            }
        }

        void run() {
            for (int i = random.nextInt(80); i > 0; i--) {
                step();
            }
            rows.sync(); // complete at the latest now
            predicates.tryEmitNext(row -> number(row) % 2 == 0).orThrow();
            clients.forEach(client -> client.go(Integer.MAX_VALUE));
            time.advanceTimeBy(Duration.ofSeconds(2));
            Map<K, Object> present = new HashMap<>();
            view.snapshot().forEach((key, row) -> present.put(key, state(row)));
            clients.forEach(client -> assertThat(client.table).isEqualTo(present));
            clients.forEach(client -> assertThat(memory.since(client.position).orElse(List.of()))
                    .allMatch(more -> more instanceof Gone<K, T> gone && !client.table.containsKey(gone.key())));
            assertThat(memory.since(memory.position())).contains(List.of());
            clients.forEach(client -> client.cut());
            assertThat(memory.subscribers()).isZero();
            memory.close();
            assertThat(rows.subscribers()).isEmpty();
        }

        private void step() {
            Client client = clients.get(random.nextInt(clients.size()));
            switch (random.nextInt(12)) {
                case 0 -> client.cut();
                case 1, 2, 3 -> client.go(1 + random.nextInt(5));
                case 4 -> client.go(Integer.MAX_VALUE);
                case 5 -> time.advanceTimeBy(Duration.ofSeconds(random.nextInt(10)));
                case 6 -> time.advanceTimeBy(Duration.ofMillis(1));
                default -> write();
            }
        }

        /** One deletion stands for all objects that had its key, so that it may concern none that the client had. */
        private boolean isUsedOnce(K key) {
            return key.toString().startsWith("once") && (kind == 0 || kind == 2);
        }

        private void write() {
            writes++;
            String key = "k" + random.nextInt(4);
            String row = String.valueOf(++version);
            switch (random.nextInt(12)) {
                case 10 -> rows.put("once" + version, row);
                case 11 -> rows.remove("once" + (version - 1 - random.nextInt(4)));
                case 0, 1 -> rows.remove(key);
                case 2 -> rows.recreate(key, row);
                case 3 -> rows.list(Map.of(key, row, "k9", row));
                case 4 -> predicates.tryEmitNext(one -> number(one) % (2 + version % 3) != 0).orThrow();
                case 5 -> others.put(key, row);
                case 6 -> others.remove(key, DeletionCause.INFERRED);
                default -> rows.put(key, row);
            }
        }

        /** What a row looks like to a client: with its uid, without its version. */
        private Object state(Versioned<T> row) {
            if (row.object() instanceof Snapshot<?, ?> group) {
                Map<Object, Object> members = new HashMap<>();
                group.forEach((key, member) -> members.put(key, member.uid() + member.object()));
                return members;
            }
            return row.uid() + " " + row.object();
        }

        private final class Client {

            private final Map<K, Object> table = new HashMap<>();
            private final Map<K, Versioned<T>> entries = new HashMap<>();
            private @Nullable Link link;
            private @Nullable String position;
            private boolean atRest;
            private int cutAfter;

            void go(int demand) {
                if (link == null) {
                    cutAfter = demand == Integer.MAX_VALUE ? demand : 1 + random.nextInt(6);
                    link = new Link(atRest);
                    String from = random.nextInt(20) == 0 && demand != Integer.MAX_VALUE ? forged() : position;
                    memory.changesSince(from, Delivery.conflated()).subscribe(link);
                } else if (demand == Integer.MAX_VALUE) {
                    cutAfter = demand;
                }
                link.request(demand);
            }

            /** Not a position that holds: a client that lies about where it stands deserves what it receives. */
            private String forged() {
                return List.of("", "\0", "null", "-1", memory.position() + "zzzzzz", "9" + memory.position()).get(random.nextInt(6));
            }

            void cut() {
                if (link != null) {
                    link.cancel();
                    link = null;
                    atRest = memory.position().equals(position);
                }
            }

            private final class Link extends BaseSubscriber<Remembered<K, T>> {

                private final int writesBefore = writes;
                private final Set<K> rowsOnce = new HashSet<>();
                private final Set<K> goneOnce = new HashSet<>();
                private boolean exact;
                private boolean synced;

                Link(boolean exact) {
                    this.exact = exact;
                }

                @Override
                protected void hookOnSubscribe(Subscription subscription) {}

                @Override
                protected void hookOnNext(Remembered<K, T> element) {
                    if (element instanceof Reset) {
                        table.clear();
                        entries.clear();
                        synced = false;
                        exact = false;
                        rowsOnce.clear();
                        goneOnce.clear();
                    } else if (element instanceof Row<K, T> row) {
                        assertThat(synced || rowsOnce.add(row.key())).as("one change a row: %s", row).isTrue();
                        Versioned<T> known = entries.put(row.key(), row.entry());
                        assertThat(known).as("received already").isNotSameAs(row.entry());
                        assertThat(known != null && known.recreatedAs(row.entry())).as("Gone before another uid: %s", row).isFalse();
                        table.put(row.key(), state(row.entry()));
                    } else if (element instanceof Gone<K, T> gone) {
                        assertThat(synced || goneOnce.add(gone.key())).as("one deletion a row: %s", gone).isTrue();
                        Object known = table.remove(gone.key());
                        entries.remove(gone.key());
                        boolean strict = exact && !synced && writes == writesBefore && isUsedOnce(gone.key());
                        assertThat(known != null || !strict).as("unknown to it: %s", gone).isTrue();
                    } else if (element instanceof Synced) {
                        assertThat(synced).as("synced twice").isFalse();
                        synced = true;
                    }
                    position = element.position();
                    if (--cutAfter == 0) {
                        cut();
                    }
                }
            }
        }
    }
}
