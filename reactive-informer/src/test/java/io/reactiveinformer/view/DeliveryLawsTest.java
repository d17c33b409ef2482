package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 1, 2, 4, 8, 10 and 11 for every kind of {@link Delivery} and their sums ({@code every(n)}, {@code resync}, {@code partial}), over random
 * schedules of writes, relists, subscriptions, requests, cancellations and ticks. Stream scenarios 44, 45 and 60.
 *
 * <p>Each of these was planted once, and caught: with {@code every}, the second half of a recreation left out, a resync of the rows of before, and an
 * overflow passed over in silence; {@code Synced} before the rows are complete; a resync before {@code Synced}.
 */
class DeliveryLawsTest {

    private static final int KEYS = 4;
    private static final int LIMIT = 3;

    @Property(tries = 3_000)
    void everySubscriberHearsWhatItsDeliveryPromises(@ForAll("schedules") List<Integer> schedule) {
        new World().play(schedule);
    }

    @Provide
    Arbitrary<List<Integer>> schedules() {
        return Arbitraries.integers().between(0, 9_999).list().ofMinSize(1).ofMaxSize(120);
    }

    private static final class World {

        private final ManualScheduler scheduler = new ManualScheduler();
        private final Table<String, String> table = Table.create();
        private final ChangeHub<String, String> hub = ChangeHub.of(table.snapshot(), 2, () -> scheduler);
        private final List<Listener> listeners = new ArrayList<>();
        private boolean complete;
        private int version = 1;

        void play(List<Integer> schedule) {
            for (int step : schedule) {
                play(step % 16, step / 16);
            }
            rest();
            listeners.forEach(Listener::checkAtRest);
            listeners.forEach(listener -> listener.again.clear());
            scheduler.tick();
            rest();
            listeners.forEach(Listener::checkResync);
        }

        private void rest() {
            listeners.forEach(listener -> listener.request(10_000));
            scheduler.runAll();
        }

        private void play(int action, int detail) {
            switch (action) {
                case 0 -> complete = true;
                case 1, 2 -> listeners.add(new Listener(this, detail));
                case 3 -> pick(detail).forEach(Listener::cancel);
                case 4, 5, 6 -> pick(detail).forEach(listener -> listener.request(1 + detail % 3));
                case 7, 8 -> scheduler.runNext();
                case 9 -> scheduler.runAll();
                case 10 -> scheduler.tick();
                case 11 -> relist(detail);
                default -> {
                    edit(detail);
                    commit();
                }
            }
        }

        private List<Listener> pick(int detail) {
            return listeners.isEmpty() ? List.of() : List.of(listeners.get(detail % listeners.size()));
        }

        private void relist(int detail) {
            for (int i = 0; i < KEYS; i++) {
                edit(detail * 31 + i * 7);
            }
            commit();
        }

        private void edit(int detail) {
            String key = "k" + detail % KEYS;
            Versioned<String> held = table.find(key);
            switch (detail / KEYS % 5) {
                case 0 -> table.remove(key, DeletionCause.OBSERVED, "" + version++);
                case 1 -> put(key, "u" + version); // another object
                default -> put(key, held == null ? "u" + version : held.uid());
            }
        }

        private void put(String key, @Nullable String uid) {
            table.put(key, new Versioned<>(uid, "" + version, key + version++), DeletionCause.OBSERVED);
        }

        private void commit() {
            Commit<String, String> commit = table.commit(complete);
            listeners.forEach(listener -> listener.expect(commit));
            hub.publish(commit);
        }
    }

    private static final class Listener implements CoreSubscriber<Change<String, String>> {

        private final World world;
        private final boolean every;
        private final boolean resync;
        private final boolean partial;

        /** What each key went through since this began, and what of it was told: states, and null for its end. */
        private final Map<String, List<@Nullable Versioned<String>>> expected = new HashMap<>();
        private final Map<String, List<@Nullable Versioned<String>>> told = new HashMap<>();
        private final Map<String, Versioned<String>> received = new HashMap<>();
        private final List<String> again = new ArrayList<>();
        private @Nullable Subscription subscription;
        private long demand;
        private boolean begun;
        private boolean synced;
        private boolean over;
        private @Nullable Throwable failure;

