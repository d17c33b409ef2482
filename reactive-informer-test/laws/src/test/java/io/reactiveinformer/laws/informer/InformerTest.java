package io.reactiveinformer.laws.informer;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.NotSyncedException;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.test.ScriptedListerWatcher;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.added;
import static io.reactiveinformer.test.Script.deleted;
import static io.reactiveinformer.test.Script.modified;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refusal;
import static io.reactiveinformer.test.Script.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class InformerTest {

    private static final ObjectKey A = ObjectKey.clusterScoped("a");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final ScriptedListerWatcher<String> server = new ScriptedListerWatcher<>();
    private final Sinks.Many<ObjectEvent<String>> events = Sinks.many().unicast().onBackpressureBuffer();
    private final Informer<String> informer =
            Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time).withRandom(() -> 0));

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    /** 8.11.197. */
    @Test
    void tellsWhatIsThereThenWhatHappens() {
        List<String> received = received();
        startWith("a", "b");
        happens(modified("a:2", "11"), deleted("b", "12"), added("c", "13"));

        assertThat(received).containsExactlyInAnyOrder("+a initial", "+b initial", "synced 10, 2", "a > a:2", "-b at 12", "+c");
        assertThat(received.subList(0, 2)).containsExactlyInAnyOrder("+a initial", "+b initial");
        assertThat(received.subList(2, 6)).containsExactly("synced 10, 2", "a > a:2", "-b at 12", "+c");
        server.verifyPlayedToTheEnd();
    }

    /** Law 13. */
    @Test
    void aSubscriberThatReceivesAChangeFindsItInTheLister() {
        List<Object> seen = new ArrayList<>();
        informer.changes().ofType(Change.Updated.class).subscribe(updated -> seen.add(informer.lister().get(A).orElseThrow()));
        startWith("a");
        happens(modified("a:2", "11"));

        assertThat(seen).containsExactly("a:2");
    }

    /** Stream scenario 82. */
    @Test
    void saysHowItStands() {
        List<State> states = new ArrayList<>();
        informer.status().map(InformerStatus::state).distinctUntilChanged().subscribe(states::add);
        startWith("a");
        informer.stop();
        time.advanceTimeBy(Duration.ZERO);

        assertThat(states).containsExactly(State.IDLE, State.LISTING, State.LIVE, State.STOPPED);
    }

    @Test
    void saysWhyItIsDisruptedAndWhenItTriesAgain() {
        server.onList(refused(refusal(403, "Forbidden", "no rights"))).onList("10").onWatch("10", never());
        List<String> states = new ArrayList<>();
        informer.status().map(now -> now.state() + " #" + now.attempt() + " in " + now.retryIn() + " synced=" + now.synced())
                .subscribe(states::add);
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(states).containsExactly("IDLE #0 in null synced=false", "LISTING #0 in null synced=false",
                "DISRUPTED #1 in PT0.8S synced=false", "LISTING #1 in null synced=false", "LISTING #1 in null synced=true",
                "LIVE #0 in null synced=true");
    }

    /** Stream scenario 84. */
    @Test
    void aCallerThatWaitsInVainForTheFirstListLearnsWhy() {
        server.onList(refused(refusal(403, "Forbidden", "no rights"))).onList(Flux.never());
        informer.start();

        StepVerifier.create(informer.synced(Duration.ofMillis(500)))
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(1)))
                .verifyErrorSatisfies(failure -> assertThat(failure).isInstanceOf(NotSyncedException.class)
                        .hasMessageContainingAll("not synced after 0.5s", "403 Forbidden", "no rights", "failed tries: 1", "800 ms")
                        .hasCauseInstanceOf(ForbiddenException.class));
    }

    @Test
    void aCallerThatWaitsInVainForAnObjectOfAForbiddenTypeLearnsWhy() {
        server.onList(refused(refusal(403, "Forbidden", "no rights"))).onList(Flux.never());
        informer.start();
        Duration limit = Duration.ofMillis(500);
        for (Mono<?> waiting : List.of(informer.await(A, any -> true, limit), informer.awaitAbsent(A, limit),
                informer.atLeast(A, "7", limit))) {
            StepVerifier.create(waiting)
                    .then(() -> time.advanceTimeBy(Duration.ofMillis(500)))
                    .verifyErrorSatisfies(failure -> assertThat(failure).isInstanceOf(NotSyncedException.class)
                            .hasMessageContainingAll(": a ", "after 0.5s", "403 Forbidden", "no rights", "failed tries: 1")
                            .hasCauseInstanceOf(ForbiddenException.class));
        }
    }

    @Test
    void aCallerThatWaitsInVainForAStateLearnsThatNothingIsWrong() {
        startWith("a");
        StepVerifier.create(informer.await(A, any -> false, Duration.ofSeconds(5)))
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(5)))
                .verifyErrorSatisfies(failure -> assertThat(failure).isInstanceOfSatisfying(NotSyncedException.class,
                        late -> assertThat(late.status().state()).isEqualTo(State.LIVE))
                        .hasMessageEndingWith(": a has not met the condition after 5s, LIVE").hasNoCause());
        StepVerifier.create(informer.await(A, any -> true, Duration.ofSeconds(5))).expectNext("a").verifyComplete();
    }

    @Test
    void subscribersGetWhatIsPendingWhenItStops() {
        startWith("a", "b");
        StepVerifier.create(informer.changes(), 0)
                .then(informer::stop)
                .thenRequest(3)
                .then(() -> time.advanceTimeBy(Duration.ZERO))
                .expectNextCount(3)
                .verifyComplete();
        assertThat(informer.lister().list()).as("stays readable").containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void startedOnceAndStoppedForGood() {
        startWith("a");
        informer.start();
        informer.stop();
        informer.start();
        time.advanceTimeBy(Duration.ofHours(1));

        assertThat(server.requests()).containsExactly("list resourceVersion=0 limit=500", "watch 10");
    }

    @Test
    void subscribersAreNotifiedWhenItGivesUp() {
        server.onList(refused(refusal(403, "Forbidden", "no rights")));
        Informer<String> impatient =
                Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time).withGiveUpWhen(disruption -> true));
        impatient.start();

        StepVerifier.create(impatient.changes()).then(() -> time.advanceTimeBy(Duration.ZERO)).verifyError(ForbiddenException.class);
        StepVerifier.create(impatient.synced()).then(() -> time.advanceTimeBy(Duration.ZERO)).verifyError(NotSyncedException.class);
    }

    @Test
    void anIndexIsFilledWhenItsRegistrationCompletes() {
        Index<String, Integer> byLength = Index.of("length", String::length);
        startWith("a", "b", "ccc");
        Snapshot<ObjectKey, String> before = informer.snapshot();
        StepVerifier.create(informer.addIndex(byLength)).then(() -> time.advanceTimeBy(Duration.ZERO)).verifyComplete();

        assertThat(informer.snapshot().by(byLength, 1)).containsExactlyInAnyOrder("a", "b");
        assertThatThrownBy(() -> before.by(byLength, 1)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("length");
    }

    @Test
    void aHandlerIsCalledAndGoesOnAfterItThrew() {
        List<String> calls = new ArrayList<>();
        ResourceEventHandler.Registration registration = informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(String object, boolean isInInitialList) {
                calls.add("add " + object + " " + isInInitialList);
                throw new IllegalStateException("the handler's fault");
            }

            @Override
            public void onUpdate(String before, String after) {
                calls.add("update " + before + " " + after);
            }

            @Override
            public void onDelete(String last, boolean finalStateUnknown) {
                calls.add("delete " + last + " " + finalStateUnknown);
            }

            @Override
            public void onFailure(Change<ObjectKey, String> change, Throwable failure) {
                calls.add(failure.getMessage());
                throw new IllegalStateException("and of its failure handler");
            }
        });
        startWith("a");
        StepVerifier.create(registration.synced()).verifyComplete();
        happens(modified("a:2", "11"), deleted("a:2", "12"));
        registration.dispose();
        happens(added("b", "13"));

        assertThat(calls).containsExactly("add a true", "the handler's fault", "update a a:2", "delete a:2 false");
    }

    /** 8.11.196. */
    @Test
    void waitsForAnObjectToBeAsWanted() {
        List<String> got = got(informer.await(A, "a:ready"::equals));
        startWith("b");
        happens(added("a", "11"), modified("a:busy", "12"));
        assertThat(got).isEmpty();

        happens(modified("a:ready", "13"));
        assertThat(got).containsExactly("a:ready", "complete");
    }

    @Test
    void absenceIsKnownOnlyOnceEverythingIs() {
        List<String> got = got(informer.awaitAbsent(A).cast(String.class));
        time.advanceTimeBy(Duration.ZERO);
        assertThat(got).as("before the first list").isEmpty();

        startWith("a");
        assertThat(got).isEmpty();

        happens(deleted("a", "12"));
        assertThat(got).containsExactly("complete");
    }

    /** Stream scenario 79. */
    @Test
    void showsAWriteOnceItHasCome() {
        startWith("a");
        List<String> got = got(informer.atLeast(A, "12").map(rows -> rows.get(A).orElse("nothing")));
        happens(modified("a:2", "11"));
        assertThat(got).isEmpty();

        happens(modified("a:3", "12"));
        assertThat(got).containsExactly("a:3", "complete");
    }

    @Test
    void showsAWriteThatCameLongAgoAtOnce() {
        startWith("a");
        happens(modified("a:2", "11"), added("b", "12"));
        List<String> got = got(informer.atLeast(A, "12").map(rows -> rows.get(A).orElse("nothing")));
        time.advanceTimeBy(Duration.ZERO);

        assertThat(got).containsExactly("a:2", "complete");
    }

    private static List<String> got(Mono<String> mono) {
        List<String> got = new ArrayList<>();
        mono.subscribe(got::add, failure -> got.add("failure " + failure), () -> got.add("complete"));
        return got;
    }

    private List<String> received() {
        List<String> received = new ArrayList<>();
        informer.changes().map(InformerTest::text).subscribe(received::add);
        return received;
    }

    private static String text(Change<ObjectKey, String> change) {
        return change.match(
                added -> "+" + added.object() + (added.initial() ? " initial" : ""),
                updated -> updated.before() + " > " + updated.after(),
                deleted -> "-" + deleted.last() + " at " + deleted.deletedAt(),
                synced -> "synced " + synced.resourceVersion() + ", " + synced.count());
    }

    private void startWith(String... objects) {
        server.onList("10", objects).onWatch("10", Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>()).concatWith(events.asFlux()));
        informer.start();
        time.advanceTimeBy(Duration.ZERO);
    }

    @SafeVarargs
    private void happens(ObjectEvent<String>... next) {
        for (ObjectEvent<String> event : next) {
            events.tryEmitNext(event).orThrow();
            time.advanceTimeBy(Duration.ZERO);
        }
    }
}
