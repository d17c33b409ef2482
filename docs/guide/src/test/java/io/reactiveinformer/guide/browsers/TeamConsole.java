package io.reactiveinformer.guide.browsers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.spring.RowStream;
import io.reactiveinformer.spring.StreamOptions;
import io.reactiveinformer.spring.StreamRequest;
import java.security.Principal;
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
import reactor.core.publisher.Mono;

/** Shows each user the pods that the cluster would let him list. */
@SpringBootConfiguration
@EnableAutoConfiguration
class TeamConsole {

    @Bean
    Permissions permissions(InformerFactory informers) {
        return Permissions.of(informers);
    }

    @Bean
    RowStream podStream(Informer<V1Pod> pods) {
        return RowStream.of(pods, PodConsole.PodRow::of, StreamOptions.named("console"));
    }

    @RestController
    static class Pods {

        private final RowStream stream;
        private final Permissions permissions;

        Pods(RowStream stream, Permissions permissions) {
            this.stream = stream;
            this.permissions = permissions;
        }

        @GetMapping(path = "/pods/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<ServerSentEvent<String>> pods(
                Mono<Principal> who, @RequestHeader HttpHeaders headers, @RequestParam MultiValueMap<String, String> query) {
            StreamRequest request = StreamRequest.of(headers, query);
            return who.switchIfEmpty(Mono.error(new ResponseStatusException(HttpStatus.UNAUTHORIZED)))
                    .map(user -> User.of(user.getName()))                                       // as the cluster knows him, with his groups
                    .flatMapMany(user -> stream.events(
                            request.withRights(permissions.rights(user, ResourceType.of(V1Pod.class), "list"))));
        }
    }
}
