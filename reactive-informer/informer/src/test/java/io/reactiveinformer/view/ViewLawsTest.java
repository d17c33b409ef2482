package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 1 to 16, and 22, for views of every kind: plain, filtered (also by what moves), mapped, mapped after filtered, grouped, joined,
 * and derived from the changes of any other view. What two namespaces of a server go through arrives late, twice, in lists, of another history, or cannot be
 * read; the namespaces change; users' functions throw on some objects; and subscribers with every kind of delivery come, stall, go on,
 * throw and go. All of it at random, and a failure is shrunk, and names its seed.
 *
 * <ul>
 *   <li>{@link SimulatedReflector} compares the store with the server's history: 12, 15, 16
 *   <li>{@link CommitLaws} looks at each commit of each view: 12, 14; by {@link DerivedRules}, it is what the view's definition makes of
 *       its source: 14, 16, 22
 *   <li>{@link LawfulSubscriber} takes nothing but what the laws allow: 1 to 11, 13, 15
 * </ul>
 *
 * <p>Each of these was planted once, and caught here:
 *
 * <ul>
 *   <li>1: the fourth and later changes of a batch, left out; a change on the right of a join, not looked at; a group that is empty, kept
 *   <li>2: a row that does not match any more, emitted as deleted by the server
 *   <li>9: a derived view that is still worked out for a subscriber that threw
 *   <li>10: a derived view that gives no heed to the delivery asked for
 *   <li>10: a list with one difference, and lists that wait, counted like single changes
 *   <li>11: a resync that leaves out the last row; one that repeats a walk, instead of what the walk has passed; one that is passed over,
 *       as one is under way
 *   <li>12: edits after a commit made in the rows that it showed; an index that a new row is not filed in; a position ahead of
 *       what waits in a stage; a bookmark emitted before what it speaks of
 *   <li>13: a derived view whose rows can be read only after subscribers were notified
 *   <li>14: a relist in one commit for each difference; another instance of what is equal; a relist's deletions emitted as observed; a
 *       group announced that is as it was
 *   <li>15: what is old dropped nowhere; dropped everywhere but in a stage without demand; the list of a new epoch taken for an old one;
 *       its equal versions taken for equal states; a position that stays where it was in the epoch before
 *   <li>14: rows that a moved predicate brings in, or leaves out, looked at when they change next
 *   <li>16: an object that cannot be read, removed; a row on which the function throws, left out; a failure that outlives its row; a row
 *       joined to what the last good state referred to
 *   <li>22: rows of a namespace that left, kept; emitted as deleted by the server
 * </ul>
 */
class ViewLawsTest {

    @Property(tries = 2_000)
    void everyViewAndEverySubscriberOfItKeepsTheLaws(@ForAll("schedules") List<Integer> schedule) {
        new World(Integer.MAX_VALUE).play(schedule);
    }

    /** The plain view notifies all subscribers by a relay, except those that want every state. */
    @Property(tries = 500)
    void soItIsWhereSubscribersAreMany(@ForAll("schedules") List<Integer> schedule) {
        new World(0).play(schedule);
    }

    @Provide
    Arbitrary<List<Integer>> schedules() {
        return Arbitraries.integers().between(0, 99_999).list().ofMinSize(1).ofMaxSize(120);
    }

    private static int version(String object) {
        return Integer.parseInt(object.substring(object.indexOf('@') + 1, object.indexOf(' ')));
    }

    private static <R> R unless(boolean bad, R result) {
        if (bad) {
            throw new DerivedRules.OnPurpose();
        }
        return result;
    }

    private static boolean matches(String object) {
        return unless(version(object) % 5 == 0, version(object) % 2 == 0);
    }

    /** @param moved how often the predicate has moved */
    private static boolean matches(String object, int moved) {
        return unless(version(object) % 5 == moved % 5, version(object) % (2 + moved % 2) == 0);
    }

    private static boolean isEven(String object) {
        return version(object) % 2 == 0;
    }

    private static String mapped(String object) {
        return "mod " + unless(version(object) % 5 == 1, version(object) % 3);
    }

    private static Optional<Integer> groupOf(String object) {
        return unless(version(object) % 5 == 2, version(object) % 7 == 0 ? Optional.empty() : Optional.of(version(object) % 3));
    }