        Listener(World world, int kind) {
            this.world = world;
            this.every = kind % 2 == 1;
            this.resync = kind / 2 % 2 == 1;
            this.partial = kind / 4 % 2 == 1;
            Delivery delivery = Delivery.on(world.scheduler);
            delivery = every ? delivery.and(Delivery.every(LIMIT)) : delivery;
            delivery = resync ? delivery.and(Delivery.resync(Duration.ofMinutes(1))) : delivery;
            begin(world.table.snapshot());
            world.hub.changes(partial ? delivery.and(Delivery.partial()) : delivery).subscribe(this);
        }

        private void begin(Snapshot<String, String> rows) {
            if (!begun && (partial || rows.complete())) {
                begun = true;
                rows.forEach((key, row) -> states(expected, key).add(row));
            }
        }

        void expect(Commit<String, String> commit) {
            if (!begun) {
                begin(commit.snapshot());
                return;
            }
            for (Commit.Difference<String, String> difference : commit.differences()) {
                if (difference.after() == null || difference.before() != null && difference.before().recreatedAs(difference.after())) {
                    states(expected, difference.key()).add(null);
                }
                if (difference.after() != null) {
                    states(expected, difference.key()).add(difference.after());
                }
            }
        }

        private static List<@Nullable Versioned<String>> states(Map<String, List<@Nullable Versioned<String>>> of, String key) {
            return of.computeIfAbsent(key, absent -> new ArrayList<>());
        }

        void request(long n) {
            if (!over) {
                demand += n;
                subscription.request(n);
            }
        }

        void cancel() {
            over = true;
            subscription.cancel();
        }

        @Override
        public void onSubscribe(Subscription s) {
            subscription = s;
        }

        @Override
        public void onNext(Change<String, String> change) {
            assertThat(over).as("nothing comes after the end").isFalse();
            assertThat(demand--).as("demand").isPositive();
            change.<Runnable>fold(this::added, this::updated, this::deleted, this::synced).run();
        }

        private Runnable added(Change.Added<String, String> added) {
            return () -> {
                assertThat(received.put(added.key(), added.entry())).as("an addition of what was known").isNull();
                assertThat(added.initial()).as("initial").isEqualTo(!synced);
                states(told, added.key()).add(added.entry());
            };
        }

        private Runnable updated(Change.Updated<String, String> updated) {
            return () -> {
                assertThat(received.put(updated.key(), updated.to())).as("what was received last").isSameAs(updated.from());
                assertThat(updated.from().recreatedAs(updated.to())).as("an update across two uids").isFalse();
                if (updated.from().equals(updated.to())) {
                    assertThat(resync && synced).as("told again").isTrue();
                } else {
                    states(told, updated.key()).add(updated.to());
                }
                again.add(updated.key());
            };
        }

        private Runnable deleted(Change.Deleted<String, String> deleted) {
            return () -> {
                assertThat(received.remove(deleted.key())).as("what was received last").isSameAs(deleted.entry());
                states(told, deleted.key()).add(null);
            };
        }

        private Runnable synced(Change.Synced<String, String> done) {
            return () -> {
                assertThat(synced).as("synced twice").isFalse();
                synced = true;
            };
        }

        @Override
        public void onError(Throwable thrown) {
            over = true;
            failure = thrown;
        }

        @Override
        public void onComplete() {
            throw new AssertionError("completed");
        }

        void checkAtRest() {
            if (failure != null) {
                assertThat(every).as("only who wants every change can be too slow").isTrue();
                assertThat(failure).isInstanceOf(BacklogOverflowException.class);
            } else if (over || !begun) {
                return;
            } else {
                Map<String, Versioned<String>> rows = new HashMap<>();
                world.table.snapshot().forEach(rows::put);
                assertThat(received).as("the fold of what was told").isEqualTo(rows);
                assertThat(synced).isEqualTo(world.table.snapshot().complete());
            }
            if (every) {
                told.forEach((key, states) -> assertThat(expected.get(key).subList(0, states.size())).as("no gap in %s", key).isEqualTo(states));
            }
            if (every && failure == null) {
                assertThat(told).as("every state").isEqualTo(expected);
            }
        }

        void checkResync() {
            if (!over && synced && resync) {
                assertThat(again).as("each row again, once").containsExactlyInAnyOrderElementsOf(received.keySet());
            } else {
                assertThat(again).isEmpty();
            }
        }
    }
}
