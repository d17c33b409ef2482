package io.reactiveinformer.cloud;

import com.sun.net.httpserver.HttpServer;
import io.reactiveinformer.test.FakeApiServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The application of docs/guide/spring-cloud.md, with the page's own YAML, asked over HTTP. */
@Timeout(120)
class SpringCloudGuideTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Carts.class)
    static class Application {

        @Bean
        @LoadBalanced
        WebClient.Builder balanced() {
            return WebClient.builder();
        }
    }

    @RestController
    static class Carts {

        private final WebClient client;
        private final ReactiveDiscoveryClient services;

        Carts(@LoadBalanced WebClient.Builder balanced, ReactiveDiscoveryClient services) {
            this.client = balanced.build();
            this.services = services;
        }

        @GetMapping("/carts/{customer}")
        Mono<String> cart(@PathVariable String customer) {
            return client.get().uri("http://cart/of/{customer}", customer).retrieve().bodyToMono(String.class);
        }

        @GetMapping("/instances/{service}")
        Flux<String> instances(@PathVariable String service) {
            return services.getInstances(service).map(instance -> instance.getUri() + " in zone " + instance.getMetadata().get("zone"));
        }
    }

    private static String page() throws Exception {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve("docs/guide/spring-cloud.md"))) {
                return Files.readString(at.resolve("docs/guide/spring-cloud.md"));
            }
        }
        throw new IllegalStateException("no docs/guide above " + Path.of("").toAbsolutePath());
    }

    @Test
    void theApplicationOfThePageWorks(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("application.yaml"), page().split("```yaml\n", -1)[1].split("```", -1)[0]);
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        HttpServer backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.createContext("/", exchange -> {
            byte[] answer = ("cart " + exchange.getRequestURI()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        backend.start();
        try (FakeApiServer server = FakeApiServer.create().start()) {
            int port = backend.getAddress().getPort();
            server.objects().create(Slices.ready("shop", "cart", "127.0.0.1").replace("port: 8080", "port: " + port));
            try (ConfigurableApplicationContext application = SpringApplication.run(Application.class,
                    "--spring.config.location=" + directory.toUri(), "--server.port=0", "--spring.main.banner-mode=off",
                    "--reactive-informer.url=" + server.url())) {
                String address = "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
                assertThat(get(address + "/instances/cart")).isEqualTo("http://127.0.0.1:" + port + " in zone a");
                assertThat(get(address + "/carts/ada")).isEqualTo("cart /of/ada");
            }
        } finally {
            backend.stop(0);
            System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
        }
    }

    private static String get(String uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString()).body();
    }

    @Test
    void thePageHasEachProperty() throws Exception {
        String page = page();
        assertThat(Arrays.stream(CloudProperties.class.getRecordComponents())
                .map(component -> component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT)))
                .allSatisfy(property -> assertThat(page).contains("| `" + property + "` |"));
    }
}
