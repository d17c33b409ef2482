package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.faults.Cut;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static io.reactiveinformer.demo.controllers.JobController.JOBS;
import static io.reactiveinformer.demo.controllers.PodControl.PODS;
import static org.assertj.core.api.Assertions.assertThat;

class JobControllerTest {

    private static final String CREATE = "create pods in default";
    private static final String STATUS = "update jobs.batch/status sum in default";

    private Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void job(String spec) {
        fixture.given("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: sum}
                spec:
                  %s
                  template:
                    spec: {restartPolicy: Never, containers: [{name: c, image: "x:1"}]}
                """.formatted(spec.replace("\n", "\n  ")));
    }

    /** Those of its pods that have not ended. */
    private List<String> running() {
        return fixture.all(PODS).stream()
                .filter(pod -> !List.of("Succeeded", "Failed").contains(pod.at("/status/phase").asString())
                        && !pod.path("metadata").has("deletionTimestamp"))
                .map(pod -> pod.at("/metadata/name").asString())
                .toList();
    }

    private void end(String name, String phase) {
        fixture.edit(PODS, name, pod -> pod.withObject("/status").put("phase", phase).putArray("containerStatuses").addObject()
                .put("name", "c")
                .withObject("/state/terminated")
                .put("finishedAt", fixture.cluster.now().toString()));
    }

    private void endOne(String phase) {
        end(running().get(0), phase);
        fixture.pass(Fixture.MOMENT);
    }

    private JsonNode status() {
        return fixture.get(JOBS, "sum").path("status");
    }

    /** {@code succeeded failed active}, then the conditions. */
    private String summary() {
        var text = new StringBuilder(status().path("succeeded").asInt(0) + " " + status().path("failed").asInt(0)
                + " " + status().path("active").asInt(0));
        status().path("conditions").forEach(condition -> text.append(' ').append(condition.path("type").asString())
                .append(':').append(condition.path("reason").asString()));
        return text.toString();
    }

    @Test
    void startsAsManyPodsAsMayRunAtATime() {
        job("completions: 3\nparallelism: 2");

        fixture.start(JobController::of).expectWrites(STATUS, CREATE, CREATE, STATUS);

        JsonNode pod = fixture.all(PODS).get(0);
        assertThat(pod.at("/metadata/finalizers/0").asString()).isEqualTo(JobTally.HELD);
        assertThat(pod.path("metadata").path("labels").path(JobController.NAME_LABEL).asString()).isEqualTo("sum");
        assertThat(pod.path("metadata").path("labels").path("controller-uid")).isEqualTo(fixture.get(JOBS, "sum").at("/metadata/uid"));
        assertThat(summary()).isEqualTo("0 0 2");
        assertThat(status().has("startTime")).isTrue();
    }

    @Test
    void countsAPodInThreeWrites() {
        job("completions: 2\nparallelism: 1");
        fixture.start(JobController::of).forget();
        String first = running().get(0);

        end(first, "Succeeded");
        fixture.pass(Fixture.MOMENT).expectWrites(STATUS, "patch pods " + first + " in default", CREATE, STATUS);

        JsonNode listed = fixture.server.requests().writes().get(0).body().path("status");
        assertThat(listed.at("/uncountedTerminatedPods/succeeded/0")).isEqualTo(fixture.get(PODS, first).at("/metadata/uid"));
        assertThat(listed.has("succeeded")).isFalse();
        assertThat(fixture.get(PODS, first).path("metadata").path("finalizers")).isEmpty();
        assertThat(summary()).isEqualTo("1 0 1");
        assertThat(status().has("uncountedTerminatedPods")).isFalse();
    }

    @Test
    void isCompleteWhenEnoughHaveSucceeded() {
        job("completions: 2\nparallelism: 2");
        fixture.start(JobController::of);

        endOne("Succeeded");
        assertThat(summary()).isEqualTo("1 0 1");
        endOne("Succeeded");

        assertThat(summary()).isEqualTo("2 0 0 SuccessCriteriaMet:CompletionsReached Complete:CompletionsReached");
        assertThat(status().has("completionTime")).isTrue();
        fixture.forget().pass(Duration.ofHours(1)).expectWrites();
    }

    @Test
    void countsAPodThatIsDeletedAsFailed() {
        job("completions: 1");
        fixture.start(JobController::of);
        String victim = running().get(0);

        fixture.server.objects().delete(PODS, ObjectKey.of("default", victim));
        fixture.pass(Fixture.MOMENT);

        assertThat(summary()).isEqualTo("0 1 1");
        assertThat(fixture.names(PODS)).hasSize(1);
    }

    @Test
    void waitsLongerAfterEachFailure() {
        job("completions: 1");
        fixture.start(JobController::of);

        for (int pause : List.of(10, 20, 40)) {
            endOne("Failed");
            assertThat(running()).isEmpty();
            fixture.pass(Duration.ofSeconds(pause - 2));
            assertThat(running()).as("before %d s", pause).isEmpty();
            fixture.pass(Duration.ofSeconds(3));
            assertThat(running()).as("after %d s", pause).hasSize(1);
        }
    }

    @Test
    void failsAfterTooManyFailuresAndEndsWhatRuns() {
        job("completions: 5\nparallelism: 2\nbackoffLimit: 1");
        fixture.start(JobController::of);

        endOne("Failed");
        fixture.pass(Duration.ofSeconds(15));
        assertThat(running()).hasSize(2);
        endOne("Failed");

        assertThat(running()).isEmpty();
        assertThat(summary()).isEqualTo("0 3 0 FailureTarget:BackoffLimitExceeded Failed:BackoffLimitExceeded");
        assertThat(status().has("completionTime")).isFalse();
        fixture.forget().pass(Duration.ofHours(1)).expectWrites();
    }

    @Test
    void failsWhenItsTimeIsOver() {
        job("completions: 1\nactiveDeadlineSeconds: 60");
        fixture.start(JobController::of).pass(Duration.ofSeconds(57));
        assertThat(summary()).isEqualTo("0 0 1");
        fixture.pass(Duration.ofSeconds(5));
        assertThat(summary()).isEqualTo("0 1 0 FailureTarget:DeadlineExceeded Failed:DeadlineExceeded");
        assertThat(running()).isEmpty();
    }

    @Test
    void isDoneWithTheFirstSuccessWhereNoNumberIsSaid() {
        job("parallelism: 3");
        fixture.start(JobController::of);
        assertThat(running()).hasSize(3);
        endOne("Succeeded");
        assertThat(running()).as("the others may end").hasSize(2);
        endOne("Succeeded");
        endOne("Succeeded");
        assertThat(summary()).startsWith("3 0 0").endsWith("Complete:CompletionsReached");
    }

    @Test
    void isDeletedWhenItHasBeenOverForSoLong() {
        job("completions: 1\nttlSecondsAfterFinished: 30");
        fixture.start(JobController::of);
        endOne("Succeeded");
        fixture.pass(Duration.ofSeconds(28));
        assertThat(fixture.names(JOBS)).containsExactly("sum");
        fixture.pass(Duration.ofSeconds(3));
        assertThat(fixture.names(JOBS)).isEmpty();
        assertThat(fixture.names(PODS)).isEmpty();
    }

    @Test
    void letsGoOfThePodsOfAJobThatIsDeleted() {
        job("completions: 2\nparallelism: 2");
        fixture.start(JobController::of);
        fixture.server.objects().delete(JOBS, ObjectKey.of("default", "sum"));
        fixture.pass(Fixture.MOMENT);
        assertThat(fixture.names(PODS)).isEmpty();
    }

    @Test
    void letsGoOfPodsThatNobodyControlsAnyMore() {
        job("completions: 1");
        fixture.start(JobController::of);
        String left = running().get(0);
        fixture.edit(PODS, left, pod -> pod.withObject("/metadata").remove("ownerReferences"));
        fixture.server.objects().delete(JOBS, ObjectKey.of("default", "sum"));
        fixture.pass(Fixture.MOMENT);
        assertThat(fixture.all(PODS)).allMatch(pod -> pod.path("metadata").path("finalizers").isEmpty());
    }

    @Test
    void countsEachPodOnceWhateverAnswersAreLost() {
        for (int lost = 0; lost < 8; lost++) {
            fixture.close();
            fixture = new Fixture();
            job("completions: 4\nparallelism: 2");
            fixture.server.faults().on("update", "jobs.batch/status").skip(lost).after(0).bytes().cut(Cut.RST);
            fixture.server.faults().on("patch", "pods").skip(lost / 2).after(0).bytes().cut(Cut.RST);
            fixture.start(JobController::of);
            for (int i = 0; i < 4; i++) {
                endOne("Succeeded");
                fixture.pass(Duration.ofSeconds(5));
            }
            assertThat(summary()).as("after %d", lost).startsWith("4 0 0 ").endsWith("Complete:CompletionsReached");
            assertThat(fixture.all(PODS)).hasSize(4);
            assertThat(fixture.failures()).as("after %d", lost).isNotEmpty();
        }
    }

    @Test
    void startsNothingWhileItIsSuspended() {
        job("suspend: true");
        fixture.start(JobController::of).expectWrites();
        fixture.edit(JOBS, "sum", job -> job.withObject("/spec").put("suspend", false));
        fixture.pass(Fixture.MOMENT);
        assertThat(running()).hasSize(1);
    }
}
