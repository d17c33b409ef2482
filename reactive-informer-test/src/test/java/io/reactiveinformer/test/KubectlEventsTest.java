package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.recorder.Occurrence;
import io.reactiveinformer.recorder.RecorderObserver;
import io.reactiveinformer.recorder.RecorderOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What a recorder tells, as people see it. */
class KubectlEventsTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private @TempDir Path home;

    @Test
    void showsWhatARecorderToldAndHowOften() {
        try (FakeApiServer server = FakeApiServer.create().start(); KubernetesClient client = KubernetesClient.over(server.transport())) {
            var kubectl = new Kubectl(server, home);
            kubectl.run("create", "namespace", "prod");
            Sinks.Many<Integer> written = Sinks.many().replay().all();
            EventRecorder events = EventRecorder.of(client, RecorderOptions.of("example.com/mirror").withObserver(new RecorderObserver() {
                @Override
                public void written(Occurrence first, int count) {
                    written.tryEmitNext(count);
                }
            }));
            var pod = new V1Pod().metadata(new V1ObjectMeta().namespace("prod").name("web").uid("u1"));
            events.warning(pod, "MirrorFailed", "Mirror", "no such image: nginx:404");
            StepVerifier.create(written.asFlux())
                    .expectNext(1)
                    .then(() -> events.warning(pod, "MirrorFailed", "Mirror", "no such image: nginx:404"))
                    .expectNext(2)
                    .thenCancel().verify(LIMIT);
            StepVerifier.create(events.close(LIMIT)).expectComplete().verify(LIMIT);

            assertThat(kubectl.run("get", "events", "-n", "prod")).contains("Warning", "MirrorFailed", "pod/web", "no such image: nginx:404");
            assertThat(kubectl.run("get", "events.events.k8s.io", "-n", "prod", "-o", "jsonpath={.items[*].series.count} {.items[*].reportingController}"))
                    .isEqualTo("2 example.com/mirror");
            assertThat(kubectl.run("events", "-n", "prod", "--for", "pod/web")).contains("MirrorFailed");
        }
    }
}
