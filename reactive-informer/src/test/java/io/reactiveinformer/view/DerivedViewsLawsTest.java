package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 1 to 9 and 14 for views that are derived from others, over random schedules; at rest each is what its definition makes of the rows
 * it is derived from.
 *
 * <p>Each of these was planted once, and caught: a filter that forgets rows which no longer match; a map that announces what is equal; a join
 * that does not look at what has changed on the right; a group that stays when it is empty; a change lost of a batch; a batch told in two
 * commits; a connection that stays when nobody uses the view.
 */
class DerivedViewsLawsTest {

    @Property(tries = 2_000)
    void everyViewIsAtRestWhatItsDefinitionSays(@ForAll("schedules") List<Integer> schedule) {
        new World().play(schedule);
    }

    @Provide
    Arbitrary<List<Integer>> schedules() {
        return Arbitraries.integers().between(0, 99_999).list().ofMinSize(1).ofMaxSize(120);
    }

    private static int version(String object) {
        return Integer.parseInt(object.substring(object.indexOf('@') + 1));
    }

    private static boolean matches(String object) {
        return version(object) % 2 == 0;
    }

    private static String mapped(String object) {
        return "mod " + version(object) % 3;
    }

    private static Optional<Integer> groupOf(String object) {
        return version(object) % 7 == 0 ? Optional.empty() : Optional.of(version(object) % 3);
    }

    private static List<String> references(String object) {
        int version = version(object);
        return version % 5 == 0 ? List.of() : List.of("k" + version % 4, "k" + version / 4 % 4);
    }

    private static final class World {

        private final ManualScheduler scheduler = new ManualScheduler();
        private final Source left = new Source();
        private final Source right = new Source();
        private final Set<Map<String, Versioned<String>>> leftStates = new HashSet<>();
        private final View<String, String> filtered =
                derived(wake -> OneSource.filter(left.hub.feed(), DerivedViewsLawsTest::matches, wake));
        private final View<String, String> mapped = derived(wake -> OneSource.map(left.hub.feed(), DerivedViewsLawsTest::mapped, wake));
        private final View<String, String> chained =
                derived(wake -> OneSource.map(filtered.feed(), DerivedViewsLawsTest::mapped, wake));
        private final View<String, String> overChanges = derived(wake -> OneSource.filter(
                Feed.of(left.hub.changes(Delivery.partial().and(Delivery.on(scheduler)))), DerivedViewsLawsTest::matches, wake));
        private final View<Integer, Snapshot<String, String>> grouped =
                derived(wake -> new Groups<>(left.hub.feed(), DerivedViewsLawsTest::groupOf, wake));
        private final View<String, String> joined = derived(wake -> new Join<>(
                left.hub.feed(), right.hub.feed(), DerivedViewsLawsTest::references, (object, others) -> object + others, wake));
        private final List<View<?, ?>> views = List.of(filtered, mapped, chained, overChanges, grouped, joined);
        private final List<Listener<?, ?>> listeners = new ArrayList<>();
        private int version = 1;

        private <K, T> View<K, T> derived(Function<Runnable, Derivation<K, T>> derivation) {
            return new DerivedView<>(derivation, () -> scheduler, Mono.empty(), Flux.empty());
        }

        void play(List<Integer> schedule) {
            remember();
            for (int step : schedule) {
                play(step % 16, step / 16);
                checkStates();
            }
            left.commit(true);
            right.commit(true);
            remember();
            listeners.forEach(listener -> listener.request(10_000));
            scheduler.runAll();
            listeners.forEach(Listener::checkAtRest);
            checkDefinitions();
            listeners.forEach(Listener::cancel);
            assertThat(left.hub.followers()).as("nobody uses a view any more").isZero();
            assertThat(right.hub.followers()).isZero();
        }

        private void play(int action, int detail) {
            Source source = detail % 3 == 0 ? right : left;
            switch (action) {
                case 0, 1, 2 -> listeners.add(new Listener<>(this, views.get(detail % views.size())));
                case 3 -> pick(detail).ifPresent(Listener::cancel);
                case 4, 5 -> pick(detail).ifPresent(listener -> listener.request(1 + detail % 4));
                case 6, 7, 8 -> scheduler.runNext();
                case 9 -> scheduler.runAll();
                case 10 -> {
                    for (int i = 0; i < 4; i++) {
                        source.edit(detail * 17 + i * 5, version++);
                    }
                    source.commit(true);
                }
                default -> {
                    source.edit(detail, version++);
                    source.commit(source.complete || detail % 2 == 0);
                }
            }
            remember();
        }

        private void remember() {
            leftStates.add(left.rows());
        }

        private Optional<Listener<?, ?>> pick(int detail) {
            return listeners.isEmpty() ? Optional.empty() : Optional.of(listeners.get(detail % listeners.size()));
        }

        /** Law 14, below: what a filter shows is what matches of the rows at one instant. */
        private void checkStates() {
            if (filtered.snapshot().complete()) {
                assertThat(leftStates.stream().map(World::matching)).contains(rows(filtered));
            }
        }

