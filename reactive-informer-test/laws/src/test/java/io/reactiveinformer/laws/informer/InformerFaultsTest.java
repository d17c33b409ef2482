package io.reactiveinformer.laws.informer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.View;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.added;
import static io.reactiveinformer.test.Script.deleted;
import static io.reactiveinformer.test.Script.expired;
import static io.reactiveinformer.test.Script.item;
import static io.reactiveinformer.test.Script.lastPage;
import static io.reactiveinformer.test.Script.modified;
import static io.reactiveinformer.test.Script.staysOpenAfter;
import static io.reactiveinformer.test.Script.unreadable;
import static io.reactiveinformer.test.Script.unreadableItem;
import static org.assertj.core.api.Assertions.assertThat;

/** Laws 16 and 17: what users' code throws harms no other subscriber. */
class InformerFaultsTest {

    private static final ObjectKey A = ObjectKey.clusterScoped("a");
    private static final ObjectKey B = ObjectKey.clusterScoped("b");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    /** Its equality with itself aside, nobody can tell. */
    private record Touchy(String name) {
        @Override
        public boolean equals(Object other) {
            throw new NullPointerException("a field");
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void anEqualsThatThrowsStopsNothing() {
        var server = new ScriptedListerWatcher<Touchy>()
                .onList(Flux.just(touchy(A, null), new ObjectEvent.PageEnd<>("10", null))).onWatch("10", expired())
                .onList(Flux.just(touchy(A, null), touchy(B, "15"), new ObjectEvent.PageEnd<>("20", null)))
                .onWatch("20",
                        staysOpenAfter(new ObjectEvent.Applied<>(ObjectKey.clusterScoped("c"),
                                new Versioned<>("u", "21", new Touchy("c")))));
        Informer<Touchy> informer =
                Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time).withRandom(() -> 0));
        List<String> states = new ArrayList<>();
        informer.status().subscribe(status -> states.add(status.state().name()), failure -> {}, () -> states.add("complete"));
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(10));

