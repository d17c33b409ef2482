package io.reactiveinformer.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.test.FakeApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * An application without controllers has no class of theirs on its path, and starts, is healthy, measured and shown as before. The build
 * runs what has this tag once more, on a path without {@code reactive-informer-operator}; with it, it is skipped.
 */
@Tag("without-operators")
@Timeout(120)
class WithoutOperatorsTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** The tests' logging is set up, and is not this application's. */
    @BeforeAll
    static void keepLogging() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
    }

    @AfterAll
    static void restoreLogging() {
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    private static JsonNode get(ConfigurableApplicationContext application, String path) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + "/actuator/" + path);
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    @Test
    void anApplicationWithoutControllersIsWhole() throws Exception {
        boolean present = ClassUtils.isPresent("io.reactiveinformer.controller.Controller", null);
        assumeThat(present && !Boolean.getBoolean("without-operators")).as("the usual path of the tests").isFalse();
        assertThat(present).as("operators on the path").isFalse();
        try (FakeApiServer server = FakeApiServer.create().start();
                ConfigurableApplicationContext application = SpringApplication.run(Application.class,
                        "--server.port=0", "--spring.main.banner-mode=off", "--reactive-informer.url=" + server.url(),
                        "--reactive-informer.informers.pods.type=V1Pod", "--reactive-informer.wait-for-sync=30s",
                        "--management.endpoints.web.exposure.include=health,informers,metrics",
                        "--management.endpoint.health.show-details=always")) {
            JsonNode shown = get(application, "informers");
            assertThat(shown.at("/informers/0/state").asString()).isEqualTo("LIVE");
            assertThat(shown.path("controllers")).isEmpty();
            assertThat(get(application, "health").at("/components/informers/status").asString()).isEqualTo("UP");
            assertThat(get(application, "health").at("/components").has("controllers")).isFalse();
            Informer<?> pods = application.getBean("podsInformer", Informer.class);
            assertThat(pods.synced(Duration.ofSeconds(30)).thenReturn(List.of("synced")).block()).hasSize(1);
            assertThat(application.getBean(MeterRegistry.class).find("informer.objects").gauge()).isNotNull();
        }
    }
}