    private static List<String> references(String object) {
        int version = version(object);
        return unless(version % 5 == 3, version % 4 == 0 ? List.of() : List.of("k" + version % 4, "k" + version / 4 % 4));
    }

    private static String combined(String object, List<String> others) {
        return unless(version(object) % 5 == 4 || others.stream().anyMatch(other -> other.endsWith("7")), object + others);
    }

    private static final class World {

        private static final List<String> NAMESPACES = List.of("a", "b");
        private static final Index<String, Integer> PARITY =
                Index.of("parity", object -> unless(version(object) % 5 == 4, version(object) % 2));
        private static final int MANY = 7;

        private final LawfulSubscribers subscribers = new LawfulSubscribers();
        private final int few;
        private final Store.Managed<String> store = Store.Managed.create(Namespaces.of(NAMESPACES));
        private final ChangeHub<ObjectKey, String> hub;
        private final Rows others = Rows.incomplete();
        private final View<String, String> right = HubView.of(others);
        private final List<Kind<?, ?>> kinds = new ArrayList<>();
        private final Kind<ObjectKey, String> plain;

        private final Map<String, SimulatedReflector> reflectors = new HashMap<>();
        private ServerHistory server = ServerHistory.begin();
        private boolean indexed;
        private int otherVersion;
        private final Sinks.Many<Predicate<String>> predicates = Sinks.many().replay().latest();
        private int moved;

        /** @param few are notified by the writer itself */
        World(int few) {
            this.few = few;
            hub = ChangeHub.of(store.snapshot(), few, () -> subscribers.scheduler);
            View<ObjectKey, String> source = new HubView<>(store::snapshot, hub);
            plain = new Kind<>(source, (before, after, commit) -> {}, Set::of);
            kinds.add(plain);
            Function<String, Optional<String>> filter = object -> matches(object) ? Optional.of(object) : Optional.empty();
            Function<String, Optional<String>> map = object -> Optional.of(mapped(object));
            Kind<ObjectKey, String> filtered = oneByOne(wake -> Derived.filter(Feed.of(source), ViewLawsTest::matches, wake),
                    store::snapshot, filter);
            oneByOne(wake -> Derived.map(Feed.of(source), ViewLawsTest::mapped, wake), store::snapshot, map);
            oneByOne(wake -> Derived.mapNotNull(Feed.of(source), object -> groupOf(object).orElse(null), wake), store::snapshot,
                    ViewLawsTest::groupOf);
            oneByOne(wake -> Derived.map(Feed.of(filtered.view), ViewLawsTest::mapped, wake), filtered.view::snapshot, map);
            oneByOne(wake -> Derived.join(Feed.of(source), Feed.of(right), ViewLawsTest::references, ViewLawsTest::combined, wake),
                    store::snapshot,
                    object -> Optional.of(combined(object, referredBy(object))));
            derived(wake -> Derived.groups(Feed.of(source), ViewLawsTest::groupOf, wake),
                    DerivedRules.grouped(store::snapshot, ViewLawsTest::groupOf),
                    () -> DerivedRules.failing(store.snapshot(), ViewLawsTest::groupOf));
            Flux<Change<ObjectKey, String>> changes = hub.changes(Delivery.conflated().partial().on(subscribers.scheduler));
            derived(wake -> Derived.filter(Feed.of(changes), ViewLawsTest::isEven, wake),
                    DerivedRules.atRest(DerivedRules.oneByOne(store::snapshot,
                            object -> isEven(object) ? Optional.of(object) : Optional.empty())), Set::of);
            derived(wake -> Derived.filter(Feed.of(source), predicates.asFlux().map(predicate -> predicate), wake),
                    DerivedRules.oneByOne(store::snapshot, object -> matchesNow(object) ? Optional.of(object) : Optional.empty()),
                    () -> DerivedRules.failing(store.snapshot(), object -> matches(object, moved)));
            NAMESPACES.forEach(this::listen);
        }

        /** What the predicate throws for is left out. */
        private boolean matchesNow(String object) {
            try {
                return matches(object, moved);
            } catch (DerivedRules.OnPurpose left) {
                return false;
            }
        }

        private void move() {
            int now = ++moved;
            predicates.tryEmitNext(object -> matches(object, now)).orThrow();
        }

