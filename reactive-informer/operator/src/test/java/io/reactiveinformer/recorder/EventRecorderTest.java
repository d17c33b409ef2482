package io.reactiveinformer.recorder;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.errors.BombedScheduler;
import io.reactiveinformer.internal.Watchdog;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.transport.TransportOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Scheduler;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Numbers are those of the scenarios of client-go's tests, client-go-semantics §8.13. */
class EventRecorderTest {

    private static final ResourceType<EventsV1Event> EVENTS = ResourceType.of(EventsV1Event.class);
    private static final V1Pod POD = new V1Pod().metadata(new V1ObjectMeta().namespace("prod").name("web").uid("u1").resourceVersion("7"));

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(clock)
            .with("{apiVersion: v1, kind: Namespace, metadata: {name: prod}}").build();
    private final KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults()
            .withWriteLimit(0, 1).withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), clock)));
    private final List<String> drops = new ArrayList<>();
    private final EventRecorder.Observer observer = new EventRecorder.Observer() {
        @Override
        public void dropped(Occurrence occurrence, int times, Drop why, KubernetesException cause) {
            drops.add(occurrence.reason() + " x" + times + " " + why);
        }
    };
    private final Random random = new Random(1);
    private final EventRecorder events = EventRecorder.of(client, RecorderOptions.of("example.com/mirror").withInstance("mirror-1")
            .withObserver(observer).withTimer(clock).withWorkers(clock).withRandom(random::nextDouble));

    @AfterEach
    void close() {
        events.close();
        server.close();
    }

    private List<ObjectNode> stored() {
        return server.objects().list(EVENTS);
    }

    private ObjectNode only() {
        assertThat(stored()).hasSize(1);
        return stored().get(0);
    }

    private List<String> verbs() {
        return server.requests().all().stream().map(request -> request.verb().toString()).toList();
    }

    /** A shortage loses the tries and ticks that wait on the timer: here those from before {@code lost} grows. */
    @Test
    void afterMemoryWasShortWhatWaitsIsWritten() {
        var lost = new AtomicInteger();
        Scheduler timer = BombedScheduler.around(clock, task -> {
            int before = lost.get();
            return () -> {
                if (lost.get() == before) {
                    task.run();
                }
            };
        });
        EventRecorder forgetful = EventRecorder.of(client, RecorderOptions.of("example.com/forgetful").withTimer(timer).withWorkers(clock));
        server.faults().onAny().times(1).refuse();
        forgetful.normal(POD, "Pulled", "Pull", null);
        clock.advanceTime();
        lost.incrementAndGet();
        clock.advanceTimeBy(Duration.ofHours(1));
        assertThat(stored()).isEmpty();
        ((Watchdog.Watched) forgetful).doubt();
        clock.advanceTime();
        assertThat(only().path("reason").stringValue()).isEqualTo("Pulled");
        for (int i = 0; i < 3; i++) {
            forgetful.normal(POD, "Pulled", "Pull", null);
        }
        clock.advanceTimeBy(Duration.ofMinutes(31));
        assertThat(only().at("/series/count").intValue()).as("refreshed by the clockwork").isEqualTo(4);
        forgetful.close();
    }

    /** As code that was written in Go says "none". */
    @Test
    void anEmptyNamespaceIsNone() {
        events.record(Occurrence.normal(new ObjectReference("v1", "Node", "", "n1", "u1", null, null), "Up", "Mirror", "it is up"));
        clock.advanceTime();
        assertThat(only().at("/metadata/namespace").asString()).isEqualTo("default");
        assertThat(drops).isEmpty();
    }

    /** The server would see one note, and a log would be kept whole for each of the objects. */
    @Test
    void notesAreTheSameThatAreInWhatIsWritten() {
        for (int i = 0; i < 3; i++) {
            happens("Failed", "x".repeat(2_000) + i);
        }
        clock.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(only().at("/series/count").asInt()).isGreaterThan(1);
        assertThat(Occurrence.normal(ObjectReference.of(POD), "Failed", "Mirror", "x".repeat(2_000)).note())
                .hasSizeLessThanOrEqualTo(1_024);
    }

    private void happens(String reason, String note) {
        events.normal(POD, reason, "Mirror", note);
        clock.advanceTime();
    }

    private void pass(Duration time) {
        clock.advanceTimeBy(time);
    }

    // ---- one

    @Test
    void s217writesAnEventInTheNamespaceOfItsObject() {
        happens("Mirrored", "copied");
        JsonNode event = only();
        assertThat(event.path("metadata").path("namespace").asString()).isEqualTo("prod");
        assertThat(event.path("metadata").path("name").asString()).matches("web\\.[0-9a-f]+");
        assertThat(event.path("reportingController").asString()).isEqualTo("example.com/mirror");
        assertThat(event.path("reportingInstance").asString()).isEqualTo("mirror-1");
        assertThat(event.path("reason").asString()).isEqualTo("Mirrored");
        assertThat(event.path("action").asString()).isEqualTo("Mirror");
        assertThat(event.path("note").asString()).isEqualTo("copied");
        assertThat(event.path("type").asString()).isEqualTo("Normal");
        assertThat(event.path("series").isMissingNode()).isTrue();
        assertThat(event.path("regarding").toString()).isEqualTo(
                "{\"kind\":\"Pod\",\"namespace\":\"prod\",\"name\":\"web\",\"uid\":\"u1\",\"apiVersion\":\"v1\","
                        + "\"resourceVersion\":\"7\"}");
    }

    @Test
    void s217writesAnEventAboutAnObjectWithoutNamespaceToDefault() {
        var node = new V1Node().metadata(new V1ObjectMeta().name("node-1"));
        events.record(Occurrence.warning(ObjectReference.of(node), "Full", "Mirror", "no space").related(ObjectReference.of(POD)));
        clock.advanceTime();
        assertThat(only().path("metadata").path("namespace").asString()).isEqualTo("default");
        assertThat(only().path("type").asString()).isEqualTo("Warning");
        assertThat(only().path("related").path("name").asString()).isEqualTo("web");
    }

    @Test
    void cutsALongNoteAtAWholeCharacter() {
        happens("Mirrored", "€".repeat(400));
        String note = only().path("note").asString();
        assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1_020, 1_024);
        assertThat(note).startsWith("€€").endsWith("€…");
    }

    @Test
    void refusesWhatTheServerWouldRefuse() {
        assertThatIllegalArgumentException().isThrownBy(() -> events.normal(POD, "", "Mirror", "note"));
        assertThatIllegalArgumentException().isThrownBy(() -> events.normal(POD, "Mirrored", "a".repeat(129), "note"));
        // which has 130 bytes
        assertThatIllegalArgumentException().isThrownBy(() -> events.normal(POD, "Mirrored", "ä".repeat(65), "note"));
        assertThatIllegalArgumentException().isThrownBy(() -> events.normal(new V1Pod(), "Mirrored", "Mirror", "note"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "image mirror", "a/b/c", "/mirror", "example.com/", "Example.com/mirror", "-mirror", "mirror.", "ä"})
    void refusesAReportingControllerThatTheServerWouldRefuse(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> RecorderOptions.of(name)).withMessageContaining("qualified name");
        assertThatIllegalArgumentException().isThrownBy(() -> RecorderOptions.of("example.com/" + "a".repeat(64)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"m", "Mirror", "com.example.ImageMirror_2", "example.com/Image-Mirror", "a.b-c.d0/m.n"})
    void takesAReportingControllerThatTheServerTakes(String name) {
        assertThat(RecorderOptions.of(name).reportingController()).isEqualTo(name);
    }

    @Test
    void writesAnEventWithoutANoteWhereAFailureHasNoMessage() {
        events.warning(POD, "MirrorFailed", "Mirror", new IllegalStateException().getMessage());
        clock.advanceTime();
        assertThat(only().path("reason").asString()).isEqualTo("MirrorFailed");
        assertThat(only().path("note").asString("")).isEmpty();
    }

    // ---- series

    @Test
    void s218createsThenWritesTheSecondTimeAndThenOnlyCounts() {
        happens("Mirrored", "copied");
        pass(Duration.ofSeconds(1));
        happens("Mirrored", "copied");
        happens("Mirrored", "copied");
        happens("Mirrored", "copied");
        assertThat(verbs()).containsExactly("create", "patch");
        assertThat(only().path("series").path("count").asInt()).isEqualTo(2);
        assertThat(only().path("series").path("lastObservedTime").asString()).isEqualTo("1970-01-01T00:00:01.000000Z");
    }

    @Test
    void s218writesTheLastCountWhenItHasNotHappenedForSixMinutes() {
        for (int i = 0; i < 5; i++) {
            happens("Mirrored", "copied");
        }
        pass(Duration.ofMinutes(5));
        assertThat(only().path("series").path("count").asInt()).isEqualTo(2);
        pass(Duration.ofMinutes(2));
        assertThat(only().path("series").path("count").asInt()).isEqualTo(5);
        happens("Mirrored", "copied");
        assertThat(stored()).as("a new series").hasSize(2);
        pass(Duration.ofHours(1));
        assertThat(verbs()).containsExactly("create", "patch", "patch", "create");
    }

    @Test
    void s218writesASeriesThatGoesOnEachThirtyMinutes() {
        for (int i = 0; i < 3_599; i++) {
            happens("Mirrored", "copied");
            pass(Duration.ofSeconds(1));
        }
        assertThat(verbs()).containsExactly("create", "patch", "patch");
        assertThat(only().path("series").path("count").asInt()).isEqualTo(1_800);
    }

    @Test
    void isTheSameSeriesOverSeveralVersionsOfTheObject() {
        happens("Mirrored", "copied");
        events.normal(new V1Pod().metadata(new V1ObjectMeta().namespace("prod").name("web").uid("u1").resourceVersion("8")),
                "Mirrored", "Mirror", "copied");
        clock.advanceTime();
        assertThat(only().path("series").path("count").asInt()).isEqualTo(2);
    }

    @Test
    void createsASeriesAnewWhoseEventHasExpired() {
        happens("Mirrored", "copied");
        stored().forEach(server.objects()::delete);
        happens("Mirrored", "copied");
        assertThat(verbs()).containsExactly("create", "patch", "create");
        assertThat(only().path("series").path("count").asInt()).isEqualTo(2);
    }

    @Test
    void countsInOneCreateWhatHappenedBeforeItArrived() {
        server.faults().on("create", "events").refuse();
        happens("Mirrored", "copied");
        happens("Mirrored", "copied");
        happens("Mirrored", "copied");
        pass(Duration.ofSeconds(13));
        assertThat(verbs()).containsExactly("create", "create");
        assertThat(only().path("series").path("count").asInt()).isEqualTo(3);
    }

    @Test
    void writesTheSecondTimeThatHappenedWhileTheFirstWasWritten() {
        server.faults().on("create", "events").delay(Duration.ofSeconds(1));
        happens("Mirrored", "copied");
        happens("Mirrored", "copied");
        pass(Duration.ofSeconds(2));
        assertThat(verbs()).containsExactly("create", "patch");
        assertThat(only().path("series").path("count").asInt()).isEqualTo(2);
    }

    // ---- floods

    @Test
    void s212combinesTheTenthThatDiffersInItsNoteOnly() {
        for (int i = 1; i <= 10; i++) {
            happens("Mirrored", "copied " + i);
        }
        assertThat(stored()).hasSize(10).extracting(event -> event.path("note").asString())
                .contains("copied 9", "(combined from similar events): copied 10").doesNotContain("copied 10");
        happens("Mirrored", "copied 11");
        assertThat(stored()).hasSize(10).filteredOn(event -> event.path("series").path("count").asInt() == 2).hasSize(1)
                .first().satisfies(event -> assertThat(event.path("note").asString()).startsWith("(combined"));
    }

    @Test
    void s212combinesNothingThatIsTenMinutesApart() {
        for (int i = 1; i <= 12; i++) {
            happens("Mirrored", "copied " + i);
            pass(Duration.ofSeconds(601));
        }
        assertThat(stored()).hasSize(12).noneMatch(event -> event.path("note").asString().startsWith("(combined"));
    }

    @Test
    void s212keepsPartsOfAnObjectApart() {
        ObjectReference pod = ObjectReference.of(POD);
        events.record(Occurrence.normal(pod.at("spec.containers{a}"), "Pulled", "Pull", "pulled"));
        events.record(Occurrence.normal(pod.at("spec.containers{b}"), "Pulled", "Pull", "pulled"));
        clock.advanceTime();
        assertThat(stored()).hasSize(2);
    }

    @Test
    void s213createsTwentyFiveAboutOneObjectAndThenOneEachFiveMinutes() {
        for (int i = 0; i < 30; i++) {
            happens("Reason" + i, "note");
        }
        events.normal(new V1Pod().metadata(new V1ObjectMeta().namespace("prod").name("other")), "Mirrored", "Mirror", "note");
        clock.advanceTime();
        assertThat(stored()).hasSize(26);
        assertThat(drops).hasSize(5).first().isEqualTo("Reason25 x1 SPAM");
        pass(Duration.ofMinutes(5));
        happens("Again", "note");
        happens("AndAgain", "note");
        assertThat(stored()).hasSize(27);
        assertThat(drops).hasSize(6).last().isEqualTo("AndAgain x1 SPAM");
    }

    @Test
    void holdsAThousandThatWait() {
        server.faults().on("create", "events").always().stall();
        for (int i = 0; i < 1_005; i++) {
            events.normal(new V1Pod().metadata(new V1ObjectMeta().namespace("prod").name("pod-" + i)), "Mirrored", "Mirror", "note");
        }
        assertThat(drops).hasSize(5).containsOnly("Mirrored x1 FULL");
    }

    /** And remembers no more than it should. */
    @Test
    void forgetsTheEldestOfManySeries() {
        for (int i = 0; i < 4_200; i++) {
            events.normal(new V1Pod().metadata(new V1ObjectMeta().namespace("prod").name("pod-" + i)), "Mirrored", "Mirror", "note");
            clock.advanceTime();
        }
        assertThat(drops).isEmpty();
        server.requests().clear();
        events.normal(new V1Pod().metadata(new V1ObjectMeta().namespace("prod").name("pod-4199")), "Mirrored", "Mirror", "note");
        events.normal(new V1Pod().metadata(new V1ObjectMeta().namespace("prod").name("pod-0")), "Mirrored", "Mirror", "note");
        clock.advanceTime();
        assertThat(verbs()).containsExactly("patch", "create");
    }

    // ---- failures

    @Test
    void s214triesTwelveTimesWhenNobodyAnswers() {
        server.faults().on("create", "events").always().refuse();
        happens("Mirrored", "copied");
        pass(Duration.ofSeconds(9));
        assertThat(verbs()).hasSize(1);
        pass(Duration.ofMinutes(5));
        assertThat(verbs()).hasSize(12);
        assertThat(drops).containsExactly("Mirrored x1 GIVEN_UP");
    }

    /** Otherwise a busy minute of an outage would use up all tries. */
    @Test
    void whatHappensDuringAnOutageCausesNoTry() {
        server.faults().on("create", "events").times(6).refuse();
        for (int i = 0; i < 60; i++) {
            happens("Mirrored", "copied");
            pass(Duration.ofSeconds(1));
        }
        assertThat(verbs().size()).as("tries in a minute, ten seconds or more apart").isBetween(5, 6);
        pass(Duration.ofMinutes(1));
        assertThat(drops).isEmpty();
        assertThat(only().path("series").path("count").asInt()).isEqualTo(60);
    }

    @Test
    void s214triesOnceWhatTheServerRefuses() {
        server.faults().on("create", "events").status(403, "Forbidden", "namespace is being terminated");
        happens("Mirrored", "copied");
        pass(Duration.ofMinutes(5));
        assertThat(verbs()).hasSize(1);
        assertThat(drops).containsExactly("Mirrored x1 REFUSED");
        happens("Mirrored", "copied");
        assertThat(only().has("series")).as("what was dropped is forgotten").isFalse();
    }

    @Test
    void s217writesAThousandAfterFourFailuresEach() {
        server.faults().on("create", "events").times(4_000).refuse();
        for (int i = 0; i < 1_000; i++) {
            events.normal(new V1Pod().metadata(new V1ObjectMeta().namespace("prod").name("pod-" + i)), "Mirrored", "Mirror", "note");
        }
        pass(Duration.ofMinutes(3));
        assertThat(stored()).hasSize(1_000);
        assertThat(drops).isEmpty();
    }

    @Test
    void takesForItsOwnWhatIsThereAfterAnAnswerWasLost() {
        server.faults().on("create", "events").after(1).bytes().cut(Cut.RST);
        happens("Mirrored", "copied");
        pass(Duration.ofSeconds(13));
        assertThat(verbs()).containsExactly("create", "create");
        assertThat(only().has("series")).isFalse();
        happens("Mirrored", "copied");
        assertThat(only().path("series").path("count").asInt()).isEqualTo(2);
        assertThat(drops).isEmpty();
    }

    @Test
    void takesAnotherNameWhenAnotherHasIt() {
        server.faults().on("create", "events").status(409, "AlreadyExists", "events.events.k8s.io \"web.1\" already exists");
        happens("Mirrored", "copied");
        List<ApiRequest> creates = server.requests().all();
        assertThat(creates).hasSize(2);
        assertThat(creates.get(0).body().path("metadata").path("name")).isNotEqualTo(creates.get(1).body().path("metadata").path("name"));
        assertThat(stored()).hasSize(1);
    }

    // ---- the end

    @Test
    void s216writesWhatWaitsBeforeItCloses() {
        happens("Mirrored", "copied");
        for (int i = 0; i < 4; i++) {
            happens("Mirrored", "copied");
        }
        server.faults().on("patch", "events").delay(Duration.ofSeconds(1));
        StepVerifier.create(events.close(Duration.ofSeconds(5)))
                .then(() -> pass(Duration.ofSeconds(1)))
                .expectComplete().verify(Duration.ofSeconds(10));
        assertThat(only().path("series").path("count").asInt()).isEqualTo(5);
        assertThat(drops).isEmpty();
        happens("Late", "copied");
        assertThat(drops).containsExactly("Late x1 CLOSED");
        StepVerifier.create(events.close(Duration.ofSeconds(5))).then(clock::advanceTime).expectComplete().verify(Duration.ofSeconds(10));
    }

    @Test
    void s216triesOnceMoreWhatWasRetriedWhenItCloses() {
        server.faults().on("create", "events").always().refuse();
        happens("Mirrored", "copied");
        StepVerifier.create(events.close(Duration.ofSeconds(5))).then(clock::advanceTime).expectComplete().verify(Duration.ofSeconds(10));
        pass(Duration.ofMinutes(5));
        assertThat(verbs()).containsExactly("create", "create");
        assertThat(drops).containsExactly("Mirrored x1 CLOSED");
    }

    @Test
    void dropsWhatIsLeftAfterTheGrace() {
        server.faults().on("create", "events").always().stall();
        happens("Mirrored", "copied");
        StepVerifier.create(events.close(Duration.ofSeconds(5)))
                .then(() -> pass(Duration.ofSeconds(5)))
                .expectComplete().verify(Duration.ofSeconds(10));
        assertThat(drops).containsExactly("Mirrored x1 CLOSED");
    }
}
