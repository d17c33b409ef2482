package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that is killed, and one that comes back with an older store: recordings 26, 27 and 35 are what the real one does. */
class RestartTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CONFIG_MAPS = "/api/v1/configmaps";

    private final FakeApiServer server = FakeApiServer.create();

    @AfterEach
    void close() {
        server.close();
    }

    private void create(String name) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}}");
    }

    private Transport transport(boolean sockets) {
        return sockets
                ? Transport.overSockets(Mono.just(Endpoint.of(URI.create(server.start().url()))), TransportOptions.defaults())
                : server.transport();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRestartBreaksWatchesInTheMiddleAndForgetsHistory(boolean sockets) {
        create("a");
        String before = server.resourceVersion();
        create("b");
        var requests = new Requests(transport(sockets));
        StepVerifier.create(requests.events(CONFIG_MAPS + "?watch=true&resourceVersion=0"))
                .expectNextCount(2)
                .then(server::restart)
                .expectError(TransportException.class)
                .verify(PATIENCE);
        StepVerifier.create(requests.events(CONFIG_MAPS + "?watch=true&resourceVersion=" + before))
                .expectNext("ERROR 410")
                .expectComplete()
                .verify(PATIENCE);
        assertThat(requests.get(CONFIG_MAPS).json().path("items")).hasSize(2);
    }

    @Test
    void aRequestThatWaitsWhenTheServerIsKilledIsNotCarriedOut() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        try (FakeApiServer timed = FakeApiServer.builder().scheduler(clock).build()) {
            var client = KubernetesClient.over(timed.transport()).resources(ResourceType.of(V1ConfigMap.class));
            // or else it would be refused, and so not carried out
            timed.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: t}}");
            timed.faults().on("create", "configmaps").delay(Duration.ofSeconds(3));
            List<Throwable> failures = new ArrayList<>();
            client.create(Namespaces.of("t"), new V1ConfigMap().metadata(new V1ObjectMeta().name("a")))
                    .subscribe(created -> {}, failures::add);
            clock.advanceTimeBy(Duration.ofSeconds(1));
            timed.restart();
            assertThat(failures).singleElement().isInstanceOf(TransportException.class);
            clock.advanceTimeBy(Duration.ofSeconds(10));
            assertThat(timed.objects().list(ResourceType.of(V1ConfigMap.class))).isEmpty();
        }
    }

    @Test
    void aRequestThatTheServerIsKilledWithIsNotCarriedOut() {
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: t}}");
        server.faults().on("create", "configmaps").restart();
        var requests = new Requests(server.transport());
        StepVerifier.create(requests.answer("POST", "/api/v1/namespaces/t/configmaps", Headers.of("Content-Type", "application/json"),
                "{\"metadata\":{\"name\":\"a\"}}"))
                .expectError(TransportException.class)
                .verify(PATIENCE);
        assertThat(requests.get(CONFIG_MAPS).json().path("items")).isEmpty();
    }

    @Test
    void whoComesBackAtOnceFindsTheNewProcess() {
        create("a");
        Backup backup = server.backup();
        create("b");
        var requests = new Requests(server.transport());
        Flux<String> list = requests.answer("GET", CONFIG_MAPS, Headers.empty(), null)
                .map(answer -> answer.json().path("items").size() + " items").flux();
        StepVerifier.create(requests.events(CONFIG_MAPS + "?watch=true&resourceVersion=0")
                .onErrorResume(TransportException.class, broken -> list))
                .expectNextCount(2)
                .then(() -> server.restore(backup))
                .expectNext("1 items")
                .expectComplete()
                .verify(PATIENCE);
        create("c");
        create("d");
        StepVerifier.create(requests.events(CONFIG_MAPS + "?watch=true&resourceVersion=0")
                        .onErrorResume(broken -> requests.events(CONFIG_MAPS + "?watch=true&resourceVersion=" + backup.version())))
                .expectNextCount(3)
                .then(server::restart)
                .expectNext("ERROR 410")
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void nothingEndsInOrderWhileAServerIsKilled() {
        // runs at once what is to be done now
        try (FakeApiServer prompt = FakeApiServer.builder().scheduler(VirtualTimeScheduler.create()).build()) {
            List<String> ends = new ArrayList<>();
            new Requests(prompt.transport()).watch(CONFIG_MAPS + "?watch=true&resourceVersion=0")
                    .subscribe(line -> {}, failure -> ends.add(failure.getClass().getSimpleName()), () -> ends.add("in order"));
            prompt.restart();
            assertThat(ends).containsExactly("TransportException");
        }
    }

    @Test
    void aRestartThatKeepsPartOfTheHistoryExpiresOlderVersionsOnly() {
        create("a");
        String before = server.resourceVersion();
        create("b");
        String between = server.resourceVersion();
        create("c");
        server.objects().create("{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: t}}");
        var requests = new Requests(server.transport());
        StepVerifier.create(requests.events(CONFIG_MAPS + "?watch=true&resourceVersion=0"))
                .expectNextCount(3)
                .then(() -> server.restartKeeping(1))
                .expectError(TransportException.class)
                .verify(PATIENCE);
        StepVerifier.create(requests.events(CONFIG_MAPS + "?watch=true&resourceVersion=" + before))
                .expectNext("ERROR 410").verifyComplete();
        StepVerifier.create(requests.events(CONFIG_MAPS + "?watch=true&timeoutSeconds=1&resourceVersion=" + between))
                .assertNext(event -> assertThat(event).startsWith("ADDED c"))
                .expectComplete()
                .verify(PATIENCE);
        StepVerifier.create(requests.events("/api/v1/secrets?watch=true&timeoutSeconds=1&resourceVersion=" + before))
                .assertNext(event -> assertThat(event).startsWith("ADDED s"))
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void aRestoredServerIsBehindItsClients() {
        create("a");
        Backup backup = server.backup();
        create("b");
        String later = server.resourceVersion();
        server.objects().create(Widgets.DEFINITION);
        var requests = new Requests(server.transport());
        server.restore(backup);
        assertThat(server.resourceVersion()).isEqualTo(Long.toString(backup.version()));
        assertThat(requests.get(CONFIG_MAPS).json().path("items").findValuesAsString("name")).containsExactly("a");
        assertThat(requests.get("/apis/example.com/v1/widgets").status()).isEqualTo(404);
        assertThat(requests.get(CONFIG_MAPS + "?resourceVersion=" + later).status()).isEqualTo(504);
        StepVerifier.create(requests.events(CONFIG_MAPS + "?watch=true&timeoutSeconds=1&resourceVersion=" + later))
                .then(() -> create("c"))
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void aBackupIsGoodForAnotherServerToo() {
        create("a");
        try (FakeApiServer other = FakeApiServer.create()) {
            other.restore(server.backup());
            assertThat(new Requests(other.transport()).get(CONFIG_MAPS).json().path("items").findValuesAsString("name"))
                    .containsExactly("a");
        }
    }

    @Test
    void aBackupSurvivesTheProcessAsText() {
        server.objects().create(Widgets.DEFINITION);
        server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {big: 9007199254740993}}");
        create("a");
        String text = server.backup().text();
        try (FakeApiServer other = FakeApiServer.builder().seed(2).build()) {
            other.restore(Backup.parse(text));
            assertThat(other.resourceVersion()).isEqualTo(server.resourceVersion());
            for (String path : List.of(CONFIG_MAPS, "/apis/example.com/v1/widgets", "/api/v1/namespaces")) {
                assertThat(new Requests(other.transport()).get(path).body()).isEqualTo(new Requests(server.transport()).get(path).body());
            }
            StepVerifier.create(new Requests(other.transport())
                    .events(CONFIG_MAPS + "?watch=true&resourceVersion=" + server.resourceVersion()))
                    .then(() -> other.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: t}}"))
                    .assertNext(event -> assertThat(event).startsWith("ADDED b"))
                    .then(() -> other.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: t}}"))
                    .assertNext(event -> assertThat(event).as("b came once").startsWith("ADDED c"))
                    .thenCancel()
                    .verify(PATIENCE);
        }
    }

    @Test
    void anInformerGetsOverBoth() {
        KubernetesClient client = KubernetesClient.create(ClusterConfig.of(server.start().url()));
        // What is restored is silence until a watch is over: a client that would wait its usual minutes waits a second here.
        InformerFactory informers = InformerFactory.create(
                client, ReflectorOptions.defaults().withWatchTimeout(Duration.ofSeconds(1)).withVerifyAfter(Duration.ofSeconds(1)));
        try {
            Informer<V1ConfigMap> configMaps = informers.of(ResourceType.of(V1ConfigMap.class), Namespaces.of("t"));
            create("a");
            informers.start();
            awaitNames(configMaps, "a");
            Backup backup = server.backup();
            create("b");
            awaitNames(configMaps, "a", "b");
            server.restart();
            create("c");
            awaitNames(configMaps, "a", "b", "c");
            server.restore(backup);
            awaitNames(configMaps, "a");
            create("d");
            awaitNames(configMaps, "a", "d");
        } finally {
            informers.close();
            client.close();
        }
    }

    private static void awaitNames(Informer<V1ConfigMap> configMaps, String... names) {
        Flux.interval(Duration.ofMillis(10))
                .filter(tick -> configMaps.lister().list().stream().map(object -> object.getMetadata().getName())
                        .sorted().toList().equals(List.of(names)))
                .blockFirst(PATIENCE);
    }
}