        private void checkDefinitions() {
            Map<String, Versioned<String>> rows = left.rows();
            if (isUsed(filtered)) {
                assertThat(rows(filtered)).isEqualTo(matching(rows));
            }
            if (isUsed(overChanges)) {
                assertThat(rows(overChanges)).isEqualTo(matching(rows));
            }
            if (isUsed(mapped)) {
                assertThat(objects(mapped)).isEqualTo(map(rows));
            }
            if (isUsed(chained)) {
                assertThat(objects(chained)).isEqualTo(map(matching(rows)));
            }
            if (isUsed(grouped)) {
                Map<Integer, Map<String, Versioned<String>>> groups = new TreeMap<>();
                rows.forEach((key, row) -> groupOf(row.object())
                        .ifPresent(group -> groups.computeIfAbsent(group, absent -> new HashMap<>()).put(key, row)));
                Map<Integer, Map<String, Versioned<String>>> shown = new TreeMap<>();
                grouped.snapshot().forEach((group, row) -> shown.put(group, rows(row.object())));
                assertThat(shown).isEqualTo(groups);
            }
            if (isUsed(joined)) {
                Map<String, String> expected = new HashMap<>();
                Map<String, Versioned<String>> others = right.rows();
                rows.forEach((key, row) -> expected.put(key, row.object() + references(row.object()).stream()
                        .distinct().filter(others::containsKey).map(other -> others.get(other).object()).toList()));
                assertThat(objects(joined)).isEqualTo(expected);
            }
        }

        private boolean isUsed(View<?, ?> view) {
            return listeners.stream().anyMatch(listener -> listener.view == view && !listener.over);
        }

        private static Map<String, Versioned<String>> matching(Map<String, Versioned<String>> rows) {
            Map<String, Versioned<String>> matching = new HashMap<>(rows);
            matching.values().removeIf(row -> !matches(row.object()));
            return matching;
        }

        private static Map<String, String> map(Map<String, Versioned<String>> rows) {
            Map<String, String> objects = new HashMap<>();
            rows.forEach((key, row) -> objects.put(key, mapped(row.object())));
            return objects;
        }

        private static Map<String, String> objects(View<String, String> view) {
            Map<String, String> objects = new HashMap<>();
            view.snapshot().forEach((key, row) -> objects.put(key, row.object()));
            return objects;
        }

        private static <K, T> Map<K, Versioned<T>> rows(View<K, T> view) {
            return rows(view.snapshot());
        }

        private static <K, T> Map<K, Versioned<T>> rows(Snapshot<K, T> snapshot) {
            Map<K, Versioned<T>> rows = new HashMap<>();
            snapshot.forEach(rows::put);
            return rows;
        }
    }

    private static final class Source {

        private final Table<String, String> table = Table.create();
        private final ChangeHub<String, String> hub = ChangeHub.of(table.snapshot(), Integer.MAX_VALUE, Schedulers::immediate);
        private boolean complete;

        void edit(int detail, int version) {
            String key = "k" + detail % 4;
            Versioned<String> held = table.find(key);
            if (held != null && detail / 4 % 4 == 0) {
                table.remove(key, DeletionCause.OBSERVED, "" + version);
            } else {
                boolean another = held == null || detail / 4 % 4 == 1;
                table.put(key, Rows.state(another ? "u" + version : held.uid(), version), DeletionCause.OBSERVED);
            }
        }

        void commit(boolean nowComplete) {
            complete = nowComplete;
            Commit<String, String> commit = table.commit(complete);
            hub.publish(commit);
        }

        Map<String, Versioned<String>> rows() {
            return World.rows(table.snapshot());
        }
    }

    /** Folds what it hears, and refuses what does not fit. */
    private static final class Listener<K, T> implements CoreSubscriber<Change<K, T>> {

        private final View<K, T> view;
        private final Map<K, Versioned<T>> known = new HashMap<>();
        private final List<Throwable> dropped = new ArrayList<>();
        private @Nullable Subscription subscription;
        private long demand;
        private boolean synced;
        private boolean over;

        Listener(World world, View<K, T> view) {
            this.view = view;
            view.changes(Delivery.on(world.scheduler)).subscribe(this);
        }

        @Override
        public Context currentContext() {
            return Context.of(
                    "reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);
        }

        @Override
        public void onSubscribe(Subscription s) {
            subscription = s;
        }

        void request(long n) {
            demand += n;
            subscription.request(n);
        }

        void cancel() {
            over = true;
            subscription.cancel();
        }

        @Override
        public void onNext(Change<K, T> change) {
            assertThat(over).isFalse();
            assertThat(demand--).isPositive();
            change.<Runnable>fold(
                            added -> () -> {
                                assertThat(known.put(added.key(), added.entry())).isNull();
                                assertThat(added.initial()).isEqualTo(!synced);
                            },
                            updated -> () -> {
                                assertThat(known.put(updated.key(), updated.to())).isSameAs(updated.from());
                                assertThat(updated.from().recreatedAs(updated.to())).as("%s", updated).isFalse();
                                assertThat(updated.from()).isNotEqualTo(updated.to());
                            },
                            deleted -> () -> assertThat(known.remove(deleted.key())).isSameAs(deleted.entry()),
                            done -> () -> {
                                assertThat(synced).isFalse();
                                assertThat(done.count()).isEqualTo(known.size());
                                synced = true;
                            })
                    .run();
        }

        @Override
        public void onError(Throwable failure) {
            dropped.add(failure);
        }

        @Override
        public void onComplete() {
            dropped.add(new AssertionError("completed"));
        }

        void checkAtRest() {
            assertThat(dropped).isEmpty();
            if (!over) {
                assertThat(synced || !view.snapshot().complete()).isTrue();
                assertThat(known).isEqualTo(World.rows(view));
            }
        }
    }
}
