package io.reactiveinformer.guide.browsers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.spring.RowStream;
import io.reactiveinformer.spring.StreamOptions;
import io.reactiveinformer.spring.StreamRequest;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Shows the pods of a cluster in browsers. */
@SpringBootConfiguration
@EnableAutoConfiguration
class PodConsole {

    record PodRow(String phase) {

        static PodRow of(V1Pod pod) {
            return new PodRow(pod.getStatus() == null ? "" : pod.getStatus().getPhase());
        }
    }

    @Bean
    RowStream podStream(Informer<V1Pod> pods) {
        return RowStream.of(pods, PodRow::of, StreamOptions.named("console"));
    }

    @RestController
    static class Pods {

        private final RowStream stream;

        Pods(RowStream stream) {
            this.stream = stream;
        }

        @GetMapping(path = "/pods/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<ServerSentEvent<String>> pods(@RequestHeader HttpHeaders headers, @RequestParam MultiValueMap<String, String> query) {
            return stream.events(StreamRequest.of(headers, query));
        }

        @GetMapping("/pods/together")
        Mono<Void> together(
                @RequestHeader HttpHeaders headers, @RequestParam MultiValueMap<String, String> query, ServerHttpResponse response) {
            return stream.writeTo(response, StreamRequest.of(headers, query));
        }
    }
}
