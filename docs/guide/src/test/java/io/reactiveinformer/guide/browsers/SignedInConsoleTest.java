package io.reactiveinformer.guide.browsers;

import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.web.server.SecurityWebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/** The page docs/guide/browsers.md: users who sign in with Spring Security, over HTTP. */
@Timeout(120)
class SignedInConsoleTest {

    static final List<UserDetails> PEOPLE = List.of(
            User.withUsername("jane").password("{noop}secret").authorities("team-shop").build(),
            User.withUsername("joe").password("{noop}secret").authorities("team-bank").build());

    private final FakeApiServer server = FakeApiServer.create().start();
    private final HttpClient http = HttpClient.newHttpClient();

    /** Asks nobody to sign in, so that what is not signed in reaches the stream. */
    @EnableWebFluxSecurity
    @Import(SignedInConsole.class)
    static class WithUsers {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(all -> all.anyExchange().permitAll()).anonymous(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults()).build();
        }

        @Bean
        MapReactiveUserDetailsService people() {
            return new MapReactiveUserDetailsService(PEOPLE);
        }
    }

    /** The application, and what kind it is. */
    List<Object> program() {
        return List.of(WithUsers.class, "reactive");
    }

    @BeforeEach
    void fill() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        for (String namespace : new String[] {"shop", "bank"}) {
            pod(namespace, "of-" + namespace);
            server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader, namespace: " + namespace
                    + "}, rules: [{apiGroups: [''], resources: [pods], verbs: [get, list, watch]}]}");
            server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: team, namespace: "
                    + namespace + "}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader},"
                    + " subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: team-" + namespace + "}]}");
        }
    }

    @AfterEach
    void close() {
        server.close();
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    private void pod(String namespace, String name) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: " + namespace
                + "}, spec: {containers: [{name: main, image: i}]}, status: {phase: Running}}");
    }

    private HttpResponse<Stream<String>> ask(ConfigurableApplicationContext application, @Nullable String user) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + "/pods/stream"));
        if (user != null) {
            byte[] words = user.getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(words));
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofLines());
    }

    private static String until(Iterator<String> lines, String beginning, String never) {
        while (true) {
            String line = lines.next();
            assertThat(line).as("of another team").doesNotContain(never);
            if (line.startsWith(beginning)) {
                return line;
            }
        }
    }

    @Test
    void eachSeesHisOwnAndNobodyNothing() throws Exception {
        try (ConfigurableApplicationContext application = SpringApplication.run((Class<?>) program().get(0), "--server.port=0",
                "--spring.main.web-application-type=" + program().get(1), "--spring.threads.virtual.enabled=true",
                "--spring.main.banner-mode=off", "--reactive-informer.permissions.enabled=true",
                "--reactive-informer.informers.pods.type=V1Pod", "--reactive-informer.wait-for-sync=30s",
                "--reactive-informer.url=" + server.url())) {
            for (String nobody : new String[] {null, "jane:guessed", ":secret", "nobody:secret"}) {
                HttpResponse<Stream<String>> answer = ask(application, nobody);
                assertThat(answer.statusCode()).as(nobody).isEqualTo(401);
                assertThat(answer.body()).noneMatch(line -> line.contains("of-"));
            }
            Iterator<String> jane = ask(application, "jane:secret").body().iterator();
            Iterator<String> joe = ask(application, "joe:secret").body().iterator();
            assertThat(until(jane, "data:{\"key\"", "of-bank")).contains("shop/of-shop");
            assertThat(until(joe, "data:{\"key\"", "of-shop")).contains("bank/of-bank");
            until(jane, "event:synced", "of-bank");

            long taken = System.nanoTime();
            server.objects().delete(ResourceType.of(V1RoleBinding.class), ObjectKey.of("shop", "team"));
            until(jane, "event:reset", "of-");
            assertThat(Duration.ofNanos(System.nanoTime() - taken)).isLessThan(Duration.ofSeconds(1));
            pod("shop", "of-shop-later");
            assertThat(until(jane, "event:synced", "of-")).isEqualTo("event:synced");
            pod("bank", "of-bank-later");
            assertThat(until(joe, "data:{\"key\":\"bank/of-bank-later\"", "of-shop")).isNotEmpty();
        }
    }
}
