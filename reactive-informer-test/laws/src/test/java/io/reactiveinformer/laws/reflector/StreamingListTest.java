package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.added;
import static io.reactiveinformer.test.Script.bookmark;
import static io.reactiveinformer.test.Script.broken;
import static io.reactiveinformer.test.Script.closesAfter;
import static io.reactiveinformer.test.Script.deleted;
import static io.reactiveinformer.test.Script.endMark;
import static io.reactiveinformer.test.Script.expired;
import static io.reactiveinformer.test.Script.failsAfter;
import static io.reactiveinformer.test.Script.modified;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refusal;
import static io.reactiveinformer.test.Script.refused;
import static io.reactiveinformer.test.Script.staysOpenAfter;
import static io.reactiveinformer.test.Script.tooLarge;
import static io.reactiveinformer.test.Script.unreadable;
import static org.assertj.core.api.Assertions.assertThat;

class StreamingListTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final ScriptedListerWatcher<String> server = new ScriptedListerWatcher<>();

    /** 8.2.44. */
    @Test
    void goesOnAsAWatchOnTheSameConnection() {
        server.onStream(null, staysOpenAfter(added("p1", "9"), added("p2", "2"), endMark("10"), added("p3", "11"), bookmark("20")));
        probe().emits("listing", "p1@9", "p2@2", "listed 10", "watching 10", "+p3@11", "bookmark 20").end();
    }

    /** 8.2.45. */
    @Test
    void whatChangesMeanwhileIsListedAsItIs() {
        server.onStream(null, staysOpenAfter(added("p1", "1"), added("p2", "2"), modified("p1:2", "3"),
                added("p3", "4"), deleted("p3", "5"),
                endMark("6")));
        probe().emits("listing", "p1@1", "p2@2", "+p1@3", "p3@4", "-p3@5", "listed 6", "watching 6").end();
    }

    /** 8.2.40. */
    @Test
    void isNotCompleteWithoutItsEnd() {
        server.onStream(null, staysOpenAfter(added("p1", "1")));
        probe().emits("listing", "p1@1").end();
    }

    /** 8.2.50: an ordinary bookmark ends nothing. */
    @Test
    void anOrdinaryBookmarkIsNoEnd() {
        server.onStream(null, staysOpenAfter(added("p1", "1"), bookmark("2")));
        probe().emits("listing", "p1@1").end();
    }

    /** 8.2.48. */
    @Test
    void resumesAsAPlainWatchFromTheLastEvent() {
        server.onStream(null, failsAfter(broken(), added("p1", "1"), endMark("2"), added("p3", "3")))
                .onWatch("3", staysOpenAfter(added("p4", "4")));
        probe().emits("listing", "p1@1", "listed 2", "watching 2", "+p3@3", "transport #1, resume in 0.025")
                .afterSeconds(0.025).emits("watching 3", "+p4@4")
                .end();
    }

    @Test
    void whoIsQuietAfterTheEndIsOnlyQuiet() {
        server.onStream(null, staysOpenAfter(endMark("2"))).onWatch("2", never());
        probe().emits("listing", "listed 2", "watching 2")
                .afterSeconds(329).emits()
                .afterSeconds(1).emits("transport #1, resume in 0.025").afterSeconds(0.025).emits("watching 2")
                .end();
    }

    /** Stream scenario 22. */
    @Test
    void aResumeNeverAsksForTheCompleteStateAgain() {
        server.onStream(null, closesAfter(endMark("2"))).onWatch("2", never());
        probe().emits("listing", "listed 2", "watching 2", "transport #1, resume in 0.8").afterSeconds(0.8).emits("watching 2").end();
    }

    /** 8.2.49. */
    @Test
    void isAskedForNotOlderThanWhatWasSeenWhenTheHistoryIsGone() {
        server.onStream(null, failsAfter(broken(), endMark("2"), added("a", "3")))
                .onWatch("3", expired())
                .onStream("3", staysOpenAfter(endMark("9")));
        probe().whatever().afterSeconds(0.025).emits("watching 3", "410 #2, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listed 9", "watching 9")
                .end();
    }

    /** 8.2.42, stream scenario 20: refused, so in pages, once for all. */
    @Test
    void aServerThatRefusesIsAskedForPagesFromThenOn() {
        server.onStream(null, refused(refusal(422, "Invalid", "sendInitialEvents is forbidden")))
                .onList("10", "a").onWatch("10", expired()).onList("20", "a").onWatch("20", never());
        probe().emits("listing", "listing", "a@10", "listed 10", "watching 10", "410 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "a@10", "listed 20", "watching 20")
                .end();
        assertThat(server.requests()).contains("list resourceVersion=0 limit=500");
    }

    /** Another reflector of the same server goes on to ask for streams. */
    @Test
    void aRequestThatIsRefusedInPagesTooSaysNothingOfTheServer() {
        Reflector.Group group = Reflector.Group.create();
        server.onStream(null, refused(refusal(400, "BadRequest", "unknown field")))
                .onList(refused(refusal(400, "BadRequest", "unknown field")));
        probe(options -> options.withGroup(group)).emits("listing", "listing", "400 #1, list in 0.8").cancel();
        var other = new ScriptedListerWatcher<String>().onStream(null, staysOpenAfter(endMark("3")));
        ReflectorProbe.of(clock, other, options -> options.withStreaming(true).withGroup(group))
                .emits("listing", "listed 3", "watching 3").end();
    }

    @Test
    void isTriedAgainAfterAnHour() {
        server.onStream(null, refused(refusal(400, "BadRequest", "")))
                .onList("10").onWatch("10", Script.<String>closesAfter(bookmark("11")).concatWith(expiresAfter(Duration.ofMinutes(60))))
                .onStream("11", staysOpenAfter(endMark("20")));
        probe(options -> options.withWatchTimeout(Duration.ofHours(2)))
                .emits("listing", "listing", "listed 10", "watching 10", "bookmark 11")
                .after(Duration.ofMinutes(60)).emits("410 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listed 20", "watching 20")
                .end();
    }

    /** A server that does not know of streaming lists tells what is there, and no end. */
    @Test
    void oneThatDoesNotEndIsGivenUpForPages() {
        server.onStream(null, staysOpenAfter(added("p1", "1"))).onList("10", "p1").onWatch("10", never());
        probe().emits("listing", "p1@1")
                .afterSeconds(29.9).emits()
                .afterSeconds(0.1).emits("listing", "p1@10", "listed 10", "watching 10")
                .end();
    }

    /** It is not silent, so only the time that it takes shows it; and the next list is had in pages at once. */
    @Test
    void oneThatGoesOnTalkingIsGivenUpForPages() {
        server.onStream(null, Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>())
                        .concatWith(Flux.interval(Duration.ofSeconds(7), clock).map(tick -> bookmark(String.valueOf(5 + tick)))))
                .onList("10", "a").onWatch("10", expired()).onList("20", "a").onWatch("20", never());
        probe().emits("listing")
                .afterSeconds(179).emits()
                .afterSeconds(3).emits("listing", "a@10", "listed 10", "watching 10", "410 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "a@10", "listed 20", "watching 20")
                .end();
    }

    /** Each try lasts so long that the pauses start over: it is the streaming lists that are counted, not the pauses. */
    @Test
    void oneThatIsCutLateEachTimeIsGivenUpForPages() {
        Mono<ObjectEvent<String>> cut = Mono.delay(Duration.ofSeconds(150), clock).then(Mono.error(broken()));
        Flux<ObjectEvent<String>> talk = Flux.interval(Duration.ofSeconds(7), clock).map(tick -> modified("a", String.valueOf(5 + tick)));
        Flux<ObjectEvent<String>> late = Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>()).concatWith(talk.takeUntilOther(cut));
        server.onStream(null, late).onStream(null, late).onStream(null, late)
                .onList("10", "a").onWatch("10", expired()).onList("20", "a").onWatch("20", never());
        probe().afterSeconds(150.8).whatever().afterSeconds(150.8).whatever().afterSeconds(149.9).whatever()
                .afterSeconds(0.1).emits("transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "a@10", "listed 10", "watching 10", "410 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "a@10", "listed 20", "watching 20")
                .end();
    }

    /** A server that was away is no server without streaming lists. */
    @Test
    void whoCouldNotBeReachedIsAskedForStreamsAgain() {
        server.onStream(null, refused(broken())).onStream(null, refused(broken())).onStream(null, refused(broken()))
                .onList("10").onWatch("10", expired()).onStream("10", staysOpenAfter(endMark("20")));
        probe().afterSeconds(0.8 + 1.6 + 3.2).whatever()
                .afterSeconds(6.4).emits("listing", "listed 20", "watching 20")
                .end();
    }

    /** Stream scenario 21; what was emitted is void with the next start. */
    @Test
    void oneThatWasCutIsAskedForAgain() {
        server.onStream(null, failsAfter(broken(), added("gone", "1"))).onStream(null, closesAfter(added("gone", "1")))
                .onStream(null, staysOpenAfter(added("p1", "2"), endMark("3")));
        probe().emits("listing", "gone@1", "transport #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "gone@1", "transport #2, list in 1.6")
                .afterSeconds(1.6).emits("listing", "p1@2", "listed 3", "watching 3")
                .end();
    }

    /** 8.2.46: and no list meanwhile. Later pages are tried, since streaming may be what ails. */
    @Test
    void refusalsForTheMomentAreWaitedOut() {
        server.onStream(null, refused(refusal(429, "TooManyRequests", ""))).onStream(null, refused(refusal(429, "TooManyRequests", "")))
                .onStream(null, staysOpenAfter(endMark("3")));
        probe().emits("listing", "429 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "429 #2, list in 1.6")
                .afterSeconds(1.6).emits("listing", "listed 3", "watching 3")
                .end();
    }

    @Test
    void asksForTheMostRecentStateWhenOurVersionIsFromTheFuture() {
        server.onStream(null, failsAfter(refusal(410, "Expired", ""), endMark("100")))
                .onStream("100", failsAfter(tooLarge())).onStream(null, staysOpenAfter(added("a", "5"), endMark("7")));
        probe().emits("listing", "listed 100", "watching 100", "410 #1, list in 0.8")
                .afterSeconds(0.8).emits("listing", "listing", "a@5", "new epoch 7", "watching 7")
                .end();
    }

    @Test
    void anUnknownObjectAmongTheInitialOnesIsDoubt() {
        server.onStream(null, staysOpenAfter(unreadable(null, "1"))).onList("3", "a").onWatch("3", never());
        probe().emits("listing", "transport #1, list in 0.8").afterSeconds(0.8).emits("listing", "a@3", "listed 3", "watching 3").end();
    }

    /** 8.2.41. */
    @Test
    void canBeSwitchedOff() {
        server.onList("1").onWatch("1", never());
        ReflectorProbe.of(clock, server, options -> options.withStreaming(false)).emits("listing", "listed 1", "watching 1").end();
    }

    private Mono<ObjectEvent<String>> expiresAfter(Duration time) {
        return Mono.delay(time, clock).then(Mono.error(refusal(410, "Expired", "")));
    }

    private ReflectorProbe probe() {
        return probe(options -> options);
    }

    private ReflectorProbe probe(UnaryOperator<ReflectorOptions> more) {
        return ReflectorProbe.of(clock, server, options -> more.apply(options.withStreaming(true)));
    }
}
