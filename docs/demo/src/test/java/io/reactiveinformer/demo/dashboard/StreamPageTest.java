package io.reactiveinformer.demo.dashboard;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.spring.RowStream;
import io.reactiveinformer.spring.StreamOptions;
import io.reactiveinformer.spring.StreamRequest;
import io.reactiveinformer.test.FakeApiServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** The page of docs/guide/browsers.md in a browser, whose connection is cut again and again, and whose server is killed and started. */
@Tag("long")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@EnabledIfSystemProperty(named = "test.thorough", matches = "true", disabledReason = "a browser is slow: only with -Pthorough")
class StreamPageTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final Path PAGE = Path.of("../guide/src/test/resources/static/pods.html");
    private static final String MARKUP = "<img src=x onerror=document.title=1>";

    @RegisterExtension
    static final SharedChromium OPEN = new SharedChromium();

    private final Chromium browser = OPEN.browser();
    private final FakeApiServer server = FakeApiServer.create().start();
    private ConfigurableApplicationContext application;
    private int port;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        RowStream podStream(Informer<V1Pod> pods) {
            return RowStream.of(pods, pod -> Map.of("phase", String.valueOf(pod.getStatus().getPhase())), StreamOptions.named("page"));
        }

        @Bean
        SecurityWebFilterChain open(ServerHttpSecurity http) {
            return http.authorizeExchange(exchange -> exchange.anyExchange().permitAll()).build();
        }

        /** Each connection is cut after a second. */
        @Bean
        RouterFunction<ServerResponse> routes(RowStream stream) throws Exception {
            String page = Files.readString(PAGE);
            return RouterFunctions.route()
                    .GET("/", request -> ServerResponse.ok().contentType(MediaType.TEXT_HTML).bodyValue(page))
                    .GET("/pods/stream", request -> {
                        Flux<ServerSentEvent<String>> events = stream.events(StreamRequest.of(request.headers().asHttpHeaders(),
                                request.queryParams())).take(Duration.ofSeconds(1));
                        return ServerResponse.ok().contentType(MediaType.TEXT_EVENT_STREAM).body(BodyInserters.fromServerSentEvents(events));
                    })
                    .build();
        }
    }

    @BeforeEach
    void start() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        create("web", "Running");
        application = run(0);
        port = Integer.parseInt(String.valueOf(application.getEnvironment().getProperty("local.server.port")));
    }

    private ConfigurableApplicationContext run(int at) {
        return SpringApplication.run(Application.class, "--server.port=" + at, "--spring.main.banner-mode=off",
                "--reactive-informer.informers.pods.type=V1Pod", "--reactive-informer.wait-for-sync=30s",
                "--reactive-informer.url=" + server.url());
    }

    @AfterEach
    void stop() {
        browser.reset();
        application.close();
        server.close();
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    private void create(String name, String phase) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: shop}, spec: {containers: [{name: main,"
                + " image: i}]}, status: {phase: '" + phase + "'}}");
    }

    private void becomes(String name, String phase) {
        server.objects().edit(PODS, ObjectKey.of("shop", name), pod -> {
            pod.withObject("status").put("phase", phase);
            return pod;
        });
    }

    private void shows(String key, String phase) {
        browser.until(key + " " + phase, () -> browser.text("[data-key='" + key + "']").equals(key + " " + phase));
    }

    @Test
    void theTableIsRightThroughCutsAndRestarts() throws Exception {
        browser.visit("http://127.0.0.1:" + port + "/");
        shows("shop/web", "Running");
        for (int i = 0; i < 20; i++) {
            create("p" + i, "Pending");
            becomes("web", "state-" + i);
            if (i > 2) {
                server.objects().deleteNow(PODS, ObjectKey.of("shop", "p" + (i - 3)));
            }
            if (i % 4 == 0) {
                shows("shop/web", "state-" + i); // so that there are cuts meanwhile
            }
        }
        shows("shop/web", "state-19");
        browser.until("three others", () -> browser.text("#state").equals("4 pods"));
        assertThat(browser.texts("tr")).containsExactlyInAnyOrder("shop/web state-19", "shop/p17 Pending", "shop/p18 Pending", "shop/p19 Pending");

        application.close();
        becomes("web", "meanwhile");
        server.objects().deleteNow(PODS, ObjectKey.of("shop", "p17"));
        browser.until("silence is told", () -> browser.text("#state").startsWith("nothing heard for "));
        application = run(port);
        shows("shop/web", "meanwhile");
        browser.until("what there is", () -> browser.text("#state").equals("3 pods"));
        assertThat(browser.texts("tr")).hasSize(3).doesNotContain("shop/p17 Pending");
        becomes("web", MARKUP);
        shows("shop/web", MARKUP);
        assertThat(browser.title()).isEqualTo("Pods");
        browser.picture(Path.of("target/stream-page.png"), 500, 300, "light");
    }
}
