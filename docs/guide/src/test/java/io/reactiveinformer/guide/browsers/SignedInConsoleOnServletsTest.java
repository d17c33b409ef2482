package io.reactiveinformer.guide.browsers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.spring.RowStream;
import io.reactiveinformer.spring.UserRights;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The same with Spring MVC, where the user is that of the request's thread; who is not signed in is the anonymous user there. */
class SignedInConsoleOnServletsTest extends SignedInConsoleTest {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @EnableWebSecurity
    static class WithUsersOfServlets {

        @Bean
        SecurityFilterChain security(HttpSecurity http) {
            return http.authorizeHttpRequests(all -> all.anyRequest().permitAll()).httpBasic(Customizer.withDefaults()).build();
        }

        @Bean
        UserDetailsService people() {
            return new InMemoryUserDetailsManager(PEOPLE);
        }

        @Bean
        UserRights.Mapping users() {
            return new SignedInConsole().users();
        }

        @Bean
        RowStream podStream(Informer<V1Pod> pods) {
            return new SignedInConsole().podStream(pods);
        }

        @RestController
        static class Pods extends SignedInConsole.Pods {

            Pods(RowStream stream, UserRights users) {
                super(stream, users);
            }

            @Override
            @GetMapping(path = "/pods/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
            Flux<ServerSentEvent<String>> pods(@RequestHeader HttpHeaders headers, @RequestParam MultiValueMap<String, String> query) {
                return super.pods(headers, query).contextWrite(
                        ReactiveSecurityContextHolder.withSecurityContext(Mono.just(SecurityContextHolder.getContext())));
            }
        }
    }

    @Override
    List<Object> program() {
        return List.of(WithUsersOfServlets.class, "servlet");
    }
}
