package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.json.InformerModule;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What a WebFlux application makes of an informer's types, with nothing said about JSON. */
@Timeout(120)
class ChangesAsJsonTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final ObjectKey WEB = ObjectKey.of("shop", "web");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static FakeApiServer server;
    private static ConfigurableApplicationContext application;

    private final JsonMapper mapper = new JsonMapper();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(CollectedBuffers.class)
    @RestController
    static class Application {

        private final Informer<V1Pod> pods;

        Application(Informer<V1Pod> pods) {
            this.pods = pods;
        }

        @GetMapping(path = "/changes", produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_NDJSON_VALUE})
        Flux<Change<ObjectKey, V1Pod>> changes() {
            return pods.changes();
        }

        @GetMapping("/snapshot")
        Snapshot<ObjectKey, V1Pod> snapshot() {
            return pods.snapshot();
        }

        @GetMapping("/status")
        Mono<InformerStatus> status() {
            return pods.status().next();
        }
    }

    /** The tests' logging is set up, and is not this application's. */
    @BeforeAll
    static void start() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        server = FakeApiServer.create().start();
        application = SpringApplication.run(Application.class, "--server.port=0", "--spring.main.banner-mode=off",
                "--reactive-informer.url=" + server.url(),
                "--reactive-informer.informers.pods.type=V1Pod", "--reactive-informer.wait-for-sync=30s");
    }

    @AfterAll
    static void close() {
        application.close();
        server.close();
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    @BeforeEach
    void create() {
        var created = server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {containers: "
                + "[{name: main, image: i, resources: {limits: {cpu: 500m}}}]}}");
        pods().atLeast(WEB, created.at("/metadata/resourceVersion").asString()).block(PATIENCE);
    }

    @AfterEach
    void delete() {
        if (pods().lister().keys().contains(WEB)) {
            server.objects().deleteNow(PODS, WEB);
        }
        pods().awaitAbsent(WEB).block(PATIENCE);
    }

    @SuppressWarnings("unchecked")
    private static Informer<V1Pod> pods() {
        return application.getBean("podsInformer", Informer.class);
    }

    private <T> T get(String path, String accept, HttpResponse.BodyHandler<T> handler) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).header("Accept", accept).build(), handler).body();
    }

    private JsonNode get(String path) throws Exception {
        return mapper.readTree(get(path, MediaType.APPLICATION_JSON_VALUE, HttpResponse.BodyHandlers.ofString()));
    }

    private void streams(String accept, String prefix) throws Exception {
        try (Stream<String> lines = get("/changes", accept, HttpResponse.BodyHandlers.ofLines())) {
            Iterator<JsonNode> changes = lines.filter(line -> !line.isEmpty()).map(line -> change(line, prefix)).iterator();
            JsonNode added = changes.next();
            assertThat(added.at("/type").asString()).isEqualTo("ADDED");
            assertThat(added.at("/key").asString()).isEqualTo("shop/web");
            assertThat(added.at("/initial").asBoolean()).isTrue();
            assertThat(added.at("/object/kind").asString()).isEqualTo("Pod");
            assertThat(added.at("/object/spec/containers/0/resources/limits/cpu").asString()).isEqualTo("500m");
            assertThat(changes.next().at("/type").asString()).isEqualTo("SYNCED");
            server.objects().edit(PODS, WEB, pod -> pod.put("note", "new"));
            JsonNode updated = changes.next();
            assertThat(updated.at("/type").asString()).isEqualTo("UPDATED");
            assertThat(updated.at("/beforeResourceVersion")).isEqualTo(added.at("/resourceVersion"));
            assertThat(updated.at("/before")).isEqualTo(added.at("/object"));
            server.objects().deleteNow(PODS, WEB);
            JsonNode deleted = changes.next();
            while (deleted.at("/type").asString().equals("UPDATED")) { // of a pod that is about to go
                updated = deleted;
                deleted = changes.next();
            }
            assertThat(deleted.at("/type").asString()).isEqualTo("DELETED");
            assertThat(deleted.at("/cause").asString()).isEqualTo("OBSERVED");
            assertThat(deleted.at("/object")).isEqualTo(updated.at("/object"));
        }
    }

    private JsonNode change(String line, String prefix) {
        assertThat(line).startsWith(prefix + "{");
        return mapper.readTree(line.substring(prefix.length()));
    }

    @Test
    void asServerSentEvents() throws Exception {
        streams(MediaType.TEXT_EVENT_STREAM_VALUE, "data:");
    }

    @Test
    void asLines() throws Exception {
        streams(MediaType.APPLICATION_NDJSON_VALUE, "");
    }

    @Test
    void aSnapshotAndAStatus() throws Exception {
        JsonNode snapshot = get("/snapshot");
        assertThat(snapshot.at("/complete").asBoolean()).isTrue();
        assertThat(snapshot.at("/resourceVersion").asString()).isNotEmpty();
        assertThat(snapshot.at("/objects/0/key").asString()).isEqualTo("shop/web");
        assertThat(snapshot.at("/objects/0/object/spec/containers/0/image").asString()).isEqualTo("i");
        assertThat(get("/status").at("/synced").asBoolean()).isTrue();
    }

    @Test
    void theModuleIsABeanOfTheApplications() {
        assertThat(application.getBean(InformerModule.class)).isNotNull();
    }
}