        private <R> Kind<ObjectKey, R> oneByOne(
                Function<Runnable, Derived<ObjectKey, R>> derivation, Supplier<Snapshot<ObjectKey, String>> source,
                Function<String, Optional<R>> function) {
            return derived(derivation, DerivedRules.oneByOne(source, function), () -> DerivedRules.failing(source.get(), function));
        }

        /**
         * Notified by a relay, a view is like its source at no other moment than at rest.
         *
         * @param failing the rows on which the view's function throws
         */
        private <K, T> Kind<K, T> derived(Function<Runnable, Derived<K, T>> derivation,
                CommitLaws.Rule<K, T> rule, Supplier<Set<ObjectKey>> failing) {
            Flux<InformerStatus> status = Flux.just(InformerStatus.idle(Instant.EPOCH)).concatWith(Mono.never());
            Kind<K, T> kind = new Kind<>(new DerivedView<>(derivation, () -> subscribers.scheduler, Mono.empty(), delivery -> status),
                    few > 0 ? rule : DerivedRules.atRest(rule), failing);
            kinds.add(kind);
            return kind;
        }

        private List<String> referredBy(String object) {
            return references(object).stream().flatMap(other -> others.snapshot().get(other).stream()).toList();
        }

        private void listen(String namespace) {
            var reflector = new SimulatedReflector(namespace, server, store, delta -> publish(store.apply(delta), cause(delta)));
            reflector.request(namespace.equals("a") ? Long.MAX_VALUE : 1); // the other one is behind at times
            reflectors.put(namespace, reflector);
        }

        private static DeletionCause cause(Delta<?> delta) {
            return delta.kind() == Delta.Kind.REPLACED ? DeletionCause.INFERRED : DeletionCause.OBSERVED;
        }

        private void publish(Commit<ObjectKey, String> commit, DeletionCause cause) {
            assertThat(commit.snapshot()).as("stored before it is emitted").isSameAs(store.snapshot());
            assertThat(commit.differences()).allSatisfy(difference -> assertThat(difference.cause()).isIn(null, cause));
            assertThat(commit.differences().isEmpty() || commit.batch() == (cause != DeletionCause.OBSERVED))
                    .as("what a list found is a batch").isTrue();
            hub.publish(commit);
        }

        void play(List<Integer> schedule) {
            plain.watch();
            for (int step : schedule) {
                play(step % 32, step / 32);
                check();
            }
            reflectors.values().forEach(reflector -> reflector.catchUp(server));
            others.commit();
            move();
            subscribers.checkAtRest();
            check();
            kinds.forEach(Kind::checkAtRest);
            assertThat(store.snapshot().complete()).isEqualTo(reflectors.values().stream().noneMatch(SimulatedReflector::isUnread));
            subscribers.leave();
            kinds.forEach(Kind::unwatch);
            subscribers.scheduler.runAll();
            assertThat(kinds).allSatisfy(kind -> assertThat(kind.stale).as("of a view that nobody uses").isEmpty());
            assertThat(hub.followers()).as("nobody uses a view any more").isZero();
            assertThat(others.hub.followers()).isZero();
        }

        private void play(int action, int detail) {
            String namespace = NAMESPACES.get(detail % NAMESPACES.size());
            Optional<SimulatedReflector> reflector = Optional.ofNullable(reflectors.get(namespace));
            switch (action) {
                case 10, 11, 12 -> join(kinds.get(detail % kinds.size()), detail / kinds.size());
                case 13, 14 -> reflector.ifPresent(listening -> listening.list(server, detail / 2));
                case 15, 16, 17, 18, 19, 20 -> reflector.ifPresent(listening -> listening.receive(server));
                case 21 -> reflector.ifPresent(listening -> listening.receiveAgain(detail / 2));
                case 22 -> reflector.ifPresent(listening -> listening.request(1 + detail / 2 % 3));
                case 23 -> reflector.ifPresent(listening -> listening.request(Long.MAX_VALUE));
                case 24 -> special(detail);
                case 25, 26 -> editOther(detail);
                case 27 -> move();
                case 28, 29, 30, 31 -> happen(ObjectKey.of(namespace, "o" + detail / 2 % 4), detail / 8);
                default -> subscribers.play(action, detail);
            }
        }

