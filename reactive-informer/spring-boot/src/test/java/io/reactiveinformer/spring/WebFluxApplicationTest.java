package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.AdditionalPathsMapper;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** A whole WebFlux application with its actuator, asked over HTTP while the cluster fails. */
@Timeout(120)
class WebFluxApplicationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeApiServer server = FakeApiServer.create().start();
    private ConfigurableApplicationContext application;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(CollectedBuffers.class)
    @RestController
    static class Application {

        private final Informer<V1Pod> pods;

        Application(Informer<V1Pod> pods) {
            this.pods = pods;
        }

        @GetMapping("/pods")
        List<String> pods() {
            return pods.lister().keys().stream().map(Object::toString).sorted().toList();
        }

        @GetMapping(path = "/changes", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> changes() {
            return pods.changes().map(change -> change.getClass().getSimpleName());
        }
    }

    /** The tests' logging is set up, and is not this application's. */
    @BeforeAll
    static void keepLogging() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
    }

    @AfterAll
    static void restoreLogging() {
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    @AfterEach
    void close() {
        if (application != null) {
            application.close();
        }
        server.close();
    }

    private void start(String... more) {
        var arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--reactive-informer.url=" + server.url(),
                "--reactive-informer.informers.pods.type=V1Pod",
                "--management.endpoints.web.exposure.include=health,informers,metrics",
                "--management.endpoint.health.probes.enabled=true",
                "--management.endpoint.health.show-details=always"));
        arguments.addAll(List.of(more));
        application = SpringApplication.run(Application.class, arguments.toArray(String[]::new));
    }

    private record Answer(int status, String body) {}

    private Answer get(String path) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + path);
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    @SuppressWarnings("unchecked")
    private Informer<V1Pod> pods() {
        return application.getBean("podsInformer", Informer.class);
    }

    private void await(State state) {
        pods().status().map(InformerStatus::state).filter(state::equals).blockFirst(PATIENCE);
    }

    private void createPod(String name) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name
                + ", namespace: shop}, spec: {containers: [{name: main, image: i}]}}");
    }

    @Test
    void servesFromTheCacheAsSoonAsItServes() throws Exception {
        createPod("web");
        start("--reactive-informer.wait-for-sync=30s");
        assertThat(get("/pods").body()).isEqualTo("[\"shop/web\"]");
    }

    @Test
    void isReadyWhenThereIsSomethingToServeAndAliveAllTheTime() throws Exception {
        server.faults().onAny().always().refuse();
        start();
        assertThat(get("/actuator/health/readiness").status()).isEqualTo(503);
        assertThat(get("/actuator/health/liveness").status()).isEqualTo(200);
        server.faults().clear();
        await(State.LIVE);
        assertThat(get("/actuator/health/readiness").status()).isEqualTo(200);
        server.close();
        await(State.DISRUPTED);
        assertThat(get("/actuator/health/readiness").status()).as("what is cached is served").isEqualTo(200);
        assertThat(get("/actuator/health/liveness").status()).isEqualTo(200);
        assertThat(get("/actuator/health").body()).contains("\"state\":\"DISRUPTED\"", "pods.v1 in all namespaces", "\"staleness\"");
    }

    @Test
    void isNoPartOfAReadinessWhoseMembersAreNamed() throws Exception {
        server.faults().onAny().always().refuse();
        start("--management.endpoint.health.group.readiness.include=readinessState");
        assertThat(get("/actuator/health/readiness").status()).isEqualTo(200);
        application.close();
        start("--management.endpoint.health.group.readiness.include=*", "--management.endpoint.health.group.readiness.exclude=informers");
        assertThat(get("/actuator/health/readiness").status()).isEqualTo(200);
    }

    /** What asks for these decides what needs no log-in. */
    @Test
    void theOtherPathsOfTheProbesAreKnownAsBefore() throws Exception {
        start("--management.endpoint.health.probes.add-additional-paths=true", "--reactive-informer.wait-for-sync=30s");
        assertThat(get("/readyz").status()).isEqualTo(200);
        assertThat(application.getBeanProvider(AdditionalPathsMapper.class).stream()
                        .flatMap(mapper -> mapper.getAdditionalPaths(EndpointId.of("health"), WebServerNamespace.SERVER).stream()))
                .contains("/readyz", "/livez");
    }

    @Test
    void theEndpointSaysWhatRunsAndForWhom() throws Exception {
        createPod("web");
        start("--reactive-informer.wait-for-sync=30s");
        var listening = pods().changes(Delivery.conflated().named("dashboard")).subscribe();
        String body = get("/actuator/informers").body();
        assertThat(body).contains(
                "\"description\":\"pods.v1 in all namespaces\"", "\"synced\":true", "\"objects\":1",
                "\"name\":\"dashboard\"", "\"backlog\":");
        listening.dispose();
    }

    @Test
    void metricsTellWhatHappened() throws Exception {
        createPod("web");
        start("--reactive-informer.wait-for-sync=30s");
        assertThat(get("/actuator/metrics/informer.objects").body()).contains("\"value\":1.0");
        createPod("db");
        pods().await(ObjectKey.of("shop", "db"), any -> true).block(PATIENCE);
        assertThat(get("/actuator/metrics/informer.objects?tag=informer:pods.v1%20in%20all%20namespaces").body()).contains("\"value\":2.0");
        assertThat(get("/actuator/metrics/informer.events?tag=type:upserted").body()).contains("\"value\":1.0");
        assertThat(get("/actuator/metrics/informer.lists").body()).contains("\"value\":1.0");
        assertThat(get("/actuator/metrics/kubernetes.client.active?tag=verb:watch").body()).contains("\"value\":1.0");
    }

    @Test
    void theStopEndsSubscriptions() {
        start("--reactive-informer.wait-for-sync=30s");
        Mono<Void> over = pods().changes().then().cache();
        over.subscribe();
        application.close();
        over.block(PATIENCE);
    }

    /**
     * Boot waits for requests that are under way, for thirty seconds, and then breaks them off: one that never ends by itself has to be
     * ended.
     */
    @Test
    void eventStreamsDoNotHoldUpTheStop() throws Exception {
        start("--reactive-informer.wait-for-sync=30s");
        var uri = URI.create("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + "/changes");
        HttpResponse<Stream<String>> stream =
                HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofLines());
        Iterator<String> lines = stream.body().iterator();
        assertThat(lines.next()).isEqualTo("data:Synced");
        application.close();
        lines.forEachRemaining(rest -> assertThat(rest).as("its end is a proper one").isEmpty());
    }
}
