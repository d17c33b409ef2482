package io.reactiveinformer.guide.browsers;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.spring.RowStream;
import io.reactiveinformer.spring.StreamOptions;
import io.reactiveinformer.spring.StreamRequest;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.Retention;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;

/** What {@link HostileClientTest} attacks: a user sees the namespace of his name, and rows of pods named bad cannot be computed. */
@SpringBootConfiguration
@EnableAutoConfiguration
class HostileConsole {

    static final int SELECTIONS = 20;
    static final Duration RETENTION = Duration.ofSeconds(3);

    @Bean
    TestView<ObjectKey, V1Pod> pods() {
        return TestView.create();
    }

    static void put(TestView<ObjectKey, V1Pod> pods, String namespace, String name, String phase) {
        pods.put(ObjectKey.of(namespace, name), new V1Pod().metadata(new V1ObjectMeta().namespace(namespace).name(name)
                .labels(Map.of("app", "web", "note\n\ndata: x", "a\r\nevent: reset\ndata: {}"))).status(new V1PodStatus().phase(phase)));
    }

    @Bean
    RowStream podStream(TestView<ObjectKey, V1Pod> pods) {
        return RowStream.of(pods, pod -> {
            if (pod.getMetadata().getName().startsWith("bad")) {
                throw new IllegalStateException("no row of it");
            }
            return PodConsole.PodRow.of(pod);
        }, StreamOptions.named("hostile").withRetention(Retention.of(RETENTION)).withSelections(SELECTIONS).withSubscribers(500)
                .withPulse(Duration.ofSeconds(1)));
    }

    @RestController
    static class Pods {

        private final RowStream stream;

        Pods(RowStream stream) {
            this.stream = stream;
        }

        @GetMapping(path = "/pods/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<ServerSentEvent<String>> pods(@RequestHeader(name = "X-User", required = false) @Nullable String user,
                @RequestHeader HttpHeaders headers, @RequestParam MultiValueMap<String, String> query) {
            if (user == null || user.isBlank()) {
                throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
            }
            return stream.events(StreamRequest.of(headers, query).withRights(Flux.just(new Namespace(user)).concatWith(Flux.never())));
        }
    }

    /** The rights of one user. */
    private record Namespace(String name) implements Predicate<ObjectKey> {

        @Override
        public boolean test(ObjectKey key) {
            return name.equals(key.namespace());
        }
    }
}
