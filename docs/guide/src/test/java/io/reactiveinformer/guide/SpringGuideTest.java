package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1EndpointSlice;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.test.FakeApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static io.reactiveinformer.guide.SpringGuideTest.Application.BY_NODE;
import static org.assertj.core.api.Assertions.assertThat;

/** The application of docs/guide/spring.md, with the page's own YAML, asked over HTTP. */
@Timeout(120)
class SpringGuideTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({PodsOfNode.class, PodStream.class})
    static class Application {

        @Bean
        Informer<V1EndpointSlice> slices(InformerFactory informers) {
            return informers.of(
                    InformerSpec.of(ResourceType.of(V1EndpointSlice.class))
                            .withNamespaces(Namespaces.of("shop"))
                            .withTransform(Slices::withoutConditions));
        }

        static final Index<V1Pod, String> BY_NODE = Index.of("node", pod -> pod.getSpec().getNodeName());

        @Bean
        Index<V1Pod, String> podsByNode() {
            return BY_NODE;
        }
    }

    static final class Slices {

        static V1EndpointSlice withoutConditions(V1EndpointSlice slice) {
            slice.getEndpoints().forEach(endpoint -> endpoint.setConditions(null));
            return slice;
        }
    }

    private static String yamlOfThePage() throws Exception {
        String page = Files.readString(GuideSnippetsTest.root().resolve("docs/guide/spring.md"));
        return page.split("```yaml\n", -1)[1].split("```", -1)[0];
    }

    private static void createPod(FakeApiServer server, String name, String app, String namespace) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: "
                + namespace + ", labels: {app: " + app
                + "}}, spec: {nodeName: n1, containers: [{name: main, image: i}]}}");
    }

    @Test
    void theApplicationOfThePageWorks(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("application.yaml"), yamlOfThePage());
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        try (FakeApiServer server = FakeApiServer.create().start()) {
            createPod(server, "web-1", "web", "shop");
            createPod(server, "db-1", "db", "shop");
            createPod(server, "web-2", "web", "elsewhere");
            try (ConfigurableApplicationContext application = SpringApplication.run(Application.class,
                    "--spring.config.location=" + directory.toUri(), "--spring.main.web-application-type=reactive",
                    "--server.port=0", "--spring.main.banner-mode=off",
                    "--reactive-informer.wait-for-sync=30s", "--reactive-informer.url=" + server.url())) {
                String address = "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
                assertThat(get(address + "/nodes/n1/pods", HttpResponse.BodyHandlers.ofString())).isEqualTo("[\"web-1\"]");
                try (Stream<String> lines = get(address + "/pods", HttpResponse.BodyHandlers.ofLines())) {
                    assertThat(lines.filter(line -> !line.isEmpty()).limit(2).toList()).satisfiesExactly(
                            first -> assertThat(first).isEqualTo("data:+ shop/web-1"),
                            second -> assertThat(second).isEqualTo("data:that is all"));
                }
                try (Stream<String> lines = get(address + "/changes", HttpResponse.BodyHandlers.ofLines())) {
                    assertThat(lines.findFirst()).hasValueSatisfying(
                            first -> assertThat(first).startsWith("data:{\"type\":\"ADDED\",\"key\":\"shop/web-1\",")
                                    .contains("\"nodeName\":\"n1\""));
                }
                assertThat(application.getBean(InformerFactory.class).informers()).hasSize(3);
                aStreamEndsWithTheApplication(application, address);
            }
        } finally {
            System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
        }
    }

    /** It takes more than 30 s if the web server waits for the stream. */
    private static void aStreamEndsWithTheApplication(ConfigurableApplicationContext application, String address) throws Exception {
        Iterator<String> lines = get(address + "/changes", HttpResponse.BodyHandlers.ofLines()).iterator();
        assertThat(Stream.generate(lines::next).filter(line -> line.startsWith("data:{\"type\":\"SYNCED\"")).findFirst()).isPresent();
        long begin = System.nanoTime();
        application.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).as("the stop").isLessThan(Duration.ofSeconds(15));
        lines.forEachRemaining(rest -> assertThat(rest).as("its end is a proper one").doesNotContain("error"));
    }

    private static <T> T get(String uri, HttpResponse.BodyHandler<T> handler) throws Exception {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(uri)).build(), handler).body();
    }
}