        assertThat(informer.snapshot().size()).isEqualTo(3);
        assertThat(states).last().isEqualTo("LIVE");
        informer.stop();
        time.advanceTimeBy(Duration.ZERO);
        assertThat(states).endsWith("STOPPED", "complete");
        server.verifyPlayedToTheEnd();
    }

    /** Who throws from {@code onComplete} breaks the rules of Reactive Streams; it must not be able to end an informer by that. */
    @Test
    void whoThrowsWhenAnIndexIsFilledHarmsOnlyItself() {
        var server = new ScriptedListerWatcher<String>().onList("10", "a").onWatch("10", staysOpenAfter());
        Informer<String> informer = Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time));
        List<State> states = new ArrayList<>();
        informer.status().subscribe(status -> states.add(status.state()));
        informer.start();
        informer.addIndex(Index.of("length", String::length)).subscribe(new CoreSubscriber<Void>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(1);
            }

            @Override
            public void onNext(Void nothing) {}

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onComplete() {
                throw new IllegalStateException("against the rules");
            }
        });
        time.advanceTimeBy(Duration.ZERO);

        assertThat(states).last().isEqualTo(State.LIVE);
    }

    /** As code in other languages may, and Java's by trickery. */
    @SuppressWarnings("unchecked")
    private static <X extends Throwable> RuntimeException sneaky(Throwable failure) throws X {
        throw (X) failure;
    }

    private static String unlessBad(String object, Throwable failure) {
        if (object.startsWith("bad")) {
            throw InformerFaultsTest.<RuntimeException>sneaky(failure);
        }
        return object;
    }

    @Test
    void whateverAFunctionThrowsConcernsOneObject() {
        for (Throwable failure : List.of(new IOException("checked"), new StackOverflowError("deep"), new AssertionError("wrong"))) {
            var server = new ScriptedListerWatcher<String>().onList("10", "a", "bad")
                    .onWatch("10", staysOpenAfter(added("bad2", "11"), added("c", "12")));
            Index<String, String> first = Index.of("first", object -> unlessBad(object, failure).substring(0, 1));
            Informer<String> informer = Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time));
            View<ObjectKey, String> mapped = informer.map(object -> unlessBad(object, failure) + "!");
            mapped.retain();
            informer.addIndex(first).subscribe();
            informer.start();
            time.advanceTimeBy(Duration.ofSeconds(1));

            assertThat(informer.snapshot().size()).as(failure.toString()).isEqualTo(4);
            assertThat(informer.snapshot().by(first, "c")).containsExactly("c");
            assertThat(informer.snapshot().by(first, "b")).isEmpty();
            assertThat(mapped.snapshot().list()).containsExactlyInAnyOrder("a!", "c!");
            informer.stop();
        }
    }

    private ScriptedListerWatcher<String> nothingCanBeRead(Flux<ObjectEvent<String>> then) {
        return new ScriptedListerWatcher<String>()
                .onList(Flux.just(unreadableItem("a", "3"), unreadableItem("b", "4"), lastPage("10")))
                .onWatch("10", Flux.concat(Script.<String>staysOpenAfter().take(1), then.delaySubscription(Duration.ofSeconds(10), time)));
    }

    /** Otherwise it would be live, synced and without rows, as if there were no objects. */
    @Test
    void aFirstListOfWhichNoObjectCanBeReadIsNotComplete() {
        var server = nothingCanBeRead(Flux.concat(Flux.just(Script.<String>unreadable("a", "11"), modified("b", "13")), Flux.never()));
        Informer<String> informer = Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time));
        var changes = new ArrayList<String>();
        informer.changes(Delivery.conflated().on(time)).subscribe(change -> changes.add(change.toString()));
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(5));
        InformerStatus status = informer.status().blockFirst();
        assertThat(status.state()).isEqualTo(State.LISTING);
        assertThat(status.synced()).isFalse();
        assertThat(informer.hasSynced()).isFalse();
        assertThat(status.cause()).hasMessageContainingAll("no object of the first list can be read",
                "the script says that it cannot be read");
        assertThat(status.stale()).containsOnlyKeys(A, B);
        assertThat(changes).isEmpty();

        time.advanceTimeBy(Duration.ofSeconds(10));
        status = informer.status().blockFirst();
        assertThat(status.state()).isEqualTo(State.LIVE);
        assertThat(status.synced()).isTrue();
        assertThat(status.cause()).isNull();
        assertThat(status.stale()).as("also if some objects stay unreadable").containsOnlyKeys(A);
        assertThat(changes).as("the readable object, and Synced").hasSize(2);
        server.verifyPlayedToTheEnd();
    }

    /** As anywhere else, one object that cannot be read affects no other, also if there is no other. */
    @Test
    void aSingleUnreadableObjectKeepsNothingIncomplete() {
        var server = new ScriptedListerWatcher<String>()
                .onList(Flux.just(unreadableItem("a", "3"), lastPage("10")))
                .onWatch("10", Script.<String>staysOpenAfter());
        Informer<String> informer = Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time));
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(informer.hasSynced()).isTrue();
        assertThat(informer.status().blockFirst().stale()).containsOnlyKeys(A);
    }

    @Test
    void itIsCompleteWhenTheUnreadableObjectsAreGone() {
        var server = nothingCanBeRead(Flux.concat(Flux.just(deleted("a", "11"), deleted("b", "13")), Flux.never()));
        Informer<String> informer = Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time));
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(informer.hasSynced()).isFalse();
        time.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(informer.hasSynced()).isTrue();
        assertThat(informer.status().blockFirst().state()).isEqualTo(State.LIVE);
    }

    @Test
    void saysOnceOfEachObjectWhyItIsStale() {
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        var logger = (Logger) LoggerFactory.getLogger(Informer.class);
        logger.addAppender(log);
        var server = new ScriptedListerWatcher<String>()
                .onList(Flux.just(item("a", "3"), unreadableItem("b", "4"), lastPage("10")))
                .onWatch("10", Flux.concat(Script.<String>staysOpenAfter(unreadable("a", "11")).take(2),
                        Flux.just(Script.<String>unreadable("a", "12"), modified("b", "13")).delayElements(Duration.ofSeconds(1)),
                                Flux.never()));
        Informer<String> informer = Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time));
        List<Map<ObjectKey, Stale>> stale = new ArrayList<>();
        informer.status().subscribe(status -> stale.add(status.stale()));
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(3));
        logger.detachAppender(log);

        String why = "the script says that it cannot be read: ";
        assertThat(stale).last().isEqualTo(Map.of(A, new Stale("12", why + "a")));
        assertThat(stale).contains(Map.of(A, new Stale("11", why + "a"), B, new Stale("4", why + "b")));
        assertThat(log.list).filteredOn(line -> line.getLevel() == Level.WARN).extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                "scripted objects in all namespaces: b is stale, its version 4 cannot be read: " + why + "b",
                "scripted objects in all namespaces: a is stale, its version 11 cannot be read: " + why + "a");
    }

    private static ObjectEvent<Touchy> touchy(ObjectKey key, @Nullable String version) {
        return new ObjectEvent.Applied<>(key, new Versioned<>(null, version, new Touchy(key.name())));
    }

    /** Law 21: a list that takes longer than it had to says why. */
    @ParameterizedTest
    @ValueSource(strings = {"refused", "stalled", "cut"})
    void whyAStreamingListWasGivenUpIsInTheStatusAndTheLog(String how) {
        var server = new ScriptedListerWatcher<String>();
        switch (how) {
            case "refused" -> server.onStream(null, Script.refused(Script.refusal(422, "Invalid", "sendInitialEvents: Forbidden")));
            case "stalled" -> server.onStream(null, staysOpenAfter());
            default -> {
                for (int i = 0; i < 3; i++) {
                    server.onStream(null, Script.failsAfter(Script.broken()));
                }
            }
        }
        server.onList(Mono.delay(Duration.ofSeconds(5), time).thenMany(Flux.just(lastPage("10")))).onWatch("10", staysOpenAfter());
        String reason = switch (how) {
            case "refused" -> "sendInitialEvents: Forbidden";
            case "stalled" -> "the streaming list did not come to its end mark";
            default -> "the connection broke";
        };
        Informer<String> informer =
                Informer.over(server, ReflectorOptions.defaults().withStreaming(true).withTimer(time).withRandom(() -> 0));
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        var reflector = (Logger) LoggerFactory.getLogger(Reflector.class);
        reflector.addAppender(log);
        List<InformerStatus> statuses = new ArrayList<>();
        informer.status().subscribe(statuses::add);
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(41));
        reflector.detachAppender(log);

        server.verifyPlayedToTheEnd();
        assertThat(statuses).anySatisfy(status -> {
            assertThat(status.state()).isEqualTo(State.LISTING);
            assertThat(status.cause()).hasMessageContaining(reason);
        });
        assertThat(statuses).last().satisfies(status -> {
            assertThat(status.state()).isEqualTo(State.LIVE);
            assertThat(status.cause()).isNull();
        });
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).filteredOn(line -> line.contains("listing in pages instead"))
                .singleElement().asString().contains(reason);
        informer.stop();
    }
}
