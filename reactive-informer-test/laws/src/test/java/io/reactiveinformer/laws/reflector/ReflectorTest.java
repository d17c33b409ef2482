package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.added;
import static io.reactiveinformer.test.Script.bookmark;
import static io.reactiveinformer.test.Script.broken;
import static io.reactiveinformer.test.Script.closesAfter;
import static io.reactiveinformer.test.Script.deleted;
import static io.reactiveinformer.test.Script.expired;
import static io.reactiveinformer.test.Script.failsAfter;
import static io.reactiveinformer.test.Script.modified;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refusal;
import static io.reactiveinformer.test.Script.refused;
import static io.reactiveinformer.test.Script.staysOpenAfter;
import static io.reactiveinformer.test.Script.unreadable;
import static io.reactiveinformer.test.Script.unreadableItem;
import static org.assertj.core.api.Assertions.assertThat;

class ReflectorTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final ScriptedListerWatcher<String> server = new ScriptedListerWatcher<>();

    /** 8.1.12. */
    @Test
    void listsThenWatchesFromThere() {
        server.onList("10", "a", "b")
                .onWatch("10", staysOpenAfter(modified("a:2", "11"), added("c", "12"), deleted("b", "13"), bookmark("20")));
        ReflectorProbe.of(clock, server)
                .emits("listing", "a@10", "b@10", "listed 10", "watching 10", "+a@11", "+c@12", "-b@13", "bookmark 20")
                .end();
        assertThat(server.requests()).containsExactly("list resourceVersion=0 limit=500", "watch 10");
    }

    @Test
    void relistsWhenTheResourceVersionHasExpired() {
        server.onList("10", "a").onWatch("10", expired())
                .onList("20", "a", "b").onWatch("20", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "a@10", "listed 10", "watching 10", "410 #1, list in 0.8")
                .afterSeconds(0.8)
                .emits("listing", "a@10", "b@20", "listed 20", "watching 20")
                .end();
        assertThat(server.requests()).contains("list resourceVersion=10 match=NotOlderThan");
    }

    /** How older servers say it: as an HTTP status. */
    @Test
    void relistsWhenTheWatchIsRefusedAsExpired() {
        server.onList("10").onWatch("10", refused(refusal(410, "Gone", "too old")))
                .onList("20").onWatch("20", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "410 #1, list in 0.8")
                .afterSeconds(0.8)
                .emits("listing", "listed 20", "watching 20")
                .end();
    }

    /** A first list that the source never takes is a mistake of the caller. Of one that has been live, the server may have changed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyAFirstListThatIsNeverTakenEndsIt(boolean live) {
        var mistaken = new ListerWatcher.Forwarding<>(server) {
            @Override
            public boolean neverTakes(StatusException refusal) {
                return refusal.code() == 400;
            }
        };
        if (live) {
            server.onList("10").onWatch("10", expired());
        }
        for (int tries = 0; tries < 3; tries++) {
            server.onList(refused(refusal(400, "BadRequest", "field label not supported")));
        }
        if (live) {
            server.onList("20").onWatch("20", never());
        }
        ReflectorProbe probe = ReflectorProbe.of(clock, mistaken).after(Duration.ofMinutes(2));
        assertThat(probe.lines().get(probe.lines().size() - 1)).startsWith(live ? "watching 20" : "failed: 400 BadRequest");
        probe.whatever().end();
        server.verifyPlayedToTheEnd();
    }

    /** The list's success proves nothing: 8.17.246, and "410 loops for ever" of the peers. */
    @Test
    void doesNotHammerAServerWhoseHistoryIsAlwaysGone() {
        server.onList("10").onWatch("10", expired()).onList("11").onWatch("11", expired()).onList("12").onWatch("12", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "410 #1, list in 0.8")
                .afterSeconds(0.8)
                .emits("listing", "listed 11", "watching 11", "410 #1, list in 1.6")
                .afterSeconds(1.6)
                .emits("listing", "listed 12", "watching 12")
                .end();
    }

    /** While a server is away, nobody listens at its address, or what stands before it accepts and hangs up, or its TLS fails. */
    static Stream<TransportException> connectionsWithoutAnAnswer() {
        return Stream.of(
                new TransportException("cannot reach", new ConnectException("Connection refused")),
                TransportException.lostBeforeAnswer("the connection was closed before the end", null),
                new TransportException("cannot reach", new IOException(new SSLHandshakeException("close_notify"))));
    }

    /** A server that is restarted again and again says 410 each time, and is well. */
    @ParameterizedTest
    @MethodSource("connectionsWithoutAnAnswer")
    void listsSoonAfterEachRestart(TransportException refused) {
        server.onList("10");
        for (int version = 10; version < 60; version += 10) {
            server.onWatch("" + version, failsAfter(broken(), bookmark(version + 1 + ""))).onWatch(version + 1 + "", refused(refused))
                    .onWatch(version + 1 + "", expired()).onList(version + 10 + "");
        }
        server.onWatch("60", never());
        ReflectorProbe probe = ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "bookmark 11", "transport #1, resume in 0.025");
        for (int version = 11; version < 51; version += 10) {
            probe.afterSeconds(0.025).emits("transport #2, resume in 0.8")
                    .afterSeconds(0.8).emits("watching " + version, "410 #3, list in 0.8")
                    .afterSeconds(0.8).emits("listing", "listed " + (version + 9), "watching " + (version + 9),
                            "bookmark " + (version + 10),
                            "transport #1, resume in 0.025");
        }
        probe.afterSeconds(0.025 + 2 * 0.8).whatever().end();
    }

    /** Stream scenario 8. */
    @Test
    void resumesAClosedWatchFromTheLastEvent() {
        server.onList("10").onWatch("10", lasting(60, added("a", "11")))
                .onWatch("11", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "+a@11")
                .afterSeconds(60)
                .emits("watching 11")
                .end();
    }

    /** Stream scenario 9. */
    @Test
    void resumesAClosedWatchFromTheLastBookmark() {
        server.onList("10").onWatch("10", lasting(60, bookmark("500")))
                .onWatch("500", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "bookmark 500")
                .afterSeconds(60)
                .emits("watching 500")
                .end();
    }

    @Test
    void watchesThatCloseSoonAreReopenedThriceThenOncePerSecond() {
        server.onList("10").onWatch("10", closesAfter(added("a", "11"))).onWatch("11", closesAfter(added("b", "12")))
                .onWatch("12", closesAfter(added("c", "13"))).onWatch("13", closesAfter(added("d", "14"))).onWatch("14", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "+a@11")
                .afterSeconds(0.025).emits("watching 11", "+b@12")
                .afterSeconds(0.025).emits("watching 12", "+c@13")
                .afterSeconds(0.025).emits("watching 13", "+d@14")
                .afterSeconds(0.999).emits()
                .afterSeconds(0.001).emits("watching 14")
                .end();
    }

    /** Law 19: between once and twice. */
    @Test
    void noTwoPausesBetweenClosedWatchesNeedBeTheSame() {
        server.onList("10").onWatch("10", closesAfter(added("a", "11"))).onWatch("11", closesAfter(added("b", "12")))
                .onWatch("12", closesAfter(added("c", "13"))).onWatch("13", closesAfter(added("d", "14"))).onWatch("14", never());
        ReflectorProbe.of(clock, server, options -> options.withRandom(() -> 0.5)).whatever()
                .afterSeconds(0.037).emits()
                .afterSeconds(0.001).emits("watching 11", "+b@12")
                .afterSeconds(2 * 0.038).whatever()
                .afterSeconds(1.499).emits()
                .afterSeconds(0.001).emits("watching 14").end();
    }

    /** Stream scenario 10; differs from 8.1.8, where client-go lists again: nothing shows that we missed anything. */
    @Test
    void pacesAServerThatClosesAtOnceWithoutAWordAndNeverListsAgain() {
        server.onList("10").onWatch("10", closesAfter()).onWatch("10", closesAfter()).onWatch("10", closesAfter()).onWatch("10", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "transport #1, resume in 0.8")
                .afterSeconds(0.8).emits("watching 10", "transport #2, resume in 1.6")
                .afterSeconds(1.6).emits("watching 10", "transport #3, resume in 3.2")
                .afterSeconds(3.2).emits("watching 10")
                .end();
    }

    @Test
    void aWatchThatLastedThoughNothingHappenedIsResumedAtOnce() {
        server.onList("10").onWatch("10", lasting(30)).onWatch("10", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10")
                .afterSeconds(30).emits("watching 10")
                .end();
    }

    @Test
    void resumesABrokenWatchAfterAPause() {
        server.onList("10").onWatch("10", failsAfter(broken(), added("a", "11")))
                .onWatch("11", refused(broken())).onWatch("11", failsAfter(broken(), added("b", "12"))).onWatch("12", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "+a@11", "transport #1, resume in 0.025")
                .afterSeconds(0.025).emits("transport #2, resume in 0.8")
                .afterSeconds(0.8).emits("watching 11", "+b@12", "transport #1, resume in 0.025")
                .afterSeconds(0.025).emits("watching 12")
                .end();
    }

    /** Stream scenarios 5 and 6. */
    @Test
    void pausesGrowWhileTheFirstListFailsAndStartOverOnceItIsComplete() {
        for (int failure = 0; failure < 5; failure++) {
            server.onList(refused(refusal(500, "InternalError", "planned")));
        }
        server.onList("10").onWatch("10", refused(broken())).onWatch("10", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "500 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "500 #2, list in 1.6")
                .afterSeconds(1.6).emits("listing", "500 #3, list in 3.2")
                .afterSeconds(3.2).emits("listing", "500 #4, list in 6.4")
                .afterSeconds(6.4).emits("listing", "500 #5, list in 12.8")
                .afterSeconds(12.8).emits("listing", "listed 10", "transport #1, resume in 0.8")
                .afterSeconds(0.8).emits("watching 10")
                .end();
    }

    @Test
    void retryAfterIsAFloor() {
        server.onList(refused(refusal(429, "TooManyRequests", Duration.ofSeconds(7)))).onList("10").onWatch("10", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "429 #1, list in 7.0")
                .afterSeconds(7).emits("listing", "listed 10", "watching 10")
                .end();
    }

    /** 8.1.17: no list for what is refused for the moment. 8.1.14: nor for what cannot be reached. */
    @Test
    void neverListsBecauseAWatchIsRefusedForTheMoment() {
        server.onList("10");
        for (RuntimeException failure : new RuntimeException[] {refusal(429, "TooManyRequests", ""), broken(), refusal(503, "", ""),
                refusal(504, "Timeout", ""), refusal(403, "Forbidden", ""), refusal(401, "Unauthorized", ""),
                        refusal(404, "NotFound", "")}) {
            server.onWatch("10", refused(failure));
        }
        server.onWatch("10", never());
        ReflectorProbe.of(clock, server).afterSeconds(0.8 + 1.6 + 3.2 + 6.4 + 12.8 + 25.6 + 51.2).whatever().end();
    }

    /** 8.1.4: cold. 8.1.5: who cancels in the middle of the request leaves nothing behind. */
    @Test
    void asksNothingBeforeItIsSubscribedToNorAfterItWasCancelled() {
        Flux<ReflectorEvent<String>> events = Reflector.of(server).events();
        assertThat(server.requests()).isEmpty();
        server.onList("10", "a");
        events.takeUntil(event -> event instanceof ReflectorEvent.Received).blockLast();
        assertThat(server.requests()).hasSize(1);
        server.verifyPlayedToTheEnd();
    }

    @Test
    void watchesUntilSomethingHolds() {
        server.onList("10").onWatch("10", staysOpenAfter(added("a", "11"), deleted("a", "12"), added("b", "13")));
        assertThat(Reflector.of(server)
                .watchUntil(event -> event instanceof ReflectorEvent.Received<?> received && received.event().deleted()).count().block())
                .as("a listing begins and ends, a watch begins, two events").isEqualTo(5);
        server.verifyPlayedToTheEnd();
    }

    /** 8.1.13: several sessions, failures between them; each goes on from what the one before left. */
    @Test
    void goesOnThroughListsAndWatchesThatFailInTurn() {
        server.onList("1").onWatch("1", failsAfter(refusal(410, "Expired", ""), added("a", "2"), added("b", "3")))
                .onList(refused(refusal(500, "InternalError", "")))
                .onList("4", "a:4").onWatch("4", refused(broken())).onWatch("4", staysOpenAfter(deleted("a", "5")));
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 1", "watching 1", "+a@2", "+b@3", "410 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "500 #2, list in 0.8")
                .afterSeconds(0.8).emits("listing", "a@4", "listed 4", "transport #1, resume in 0.8")
                .afterSeconds(0.8).emits("watching 4", "-a@5")
                .end();
    }

    /** Stream scenario 17. */
    @Test
    void anEventWithoutAVersionIsDoubt() {
        server.onList("10").onWatch("10", staysOpenAfter(added("a", null), added("b", "12")))
                .onList("11", "a").onWatch("11", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "a@11", "listed 11", "watching 11")
                .end();
    }

    /** 8.1.10, where client-go follows the versions down: a watch that goes back in time cannot have sent all. */
    @Test
    void anEventThatGoesBackInTimeIsDoubt() {
        server.onList("10").onWatch("10", staysOpenAfter(modified("bar", "55"), added("baz", "32")))
                .onList("56").onWatch("56", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "+bar@55", "transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listed 56", "watching 56")
                .end();
    }

    @Test
    void aBookmarkThatGoesBackInTimeIsDoubt() {
        server.onList("10").onWatch("10", staysOpenAfter(bookmark("10"), bookmark("9")))
                .onList("11").onWatch("11", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "bookmark 10", "transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listed 11", "watching 11")
                .end();
    }

    @Test
    void whatCannotBeReadMovesTheVersionAllTheSame() {
        server.onList(Flux.just(unreadableItem("a", "3"), Script.lastPage("10")))
                .onWatch("10", lasting(60, unreadable("a", "11"))).onWatch("11", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "?a@3", "listed 10", "watching 10", "?a@11")
                .afterSeconds(60).emits("watching 11")
                .end();
    }

    @Test
    void anEventOfAnUnknownObjectIsDoubt() {
        server.onList("10").onWatch("10", staysOpenAfter(unreadable(null, "11"))).onList("12").onWatch("12", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listed 12", "watching 12")
                .end();
    }

    /** 8.1.34: an object that the server cannot read stands in the way of each watch. Stream scenario 14: at first it is only resumed. */
    @Test
    void listsWhenTheServerFailsAtTheSamePlaceAgainAndAgain() {
        server.onList("10").onWatch("10", failsAfter(refusal(500, "StoreReadError", "data from the storage is not transformable")))
                .onWatch("10", failsAfter(refusal(500, "StoreReadError", ""))).onWatch("10", failsAfter(refusal(500, "StoreReadError", "")))
                .onList("20").onWatch("20", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "500 #1, resume in 0.8")
                .afterSeconds(0.8).emits("watching 10", "500 #2, resume in 1.6")
                .afterSeconds(1.6).emits("watching 10", "500 #3, list in 3.2")
                .afterSeconds(3.2).emits("listing", "listed 20", "watching 20")
                .end();
    }

    /** Stream scenario 18; law 20. */
    @Test
    void aWatchThatIsSilentPastItsEndIsNotTrusted() {
        server.onList("10").onWatch("10", staysOpenAfter(bookmark("11"))).onWatch("11", Flux.never()).onWatch("11", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "listed 10", "watching 10", "bookmark 11")
                .after(Duration.ofSeconds(329)).emits()
                .afterSeconds(1).emits("transport #1, resume in 0.025")
                .afterSeconds(0.025).emits()
                .after(Duration.ofSeconds(330)).emits("transport #2, resume in 0.8")
                .afterSeconds(0.8).emits("watching 11")
                .end();
    }

    @Test
    void givesUpOnlyWhenConfiguredTo() {
        server.onList(refused(refusal(403, "Forbidden", "no"))).onList(refused(refusal(403, "Forbidden", "no")));
        ReflectorProbe.of(clock, server, options -> options.withGiveUpWhen(disruption -> disruption.attempt() == 2))
                .emits("listing", "403 #1, list in 0.8")
                .afterSeconds(0.8)
                .emits("listing", "403 #2, list in 1.6", "failed: 403 Forbidden: cannot carry out a request of the script: no")
                .end();
    }

    @Test
    void aDefectInTheSourceIsAFailureLikeAnyOther() {
        server.onList(refused(new IllegalStateException("a defect"))).onList("10").onWatch("10", never());
        ReflectorProbe.of(clock, server)
                .emits("listing", "transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listed 10", "watching 10")
                .end();
    }

    /** Stream scenario 32. */
    @Test
    void eachSubscriptionIsAnother() {
        server.onList("10").onWatch("10", never()).onList("20").onWatch("20", never());
        Flux<ReflectorEvent<String>> events = Reflector.of(server).events();
        events.subscribe().dispose();
        events.subscribe().dispose();
        server.verifyPlayedToTheEnd();
    }

    /** 8.1.1, 8.1.2. */
    @Test
    void cancellingClosesTheRequest() {
        var closed = new boolean[1];
        server.onList("10").onWatch("10", Script.<String>never().doOnCancel(() -> closed[0] = true));
        ReflectorProbe probe = ReflectorProbe.of(clock, server).whatever();
        assertThat(closed[0]).isFalse();
        probe.cancel();
        assertThat(closed[0]).isTrue();
    }

    /** A watch that ends after {@code seconds}. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    private final Flux<ObjectEvent<String>> lasting(int seconds, ObjectEvent<String>... events) {
        return Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>())
                .concatWith(Flux.fromArray(events))
                .concatWith(Mono.delay(Duration.ofSeconds(seconds), clock).then(Mono.empty()));
    }
}
