package io.reactiveinformer.informer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class StatusKeeperTest {

    private static final Scope ALL = Scope.all();
    private static final ObjectKey A = ObjectKey.of("ns", "a");

    private final Store<String> store = Store.create();
    private final AtomicInteger looks = new AtomicInteger();
    private final StatusKeeper status = new StatusKeeper("texts", List.of(ALL), counted(store), Schedulers.immediate());

    /** Counts how often somebody looks whether the store is complete, as each making of a status does. */
    @SuppressWarnings("unchecked") // the proxy is of what it is told to be
    private Store<String> counted(Store<String> of) {
        return (Store<String>) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
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
        Logger log = (Logger) LoggerFactory.getLogger(Informer.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);
        try {
            for (int i = 0; i < 3; i++) {
                status.stopped(new TransportException("no server takes this", null));
            }
        } finally {
            log.detachAppender(lines);
        }
        assertThat(lines.list).singleElement().hasToString("[ERROR] texts: given up: no server takes this");
    }

    /** Law 23: what never synced is not fresh, however often it has failed since; nor is a part that was added. */
    @Test
    void growsStaleFromTheBeginningUntilAllPartsAreComplete() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        Scope one = Scope.namespace("one");
        Scope two = Scope.namespace("two");
        Store<String> both = Store.create(Scope.namespaces(List.of("one", "two")));
        var keeper = new StatusKeeper("texts", List.of(one, two), both, clock);
        assertThat(keeper.current().staleness(at(600))).as("not started").isEqualTo(Duration.ofMinutes(10));
        for (int i = 1; i <= 5; i++) {
            clock.advanceTimeBy(Duration.ofSeconds(60));
            keeper.accept(new ReflectorEvent.ListingStarted<>(one, "again"));
            keeper.accept(new ReflectorEvent.Disrupted<>(one, new TransportException("cannot reach the server", null), i, Duration.ofSeconds(60), true));
            assertThat(keeper.current().staleness(at(60L * i))).isEqualTo(Duration.ofSeconds(60L * i));
        }
        clock.advanceTimeBy(Duration.ofSeconds(60));
        apply(keeper, both, one);
        assertThat(keeper.current().staleness(at(360))).as("the other part").isEqualTo(Duration.ofMinutes(6));
        assertThat(keeper.current().scopes().get(one).staleness(at(360))).isZero();
        assertThat(keeper.current().scopes().get(two).staleness(at(360))).isEqualTo(Duration.ofMinutes(6));
        apply(keeper, both, two);
        assertThat(keeper.current().staleness(at(1_000))).isZero();

        Scope three = Scope.namespace("three");
        both.resize(Scope.namespaces(List.of("one", "two", "three")));
        keeper.resize(List.of(one, two, three));
        keeper.publish();
        assertThat(keeper.current().synced()).isFalse();
        assertThat(keeper.current().staleness(at(400))).as("of the part that came").isEqualTo(Duration.ofSeconds(40));
    }

    private static void apply(StatusKeeper keeper, Store<String> to, Scope part) {
        to.apply(new Delta.Replaced<>(part, List.of(), "1", false));
        keeper.accept(new ReflectorEvent.Watching<>(part, "1"));
        keeper.applied(new Delta.Replaced<>(part, List.of(), "1", false));
    }

    private static Instant at(long second) {
        return Instant.EPOCH.plusSeconds(second);
    }
}