        private void special(int detail) {
            switch (detail % 5) {
                case 0, 1 -> server = server.restored(1 + detail / 5 % 3);
                case 2 -> {
                    indexed = true;
                    publish(store.addIndex(PARITY), DeletionCause.OBSERVED);
                }
                default -> resize(detail / 5 % 4);
            }
        }

        /** @param which namespaces remain, one bit each */
        private void resize(int which) {
            for (int i = 0; i < NAMESPACES.size(); i++) {
                String namespace = NAMESPACES.get(i);
                if ((which >> i & 1) == 0 && reflectors.containsKey(namespace)) {
                    reflectors.remove(namespace).cancel();
                }
            }
            List<String> wanted = NAMESPACES.stream().filter(namespace -> (which >> NAMESPACES.indexOf(namespace) & 1) == 1).toList();
            publish(store.resize(Namespaces.of(wanted)), DeletionCause.LEFT);
            wanted.stream().filter(namespace -> !reflectors.containsKey(namespace)).forEach(this::listen);
        }

        private void happen(ObjectKey key, int detail) {
            switch (detail % 5) {
                case 0 -> server.delete(key);
                case 1 -> server.put(key, true);
                default -> server.put(key, false);
            }
        }

        private void editOther(int detail) {
            String key = "k" + detail % 4;
            if (detail / 4 % 4 == 0) {
                others.table.remove(key, DeletionCause.OBSERVED, "" + ++otherVersion);
            } else {
                others.edit(key, "u", ++otherVersion);
            }
            if (detail % 5 != 0) { // else with the next
                others.commit();
            }
        }

        private <K, T> void join(Kind<K, T> kind, int deliveryKind) {
            if (subscribers.users(kind.view) < MANY) { // so that no other has a relay
                kind.watch();
                boolean atOnce = deliveryKind / 16 % 4 == 0 && !DeliveryOptions.of(deliveryKind).resync();
                subscribers.join(LawfulSubscriber.of(
                        kind.view, DeliveryOptions.of(deliveryKind), kind != plain || few > 0,
                        atOnce ? Schedulers.immediate() : subscribers.scheduler));
            }
        }

        private void check() {
            subscribers.check();
            reflectors.values().forEach(SimulatedReflector::check);
            kinds.forEach(Kind::check);
            kinds.stream().filter(kind -> kind != plain && !subscribers.uses(kind.view)).forEach(Kind::unwatch);
            store.snapshot().forEach((key, row) -> assertThat(reflectors).as("a namespace of the scope").containsKey(key.namespace()));
            checkIndex();
        }

        /** Laws 12 and 16. */
        private void checkIndex() {
            if (indexed) {
                Map<Integer, Set<String>> wanted = new TreeMap<>(Map.of(0, new HashSet<>(), 1, new HashSet<>()));
                store.snapshot().forEach((key, row) -> {
                    if (version(row.object()) % 5 != 4) {
                        wanted.get(version(row.object()) % 2).add(row.object());
                    }
                });
                wanted.forEach((parity, objects) -> assertThat(store.snapshot().by(PARITY, parity))
                        .containsExactlyInAnyOrderElementsOf(objects));
            }
        }

        /** A view, and the laws of its commits while somebody uses it. */
        private static final class Kind<K, T> {

            private final View<K, T> view;
            private final CommitLaws.Rule<K, T> rule;
            private final Supplier<Set<ObjectKey>> failing;
            private Set<ObjectKey> stale = Set.of();
            private @Nullable CommitLaws<K, T> laws;
            private Disposable watching = Disposables.disposed();

            Kind(View<K, T> view, CommitLaws.Rule<K, T> rule, Supplier<Set<ObjectKey>> failing) {
                this.view = view;
                this.rule = rule;
                this.failing = failing;
                view.status().subscribe(status -> stale = status.stale().keySet());
            }

            void watch() {
                if (laws == null) {
                    laws = new CommitLaws<>(rule);
                    watching = Feed.of(view).attach(laws);
                }
            }

            void check() {
                if (laws != null) {
                    laws.check();
                }
            }

            void checkAtRest() {
                if (laws != null) {
                    laws.checkAtRest(view.snapshot());
                    assertThat(stale).as("named as stale").isEqualTo(failing.get());
                }
            }

            void unwatch() {
                laws = null;
                watching.dispose();
            }
        }
    }
}
