package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnauthorizedException;
import io.reactiveinformer.resource.Versioned;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ResumeTest {

    private static final Backoff BACKOFF = Backoff.between(Duration.ofSeconds(2), Duration.ofSeconds(30)).withJitter(0);

    private final List<String> asked = new ArrayList<>();
    private final Queue<Flux<ObjectEvent<String>>> answers = new ArrayDeque<>();

    /** 8.11.193: closures after each event, versions with gaps. */
    @Test
    void tellsEachEventOnceOverManyWatches() {
        answers.addAll(List.of(Flux.just(event("a", "11")), Flux.just(event("b", "15"), event("c", "16")),
                Flux.just(event("d", "20")), Flux.never()));
        StepVerifier.withVirtualTime(() -> resumed("10"))
                .expectNext("a@11")
                .expectNoEvent(Duration.ofMillis(24)).thenAwait(Duration.ofMillis(26))
                .expectNext("b@15", "c@16").thenAwait(Duration.ofMillis(50))
                .expectNext("d@20").thenAwait(Duration.ofMillis(50))
                .thenCancel().verify();
        assertThat(asked).containsExactly("10", "11", "16", "20");
    }

    /** 8.11.189. */
    @Test
    void nothingAtOrBelowTheVersionWhereItBegan() {
        answers.add(Flux.just(event("a", "1"), event("b", "2")).concatWith(Flux.never()));
        StepVerifier.withVirtualTime(() -> resumed("1")).expectNext("b@2").thenCancel().verify();
    }

    /** 8.11.188, 8.11.192: whatever fails for the moment is waited out, Retry-After included. */
    @Test
    void resumesAfterFailuresWithGrowingPauses() {
        var busy = StatusException.of(new Status(503, "", "", List.of(), Duration.ofSeconds(10)), "watch");
        answers.addAll(List.of(Flux.error(new TransportException("planned", null)), Flux.error(refusal(500)), Flux.error(busy),
                Flux.just(event("a", "11")).concatWith(Flux.error(refusal(504))), Flux.just(event("b", "12")).concatWith(Flux.never())));
        StepVerifier.withVirtualTime(() -> resumed("10"))
                .expectSubscription()
                .expectNoEvent(Duration.ofSeconds(2 + 4 + 10))
                .expectNext("a@11")
                .expectNoEvent(Duration.ofSeconds(2))
                .expectNext("b@12")
                .thenCancel().verify();
        assertThat(asked).containsExactly("10", "10", "10", "10", "11");
    }

    /** 8.11.190; unlike RetryWatcher also when the watch is refused so, since no retry can help. */
    @Test
    void failsWhenTheHistoryIsGone() {
        answers.add(Flux.just(event("a", "6")).concatWith(Flux.error(refusal(410))));
        StepVerifier.withVirtualTime(() -> resumed("5")).expectNext("a@6").verifyError(ResourceVersionExpiredException.class);
        assertThat(asked).hasSize(1);
    }

    @Test
    void failsWhenForbidden() {
        answers.add(Flux.error(refusal(403)));
        StepVerifier.withVirtualTime(() -> resumed("5")).verifyError(ForbiddenException.class);
    }

    @Test
    void failsWhenNobodyKnowsWhoAsks() {
        answers.add(Flux.error(refusal(401)));
        StepVerifier.withVirtualTime(() -> resumed("5")).verifyError(UnauthorizedException.class);
        assertThat(asked).hasSize(1);
    }

    /** Law 18: quiet is no failure, however often. */
    @Test
    void aQuietWatchThatIsClosedIsResumedAtOnce() {
        answers.addAll(List.of(Flux.error(refusal(500)), quiet(), quiet(), quiet(), Flux.error(refusal(500)), Flux.never()));
        StepVerifier.withVirtualTime(() -> resumed("5")).expectSubscription()
                .expectNoEvent(Duration.ofSeconds(2 + 3 * 60)).then(() -> assertThat(asked).hasSize(5))
                .expectNoEvent(Duration.ofMillis(1_999)).then(() -> assertThat(asked).as("the first failure since").hasSize(5))
                .thenAwait(Duration.ofMillis(1)).then(() -> assertThat(asked).hasSize(6))
                .thenCancel().verify();
    }

    /** Law 19: what one watch has reached says nothing of the next. */
    @Test
    void aWatchThatClosesAtOnceIsPacedHoweverLongTheOneBeforeLasted() {
        answers.addAll(List.of(quiet(), Flux.empty(), Flux.never()));
        StepVerifier.withVirtualTime(() -> resumed("5")).expectSubscription()
                .expectNoEvent(Duration.ofSeconds(61).plusMillis(999)).then(() -> assertThat(asked).hasSize(2))
                .thenAwait(Duration.ofMillis(1)).then(() -> assertThat(asked).hasSize(3))
                .thenCancel().verify();
    }

    @Test
    void aWatchThatClosedAfterNewsLetsThePausesStartOver() {
        answers.addAll(List.of(Flux.error(refusal(500)), Flux.error(refusal(500)), Flux.just(event("a", "6")),
                Flux.error(refusal(500)), Flux.never()));
        StepVerifier.withVirtualTime(() -> resumed("5")).expectSubscription()
                .expectNoEvent(Duration.ofSeconds(2 + 4)).expectNext("a@6")
                .expectNoEvent(Duration.ofMillis(25 + 1_999)).then(() -> assertThat(asked).hasSize(4))
                .thenAwait(Duration.ofMillis(26)).then(() -> assertThat(asked).hasSize(5))
                .thenCancel().verify();
    }

    /** As a proxy breaks quiet connections: it was of use until then. */
    @Test
    void aQuietWatchThatBreaksIsResumedAtOnceIfItWasOpenForAWhile() {
        answers.addAll(List.of(broken(Duration.ofSeconds(10)), broken(Duration.ofSeconds(9)), Flux.never()));
        StepVerifier.withVirtualTime(() -> resumed("5").ignoreElements()).expectSubscription()
                .expectNoEvent(Duration.ofMillis(10_050)).then(() -> assertThat(asked).as("at once").hasSize(2))
                .expectNoEvent(Duration.ofMillis(9_000 + 1_949)).then(() -> assertThat(asked).as("after a pause").hasSize(2))
                .expectNoEvent(Duration.ofMillis(51)).then(() -> assertThat(asked).hasSize(3))
                .thenCancel().verify();
    }

    private static Flux<ObjectEvent<String>> broken(Duration after) {
        return Flux.defer(() -> Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>())
                .concatWith(Mono.delay(after, VirtualTimeScheduler.get()).then(Mono.error(new TransportException("planned", null)))));
    }

    private static Flux<ObjectEvent<String>> quiet() {
        return Flux.defer(() -> Flux.<ObjectEvent<String>>never().take(Duration.ofMinutes(1), VirtualTimeScheduler.get()));
    }

    /** Versions that have no order: the one asked from is what is known, whatever came after it. */
    @Test
    void whatIsReceivedAgainIsDroppedAlsoWhereVersionsHaveNoOrder() {
        answers.add(Flux.just(event("a", "x1"), event("b", "x2"), event("b", "x2"), event("a", "x1"),
                event("c", "x3")).concatWith(Flux.never()));
        StepVerifier.withVirtualTime(() -> resumed("x1")).expectNext("b@x2", "c@x3").thenCancel().verify();
    }

    @Test
    void failsWhenAnEventHasNoVersion() {
        answers.add(Flux.just(event("a", null)));
        StepVerifier.withVirtualTime(() -> resumed("5")).verifyError(TransportException.class);
        assertThat(asked).hasSize(1);
    }

    @Test
    void bookmarksMoveIt() {
        answers.addAll(List.of(Flux.just(new ObjectEvent.Bookmark<>("90", false)), Flux.never()));
        StepVerifier.withVirtualTime(() -> resumed("5")).expectNext("bookmark 90").thenAwait(Duration.ofSeconds(1)).thenCancel().verify();
        assertThat(asked).containsExactly("5", "90");
    }

    @Test
    void watchesThatCloseAtOnceWithoutAWordArePaced() {
        answers.addAll(List.of(Flux.empty(), Flux.empty(), Flux.never()));
        StepVerifier.withVirtualTime(() -> resumed("5")).expectSubscription().expectNoEvent(Duration.ofMillis(5_999))
                .then(() -> assertThat(asked).hasSize(2)).thenAwait(Duration.ofMillis(1)).then(() -> assertThat(asked).hasSize(3))
                .thenCancel().verify();
    }

    @Test
    void onlyAVersionThatAServerSentWillDo() {
        Function<String, Mono<ObjectEvent<String>>> never = from -> Mono.never();
        for (String version : List.of("", "0")) {
            assertThatThrownBy(() -> Resume.from(version, never, BACKOFF, VirtualTimeScheduler.create()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** As "" it would ask for everything; it was taken for a position before. */
    @Test
    void failsWhenAVersionIsNone() {
        for (ObjectEvent<String> none : List.of(event("a", ""), event("a", "0"), new ObjectEvent.Bookmark<String>("", false))) {
            asked.clear();
            answers.add(Flux.just(none));
            StepVerifier.withVirtualTime(() -> resumed("5")).verifyError(TransportException.class);
            assertThat(asked).containsExactly("5");
        }
    }

    /** What lies between may be missing, and no resume would bring it. */
    @Test
    void failsWhenAWatchGoesBack() {
        answers.add(Flux.just(event("a", "11"), event("b", "13"), event("b", "13"), event("c", "12")));
        StepVerifier.withVirtualTime(() -> resumed("10")).expectNext("a@11", "b@13")
                .verifyErrorMatches(failure -> failure instanceof TransportException
                        && failure.getMessage().contains("at 12 came after 13"));
        answers.add(Flux.just(new ObjectEvent.Bookmark<>("9", false)));
        StepVerifier.withVirtualTime(() -> resumed("10")).verifyError(TransportException.class);
    }

    @Test
    void aFunctionThatThrowsIsNotAskedAgain() {
        Flux<ObjectEvent<String>> resumed = Resume.from("5", from -> {
            asked.add(from);
            throw new IllegalArgumentException("planned");
        }, BACKOFF, VirtualTimeScheduler.create());
        StepVerifier.create(resumed).verifyErrorMatches(failure -> failure instanceof IllegalStateException
                && failure.getMessage().contains("the function that asks for the watch from 5 threw"));
        assertThat(asked).hasSize(1);
    }

    /** Law 19: after three that were resumed at once, between one second and two. */
    @Test
    void watchesThatCloseAfterNewsAreSpacedByChance() {
        var spaces = new HashSet<Long>();
        for (int round = 0; round < 20; round++) {
            var clock = VirtualTimeScheduler.create();
            List<Long> at = new ArrayList<>();
            Resume.<String>from("5", from -> {
                at.add(clock.now(TimeUnit.MILLISECONDS));
                return at.size() < 5 ? Flux.just(event("a", "" + (5 + at.size()))) : Flux.never();
            }, BACKOFF.withJitter(1), clock).subscribe();
            clock.advanceTimeBy(Duration.ofSeconds(3));
            assertThat(at.get(3) - at.get(0)).isBetween(3 * 25L, 3 * 50L);
            spaces.add(at.get(4) - at.get(3));
        }
        assertThat(spaces).allMatch(space -> space >= 1000 && space <= 2000).hasSizeGreaterThan(5);
    }

    /** A list is no progress where the watch from it expires at once, each time. */
    @Test
    void listsWhoseWatchesExpireAtOnceArePacedMoreAndMore() {
        var lists = new ArrayList<String>();
        var clock = VirtualTimeScheduler.create();
        Flux.defer(() -> {
            lists.add("list");
            return Flux.just("a").concatWith(Flux.error(refusal(410)));
        }).retryWhen(Relist.onExpiry(BACKOFF, clock)).subscribe();
        clock.advanceTimeBy(Duration.ofSeconds(2 + 4 + 8 + 16));
        assertThat(lists).hasSize(5);
        clock.advanceTimeBy(Duration.ofMinutes(10));
        assertThat(lists).hasSize(5 + 20);
    }

    @Test
    void aListIsAskedForAgainOnlyWhenTheHistoryIsGone() {
        Queue<Flux<String>> lists = new ArrayDeque<>(List.of(
                Flux.just("a").concatWith(Flux.error(refusal(410))), Flux.just("a", "b").concatWith(Flux.error(refusal(403)))));
        StepVerifier.withVirtualTime(() -> Flux.defer(lists::remove).retryWhen(Relist.onExpiry(BACKOFF, VirtualTimeScheduler.get())))
                .expectNext("a").expectNoEvent(Duration.ofSeconds(2))
                .expectNext("a", "b").verifyError(ForbiddenException.class);
    }

    @Test
    void aSilentServerIsHungUpOn() {
        PublisherProbe<String> source = PublisherProbe.of(Flux.never());
        StepVerifier.withVirtualTime(() -> source.flux()
                        .transform(IdleTimeout.after(() -> Duration.ofSeconds(10), VirtualTimeScheduler.get(), "pods")))
                .thenAwait(Duration.ofSeconds(10))
                .verifyErrorMessage("pods: the server was silent for 10 s; the connection is not trusted any more");
        source.assertWasCancelled();
    }

    @Test
    void silenceIsAFailureHoweverOftenSomethingWasReceived() {
        StepVerifier.withVirtualTime(() -> Flux.just("a", "b").delayElements(Duration.ofSeconds(9)).concatWith(Flux.never())
                        .transform(IdleTimeout.after(() -> Duration.ofSeconds(10), VirtualTimeScheduler.get(), "pods")))
                .thenAwait(Duration.ofSeconds(9)).expectNext("a")
                .thenAwait(Duration.ofSeconds(9)).expectNext("b")
                .expectNoEvent(Duration.ofMillis(9_999)).thenAwait(Duration.ofMillis(1))
                .verifyErrorMessage("pods: the server was silent for 10 s; the connection is not trusted any more");
    }

    private Flux<String> resumed(String from) {
        return Resume.from(from, version -> {
            asked.add(version);
            return answers.remove();
        }, BACKOFF, VirtualTimeScheduler.get()).map(ResumeTest::text);
    }

    private static String text(ObjectEvent<String> event) {
        return event instanceof ObjectEvent.Opened ? "opened" : event instanceof ObjectEvent.Applied<String> added
                ? added.key() + "@" + added.entry().resourceVersion()
                : "bookmark " + ((ObjectEvent.Bookmark<String>) event).resourceVersion();
    }

    private static ObjectEvent<String> event(String name, String version) {
        return new ObjectEvent.Applied<>(ObjectKey.clusterScoped(name), new Versioned<>("uid", version, name));
    }

    private static StatusException refusal(int code) {
        return StatusException.of(Status.of(code, "", "planned"), "watch");
    }
}
