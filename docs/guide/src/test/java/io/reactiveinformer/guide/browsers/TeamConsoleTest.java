package io.reactiveinformer.guide.browsers;

import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The page docs/guide/browsers.md: each user his own. */
@Timeout(120)
class TeamConsoleTest {

    private final HttpClient http = HttpClient.newHttpClient();

    /** In place of Spring Security. */
    @Import(TeamConsole.class)
    static class WithUsers {

        @Bean
        WebFilter users() {
            return (exchange, chain) -> {
                String name = exchange.getRequest().getHeaders().getFirst("X-User");
                Principal user = name == null ? null : () -> name;
                return chain.filter(exchange.mutate().principal(Mono.justOrEmpty(user)).build());
            };
        }
    }

    private HttpRequest request(String address, @Nullable String user, @Nullable String last) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "/pods/stream"));
        if (user != null) {
            request.header("X-User", user);
        }
        return (last == null ? request : request.header("Last-Event-ID", last)).build();
    }

    private Iterator<String> events(String address, String user, @Nullable String last) throws Exception {
        return http.send(request(address, user, last), HttpResponse.BodyHandlers.ofLines()).body().filter(line -> !line.isEmpty()).iterator();
    }

    private static String until(Iterator<String> lines, String beginning) {
        while (true) {
            String line = lines.next();
            assertThat(line).as("of another team").doesNotContain("bank");
            if (line.startsWith(beginning)) {
                return line;
            }
        }
    }

    private static void pod(FakeApiServer server, String namespace, String name) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: " + namespace
                + "}, spec: {containers: [{name: main, image: i}]}, status: {phase: Running}}");
    }

    @Test
    void eachUserSeesWhatTheClusterLetsHimList() throws Exception {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        try (FakeApiServer server = FakeApiServer.create().start()) {
            pod(server, "shop", "web");
            pod(server, "bank", "vault");
            server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader, namespace: shop},"
                    + " rules: [{apiGroups: [''], resources: [pods], verbs: [get, list, watch]}]}");
            server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: jane, namespace: shop},"
                    + " roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader},"
                    + " subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]}");
            try (ConfigurableApplicationContext application = SpringApplication.run(WithUsers.class, "--server.port=0",
                    "--spring.main.banner-mode=off", "--reactive-informer.informers.pods.type=V1Pod",
                    "--reactive-informer.wait-for-sync=30s", "--reactive-informer.url=" + server.url())) {
                String address = "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
                assertThat(http.send(request(address, null, null), HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(401);
                Iterator<String> jane = events(address, "jane", null);
                assertThat(until(jane, "data:{\"key\"")).contains("shop/web");
                String last = until(jane, "id:").substring(3);

                long taken = System.nanoTime();
                server.objects().delete(ResourceType.of(V1RoleBinding.class), ObjectKey.of("shop", "jane"));
                until(jane, "event:reset");
                assertThat(Duration.ofNanos(System.nanoTime() - taken)).isLessThan(Duration.ofSeconds(1));
                assertThat(until(jane, "event:synced")).isEqualTo("event:synced");
                pod(server, "shop", "later");

                Iterator<String> again = events(address, "jane", last);
                until(again, "event:reset");
                assertThat(again.next()).isEqualTo("retry:1000");
                assertThat(again.next()).isEqualTo("data:{}");
                assertThat(again.next()).startsWith("id:");
                assertThat(again.next()).as("and no row").isEqualTo("event:synced");
            }
        } finally {
            System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
        }
    }
}
