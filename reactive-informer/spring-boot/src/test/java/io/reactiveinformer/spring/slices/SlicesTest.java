package io.reactiveinformer.spring.slices;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1HTTPGetAction;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.spring.SpringTest;
import io.reactiveinformer.spring.test.TestInformer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The slices of Spring Boot write what the whole application writes, byte for byte. */
@Timeout(120)
class SlicesTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static String changes;
    private static String snapshot;
    private static String named;

    @TestConfiguration(proxyBeanMethods = false)
    static class GivenPods {

        @Bean
        Informer<V1Pod> pods() {
            return TestInformer.of(PODS, web());
        }

        private static V1Pod web() {
            return new V1Pod()
                    .metadata(new V1ObjectMeta().namespace("shop").name("web").uid("u1").resourceVersion("7").labels(Map.of())
                            .creationTimestamp(OffsetDateTime.parse("2026-11-21T01:52:58Z")))
                    .spec(new V1PodSpec().containers(List.of(new V1Container().name("main")
                            .resources(new V1ResourceRequirements().limits(Map.of("memory", new Quantity("1Gi"))))
                            .ports(List.of(new V1ContainerPort().containerPort(80)))
                            .livenessProbe(new V1Probe().httpGet(new V1HTTPGetAction().port(new IntOrString("http")))))));
        }
    }

    @BeforeAll
    static void askTheWholeApplication() throws Exception {
        var whole = new SpringApplication(SlicedApplication.class, GivenPods.class);
        try (ConfigurableApplicationContext context = whole.run("--server.port=0", "--reactive-informer.url=http://127.0.0.1:1",
                "--spring.main.banner-mode=off", "--logging.level.root=warn")) {
            changes = get(context, "/changes");
            snapshot = get(context, "/snapshot");
            named = get(context, "/named/web");
        }
        assertThat(changes).startsWith("{\"type\":\"ADDED\",\"key\":\"shop/web\"").contains("\"memory\":\"1Gi\"", "\"port\":\"http\"")
                .doesNotContain("\"labels\"");
        assertThat(snapshot).contains("\"memory\":\"1Gi\"");
    }

    private static String get(ConfigurableApplicationContext context, String path) throws Exception {
        URI address = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + path);
        return new String(HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofByteArray()).body(), StandardCharsets.UTF_8);
    }

    @WebFluxTest(SlicedPods.class)
    @Import(GivenPods.class)
    static class OfWebFlux {

        @Autowired
        private WebTestClient web;

        private String body(String path) {
            return new String(web.get().uri(path).exchange().expectBody().returnResult().getResponseBody(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void webFluxTestWritesTheSame() throws Exception {
        try (var slice = SpringTest.of(OfWebFlux.class)) {
            assertThat(slice.instance().body("/changes")).isEqualTo(changes);
            assertThat(slice.instance().body("/snapshot")).isEqualTo(snapshot);
        }
    }

    @Test
    void theIndexBeansOfASliceAreAddedToItsInformers() throws Exception {
        assertThat(named).startsWith("[{").contains("\"uid\":\"u1\"");
        try (var slice = SpringTest.of(OfWebFlux.class)) {
            assertThat(slice.instance().body("/named/web")).isEqualTo(named);
            assertThat(slice.instance().body("/named/other")).isEqualTo("[]");
        }
    }

    @JsonTest
    static class OfJson {

        @Autowired
        private JsonMapper mapper;
    }

    @Test
    void jsonTestWritesTheSame() throws Exception {
        try (var slice = SpringTest.of(OfJson.class)) {
            JsonMapper mapper = slice.instance().mapper;
            Informer<V1Pod> pods = new GivenPods().pods();
            pods.addIndex(SlicedPods.BY_NAME).subscribe(); // which makes a revision, as in the application
            assertThat(mapper.writeValueAsString(pods.snapshot())).isEqualTo(snapshot);
            assertThat(pods.changes().take(2).toStream().map(change -> mapper.writeValueAsString(change) + "\n")
                    .collect(Collectors.joining())).isEqualTo(changes);
        }
    }

    @Test
    void anInformerOfGivenObjectsServesThem() {
        Informer<V1Pod> pods = new GivenPods().pods();
        assertThat(pods.hasSynced()).isTrue();
        assertThat(pods.lister().keys()).containsExactly(ObjectKey.of("shop", "web"));
        assertThat(pods.description()).isEqualTo("pods.v1 in all namespaces");
        assertThat(TestInformer.of(PODS).lister().count()).isZero();
        record Image(String name) {}
        assertThat(TestInformer.of(PODS.as(Image.class), Map.of(ObjectKey.of("shop", "web"), new Image("i"))).lister().list())
                .containsExactly(new Image("i"));
    }
}
