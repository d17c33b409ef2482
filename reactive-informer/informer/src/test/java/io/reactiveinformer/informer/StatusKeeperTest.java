package io.reactiveinformer.informer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.resource.ClientClosedException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class StatusKeeperTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final ObjectKey A = ObjectKey.of("ns", "a");

    private final Store<String> store = Store.create();
    private final AtomicInteger looks = new AtomicInteger();
    private final StatusKeeper status = new StatusKeeper("texts", List.of(ALL), counted(store), Schedulers.immediate());

    private final Logger log = (Logger) LoggerFactory.getLogger(Informer.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void readTheLog() {
        log.setLevel(Level.INFO);
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void leaveTheLog() {
        log.detachAppender(lines);
        log.setLevel(null);
    }

    /** Counts how often somebody looks whether the store is complete, as each making of a status does. */
    @SuppressWarnings("unchecked") // the proxy is of the type that is asked for
    private Store<String> counted(Store<String> of) {
        return (Store<String>) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class},
                (proxy, method, arguments) -> {
                    looks.addAndGet(method.getName().equals("snapshot") ? 1 : 0);
                    return method.invoke(of, arguments);
                });
    }

    private void apply(Delta<String> delta) {
        store.apply(delta);
        status.applied(delta);
    }

    @Test
    void isNotMadeAgainByWhatDoesNotBearOnIt() {
        apply(new Delta.Replaced<>(ALL, List.of(), "1", false));
        assertThat(status.current().synced()).isTrue();
        looks.set(0);
        for (int version = 2; version < 1_000; version++) {
            apply(new Delta.Upserted<>(ALL, A, new Versioned<>("u", "" + version, "at " + version)));
        }
        assertThat(looks).hasValue(0);
    }

    @Test
    void namesWhatIsStaleUntilItIsReadAgain() {
        apply(new Delta.Replaced<>(ALL, List.of(), "1", false));
        apply(new Delta.Unreadable<>(ALL, A, "2", new UnreadableObjectException("not a text", null)));
        assertThat(status.current().stale()).containsOnlyKeys(A);

        apply(new Delta.Upserted<>(ALL, A, new Versioned<>("u", "3", "a text")));
        assertThat(status.current().stale()).isEmpty();
    }

    /** Who sees that it has given up stops it, and so does the factory that is closed. */
    @Test
    void saysOnceThatItHasGivenUp() {
        for (int i = 0; i < 3; i++) {
            status.stopped(new TransportException("no server takes this", null));
        }
        assertThat(logged()).containsExactly("[ERROR] texts: given up: no server takes this");
    }

    @Test
    void aClosedClientIsNoError() {
        status.stopped(new ClientClosedException());
        assertThat(logged()).containsExactly("[INFO] texts: stopped: the client was closed");
    }

    /** As on a machine whose clock moves on between two looks at it. */
    @Test
    void theStartOfAnInformerThatDoesNothingYetIsNoChange() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        var ticking = (Scheduler) Proxy.newProxyInstance(Scheduler.class.getClassLoader(), new Class<?>[] {Scheduler.class},
                (proxy, method, arguments) -> {
                    clock.advanceTimeBy(Duration.ofMillis(1));
                    return method.invoke(clock, arguments);
                });
        var keeper = new StatusKeeper("texts", List.of(ALL), store, ticking);
        List<InformerStatus> seen = new ArrayList<>();
        keeper.statuses(Delivery.conflated().on(Schedulers.immediate())).subscribe(seen::add);
        keeper.started();
        assertThat(seen).extracting(InformerStatus::state).containsExactly(State.IDLE);
        keeper.accept(new ReflectorEvent.ListingStarted<>(ALL, "first list"));
        keeper.accept(new ReflectorEvent.ListingStarted<>(ALL, "first list"));
        assertThat(seen).extracting(InformerStatus::state).containsExactly(State.IDLE, State.LISTING);
    }

    @Test
    void logsItsStartOnceWithTheServerAndTheNumberOfObjects() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        var keeper = new StatusKeeper("texts", List.of(ALL), store, clock);
        keeper.of(Mono.just("https://c:6443 believed by sha256:1"));
        keeper.started();
        clock.advanceTimeBy(Duration.ofMillis(230));
        store.apply(new Delta.Replaced<>(ALL, List.of(new Delta.Upserted<>(ALL, A, new Versioned<>("u", "1", "a"))), "1", false));
        keeper.applied(new Delta.Progressed<>(ALL, "1"));
        assertThat(logged()).as("not yet current").isEmpty();
        for (int i = 0; i < 2; i++) {
            keeper.accept(new ReflectorEvent.Watching<>(ALL, "1"));
            keeper.accept(disrupted(1));
        }
        assertThat(logged()).containsExactly("[INFO] texts: live with 1 object of https://c:6443 after 230 ms");
    }

    @Test
    void warnsOnceOfAnObjectThatBecomesUnreadable() {
        apply(new Delta.Replaced<>(ALL, List.of(), "1", false));
        apply(unreadable("a", "2"));
        apply(unreadable("a", "3"));
        assertThat(logged()).singleElement().asString().contains("texts: ns/a is stale, its version 2 cannot be read: not a text");
    }

    @Test
    void namesTenOfTheObjectsThatAListCannotRead() {
        apply(new Delta.Replaced<>(ALL, unreadable(12), "1", false));
        assertThat(logged()).hasSize(11)
                .filteredOn(line -> line.contains(" is stale, its version 1 cannot be read: not a text")).hasSize(10);
        apply(new Delta.Replaced<>(ALL, unreadable(10), "2", false));
        assertThat(logged()).as("the same").isEmpty();
        apply(new Delta.Replaced<>(ALL, unreadable(20), "3", false));
        assertThat(logged()).as("ten more").hasSize(10).noneMatch(line -> line.contains("more objects"));
    }

    private static List<Delta<String>> unreadable(int count) {
        return IntStream.range(0, count).<Delta<String>>mapToObj(i -> unreadable("a" + i, "1")).toList();
    }

    private static Delta<String> unreadable(String name, String version) {
        return new Delta.Unreadable<>(ALL, ObjectKey.of("ns", name), version, new UnreadableObjectException("not a text", null));
    }

    private static ReflectorEvent<String> disrupted(int attempt) {
        var cause = new TransportException("cannot reach the server", null);
        return new ReflectorEvent.Disrupted<>(ALL, cause, attempt, Duration.ofSeconds(1), true);
    }

    private List<String> logged() {
        List<String> since = lines.list.stream().map(Object::toString).toList();
        lines.list.clear();
        return since;
    }

    @Test
    void publishesEachChange() {
        List<State> states = new ArrayList<>();
        status.statuses(Delivery.conflated().on(Schedulers.immediate())).subscribe(each -> states.add(each.state()));
        status.accept(new ReflectorEvent.ListingStarted<>(ALL, "first"));
        status.accept(new ReflectorEvent.Watching<>(ALL, "1"));
        status.accept(disrupted(1));
        status.catchingUp(ALL);
        status.stopped(null);
        assertThat(states).containsExactly(State.IDLE, State.LISTING, State.LIVE, State.DISRUPTED, State.LISTING, State.STOPPED);
    }

    @Test
    void aScopeWithoutPartsIsLiveOnceStarted() {
        var nothing = new StatusKeeper("texts", List.of(), Store.create(Namespaces.of(List.of())), Schedulers.immediate());
        List<State> states = new ArrayList<>();
        nothing.statuses(Delivery.conflated().on(Schedulers.immediate())).subscribe(each -> states.add(each.state()));
        nothing.started();
        assertThat(states).containsExactly(State.IDLE, State.LIVE);
    }

    /** Law 23. */
    @Test
    void isAsStaleAsWhatIsCached() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        var keeper = new StatusKeeper("texts", List.of(ALL), store, clock);
        clock.advanceTimeBy(Duration.ofSeconds(100));
        store.apply(new Delta.Replaced<>(ALL, List.of(), "1", false));
        keeper.restored(ALL, at(40));
        assertThat(keeper.current().staleness(at(100))).as("restored").isEqualTo(Duration.ofSeconds(60));
        keeper.catchingUp(ALL);
        assertThat(keeper.current().state()).isEqualTo(State.LISTING);
        assertThat(keeper.current().staleness(at(100))).as("asked what has happened since").isEqualTo(Duration.ofSeconds(60));
        keeper.applied(new Delta.Replaced<>(ALL, List.of(), "2", false));
        assertThat(keeper.current().staleness(at(110))).as("listed").isEqualTo(Duration.ofSeconds(10));
        keeper.accept(new ReflectorEvent.Watching<>(ALL, "2"));
        assertThat(keeper.current().staleness(at(120))).isZero();
        clock.advanceTimeBy(Duration.ofSeconds(30));
        keeper.accept(disrupted(1));
        assertThat(keeper.current().staleness(at(150))).as("broken off").isEqualTo(Duration.ofSeconds(20));
    }

    /** What was live does not make the part live that takes its place. */
    @Test
    void aPartThatComesIsNotLive() {
        Namespaces one = Namespaces.of("one");
        Namespaces two = Namespaces.of("two");
        var keeper = new StatusKeeper("texts", List.of(one), Store.create(Namespaces.of(List.of("one"))), Schedulers.immediate());
        keeper.accept(new ReflectorEvent.Watching<>(one, "1"));
        keeper.resize(List.of(one, two), false);
        keeper.publish();
        assertThat(keeper.current().state()).isEqualTo(State.IDLE);
        assertThat(keeper.current().parts().get(one).state()).isEqualTo(State.LIVE);
        keeper.resize(List.of(one), false);
        keeper.publish();
        assertThat(keeper.current().state()).isEqualTo(State.LIVE);
    }

    /** One that is added before the parts are requested waits like the others. */
    @Test
    void aPartThatComesIsListed() {
        Namespaces one = Namespaces.of("one");
        Namespaces two = Namespaces.of("two");
        var keeper = new StatusKeeper("texts", List.of(one), Store.create(Namespaces.of(List.of("one"))), Schedulers.immediate());
        keeper.started();
        keeper.resize(List.of(one, two), false);
        keeper.publish();
        assertThat(keeper.current().state()).isEqualTo(State.IDLE);
        keeper.resize(List.of(one), false);
        keeper.accept(new ReflectorEvent.Watching<>(one, "1"));
        keeper.resize(List.of(one, two), true);
        keeper.publish();
        assertThat(keeper.current().state()).isEqualTo(State.LISTING);
        assertThat(keeper.current().parts().get(two).state()).isEqualTo(State.LISTING);
    }

    /** Law 23: what never synced is not fresh, however often it has failed since; nor is a part that was added. */
    @Test
    void growsStaleFromTheBeginningUntilAllPartsAreComplete() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        Namespaces one = Namespaces.of("one");
        Namespaces two = Namespaces.of("two");
        Store.Managed<String> both = Store.Managed.create(Namespaces.of(List.of("one", "two")));
        var keeper = new StatusKeeper("texts", List.of(one, two), both, clock);
        assertThat(keeper.current().staleness(at(600))).as("not started").isEqualTo(Duration.ofMinutes(10));
        for (int i = 1; i <= 5; i++) {
            clock.advanceTimeBy(Duration.ofSeconds(60));
            keeper.accept(new ReflectorEvent.ListingStarted<>(one, "again"));
            keeper.accept(new ReflectorEvent.Disrupted<>(one, new TransportException("cannot reach the server", null),
                    i, Duration.ofSeconds(60), true));
            assertThat(keeper.current().staleness(at(60L * i))).isEqualTo(Duration.ofSeconds(60L * i));
        }
        clock.advanceTimeBy(Duration.ofSeconds(60));
        apply(keeper, both, one);
        assertThat(keeper.current().staleness(at(360))).as("the other part").isEqualTo(Duration.ofMinutes(6));
        assertThat(keeper.current().parts().get(one).staleness(at(360))).isZero();
        assertThat(keeper.current().parts().get(two).staleness(at(360))).isEqualTo(Duration.ofMinutes(6));
        apply(keeper, both, two);
        assertThat(keeper.current().staleness(at(1_000))).isZero();

        Namespaces three = Namespaces.of("three");
        both.resize(Namespaces.of(List.of("one", "two", "three")));
        keeper.resize(List.of(one, two, three), false);
        keeper.publish();
        assertThat(keeper.current().synced()).isFalse();
        assertThat(keeper.current().staleness(at(400))).as("of the part that came").isEqualTo(Duration.ofSeconds(40));
    }

    /** The part that was live all the time does not say since when all are. */
    @Test
    void isLiveSinceTheLastPartIs() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        Namespaces one = Namespaces.of("one");
        Namespaces two = Namespaces.of("two");
        var keeper = new StatusKeeper("texts", List.of(one, two), Store.create(Namespaces.of(List.of("one", "two"))), clock);
        for (Namespaces part : List.of(one, two)) {
            clock.advanceTimeBy(Duration.ofSeconds(10));
            keeper.accept(new ReflectorEvent.Watching<>(part, "1"));
        }
        assertThat(keeper.current()).extracting("state", "since").containsExactly(State.LIVE, at(20));
        clock.advanceTimeBy(Duration.ofSeconds(10));
        keeper.accept(new ReflectorEvent.Disrupted<>(two, new TransportException("broken", null), 1, Duration.ofSeconds(60), true));
        assertThat(keeper.current()).extracting("state", "since").containsExactly(State.DISRUPTED, at(30));
        clock.advanceTimeBy(Duration.ofSeconds(10));
        keeper.accept(new ReflectorEvent.Watching<>(two, "1"));
        assertThat(keeper.current()).extracting("state", "since").containsExactly(State.LIVE, at(40));
    }

    private static void apply(StatusKeeper keeper, Store<String> to, Namespaces part) {
        to.apply(new Delta.Replaced<>(part, List.of(), "1", false));
        keeper.accept(new ReflectorEvent.Watching<>(part, "1"));
        keeper.applied(new Delta.Replaced<>(part, List.of(), "1", false));
    }

    private static Instant at(long second) {
        return Instant.EPOCH.plusSeconds(second);
    }
}
