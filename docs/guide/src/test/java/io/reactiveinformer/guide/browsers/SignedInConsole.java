package io.reactiveinformer.guide.browsers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.spring.RowStream;
import io.reactiveinformer.spring.StreamOptions;
import io.reactiveinformer.spring.StreamRequest;
import io.reactiveinformer.spring.UserRights;
import java.time.Duration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/** Shows each user, who signs in with Spring Security, the pods that the cluster would let him list. */
@SpringBootConfiguration
@EnableAutoConfiguration
class SignedInConsole {

    @Bean
    UserRights.Mapping users() {
        return who -> User.of(who.getName(), who.getAuthorities().stream().map(GrantedAuthority::getAuthority).toArray(String[]::new));
    }

    @Bean
    RowStream podStream(Informer<V1Pod> pods) {
        return RowStream.of(pods, PodConsole.PodRow::of, StreamOptions.named("console"));
    }

    @RestController
    static class Pods {

        private final RowStream stream;
        private final UserRights users;

        Pods(RowStream stream, UserRights users) {
            this.stream = stream;
            this.users = users;
        }

        @GetMapping(path = "/pods/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<ServerSentEvent<String>> pods(@RequestHeader HttpHeaders headers, @RequestParam MultiValueMap<String, String> query) {
            return stream.events(StreamRequest.of(headers, query).withRights(users.rights(ResourceType.of(V1Pod.class), "list")))
                    .take(Duration.ofMinutes(15));                                          // then he shows anew who he is
        }
    }
}
