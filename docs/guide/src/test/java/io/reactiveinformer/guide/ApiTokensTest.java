package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The API tokens of docs/guide/spring.md, with the page's own YAML, before a controller. */
@Timeout(120)
class ApiTokensTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ApiTokens.class)
    @RestController
    static class Application {

        @GetMapping("/hello")
        Mono<String> hello() {
            return Mono.just("hello");
        }
    }

    @Test
    void aTokenIsGoodAsLongAsItsSecretExists(@TempDir Path directory) throws Exception {
        String page = Files.readString(GuideSnippetsTest.root().resolve("docs/guide/spring.md")).split("### API tokens", 2)[1];
        String yaml = page.split("```yaml\n", -1)[1].split("```", -1)[0];
        Files.writeString(directory.resolve("application.yaml"), yaml.replace("com.example.ApiToken", ApiToken.class.getName()));
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        try (FakeApiServer server = FakeApiServer.create().start()) {
            create(server, "one", "{token: hunter1}");
            create(server, "empty", "{other: x}");
            try (ConfigurableApplicationContext application = SpringApplication.run(Application.class,
                    "--spring.config.location=" + directory.toUri(), "--spring.main.web-application-type=reactive",
                    "--server.port=0", "--spring.main.banner-mode=off",
                    "--reactive-informer.wait-for-sync=30s", "--reactive-informer.url=" + server.url())) {
                assertThat(status(application, "hunter1")).isEqualTo(200);
                assertThat(status(application, "hunter2")).isEqualTo(401);
                assertThat(status(application, "")).isEqualTo(401);
                Informer<?> tokens = application.getBean("tokensInformer", Informer.class);
                assertThat(tokens.lister().list().toString()).doesNotContain("hunter").doesNotContain("aHVudGVyMQ");
                create(server, "two", "{token: hunter2}");
                tokens.await(ObjectKey.of("shop", "two"), there -> true).block(PATIENCE);
                assertThat(status(application, "hunter2")).isEqualTo(200);
                server.objects().delete(ResourceType.of(V1Secret.class), ObjectKey.of("shop", "one"));
                tokens.awaitAbsent(ObjectKey.of("shop", "one")).block(PATIENCE);
                assertThat(status(application, "hunter1")).isEqualTo(401);
            }
        } finally {
            System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
        }
    }

    private static void create(FakeApiServer server, String name, String data) {
        server.objects().create("{apiVersion: v1, kind: Secret, metadata: {name: " + name
                + ", namespace: shop, labels: {purpose: api-token}}, stringData: " + data + "}");
    }

    private static int status(ConfigurableApplicationContext application, String token) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + "/hello");
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
