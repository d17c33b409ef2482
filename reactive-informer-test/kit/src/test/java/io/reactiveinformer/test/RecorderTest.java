package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.RawClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Sinks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a program asked and got is written down without secrets, and answered again from there. */
class RecorderTest {

    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Secret> SECRETS = ResourceType.of(V1Secret.class);
    private static final ObjectKey A = ObjectKey.of("shop", "a");
    private static final ObjectKey B = ObjectKey.of("shop", "b");
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String PASSWORD = "correct-horse-battery";
    private static final String TOKEN = "token-of-the-program";

    @TempDir
    private Path directory;
    private final FakeApiServer server = FakeApiServer.builder().with(configMap("a", 1)).build();

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static String configMap(String name, int value) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: shop}, data: {v: '" + value + "'}}";
    }

    private Recorder recorder() throws IOException {
        return Recorder.start(ClusterConfig.of(server.url()), directory, 0);
    }

    private KubernetesClient client(Recorder recorder) {
        return KubernetesClient.create(ClusterConfig.of(recorder.url()).token(TOKEN));
    }

    private String file() throws IOException {
        return Files.readString(directory.resolve("recording.jsonl"));
    }

    /** An informer that sees additions, a watch that breaks, an expired one, a list anew, and deletions. */
    private void record() throws IOException {
        try (Recorder recorder = recorder()) {
            KubernetesClient client = client(recorder);
            Informer<V1ConfigMap> informer = InformerFactory.create(client).of(CONFIG_MAPS);
            informer.start();
            ChangeVerifier.of(informer, server)
                    .expectInitial("shop/a").expectSynced(1)
                    .then(() -> server.requests().await(request -> request.query().has("watch"), LIMIT).block())
                    .thenServer(objects -> objects.create(configMap("b", 1)))
                    .expectAdded("shop/b")
                    .then(() -> server.faults().onWatch("configmaps").after(1).events().cut(Cut.RST))
                    .then(server::restart)
                    .thenServer(objects -> objects.update(configMap("b", 2)))
                    .expectUpdated("shop/b")
                    .thenServer(objects -> objects.delete(CONFIG_MAPS, A))
                    .expectDeleted("shop/a")
                    .thenCancel()
                    .verify(LIMIT);
            client.dispose().block(LIMIT);
        }
    }

    @Test
    void anInformerSeesTheSameAgain() throws IOException {
        record();
        server.close();
        try (FakeApiServer replay = FakeApiServer.builder().replay(directory).build()) {
            for (int round = 0; round < 2; round++) {
                KubernetesClient client = KubernetesClient.over(replay.transport());
                Informer<V1ConfigMap> informer = InformerFactory.create(client).of(CONFIG_MAPS);
                informer.start();
                informer.await(B, b -> "2".equals(b.getData().get("v")), LIMIT).block(LIMIT);
                informer.awaitAbsent(A, LIMIT).block(LIMIT);
                client.dispose().block(LIMIT);
                assertThat(replay.log()).noneMatch(line -> line.contains("501"));
                replay.reset();
            }
        }
    }

    /** A recording as somebody may have written it by hand. */
    private void write(String... lines) throws IOException {
        Files.write(directory.resolve("recording.jsonl"), List.of(lines));
    }

    private static final String LIST = """
            {"n":1,"ms":0,"request":"GET /api/v1/configmaps?resourceVersion=0"}
            {"n":1,"ms":500,"status":200,"headers":{"Content-Type":"application/json"},"end":"server","body":\
            {"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]}}
            {"n":2,"ms":510,"request":"GET /api/v1/configmaps?watch=1&resourceVersion=7&timeoutSeconds=400"}
            {"n":2,"ms":520,"status":200,"headers":{"Content-Type":"application/json"}}
            {"n":2,"ms":60520,"body":{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":\
            {"name":"a","namespace":"shop","uid":"u","resourceVersion":"8"}}}}
            {"n":2,"ms":61000,"end":"broken"}""";
    private static final String URI_OF_LIST = "/api/v1/configmaps?resourceVersion=0";
    private static final String URI_OF_WATCH = "/api/v1/configmaps?resourceVersion=7&watch=1&timeoutSeconds=9";

    @Test
    void takesItsTimesInVirtualTime() throws IOException {
        write(LIST);
        try (TestClock clock = TestClock.start(); FakeApiServer replay = FakeApiServer.builder().replay(directory).build()) {
            List<String> seen = new ArrayList<>();
            RawClient client = KubernetesClient.over(replay.transport()).raw();
            client.json(URI_OF_LIST).subscribe(list -> seen.add(list.path("kind").asString()));
            clock.advance(Duration.ofMillis(499));
            assertThat(seen).isEmpty();
            clock.advance(Duration.ofMillis(1));
            assertThat(seen).containsExactly("ConfigMapList");
            client.exchange(HttpRequest.get(URI_OF_WATCH, Headers.empty())).subscribe(bytes -> seen.add("an event"), failure -> seen.add("broken"));
            clock.advance(Duration.ofMillis(60_009));
            assertThat(seen).hasSize(1);
            clock.advance(Duration.ofMillis(1));
            assertThat(seen).last().isEqualTo("an event");
            clock.advance(Duration.ofMillis(480));
            assertThat(seen).last().isEqualTo("broken");
        }
    }

    @Test
    void aWatchThatTheProgramLeftEndsIfItWatchedAgain() throws IOException {
        write(LIST.replace("\"end\":\"broken\"", "\"end\":\"client\""),
                "{\"n\":3,\"ms\":61000,\"request\":\"GET /api/v1/configmaps?watch=1&resourceVersion=8\"}",
                "{\"n\":3,\"ms\":61010,\"status\":200}",
                "{\"n\":3,\"ms\":62000,\"end\":\"client\"}");
        try (TestClock clock = TestClock.start(); FakeApiServer replay = FakeApiServer.builder().replay(directory).build()) {
            List<String> seen = new ArrayList<>();
            RawClient client = KubernetesClient.over(replay.transport()).raw();
            client.exchange(HttpRequest.get(URI_OF_WATCH, Headers.empty())).subscribe(bytes -> {}, failure -> {}, () -> seen.add("first"));
            clock.advance(Duration.ofMinutes(1));
            assertThat(seen).isEmpty();
            clock.advance(Duration.ofSeconds(1));
            assertThat(seen).containsExactly("first");
            HttpRequest again = HttpRequest.get(URI_OF_WATCH.replace("=7", "=8"), Headers.empty()).withSilence(Duration.ofDays(1));
            client.exchange(again).subscribe(bytes -> {}, failure -> seen.add(failure.toString()), () -> seen.add("second"));
            clock.advance(Duration.ofMinutes(10));
            assertThat(seen).containsExactly("first");
        }
    }

    @Test
    void saysWhichRequestsThereWere() throws IOException {
        write(LIST);
        try (FakeApiServer replay = FakeApiServer.builder().replay(directory).build()) {
            RawClient client = KubernetesClient.over(replay.transport()).raw();
            assertThat(client.json(URI_OF_LIST).block(LIMIT).path("items")).isEmpty();
            assertThatThrownBy(() -> client.json(URI_OF_LIST).block(LIMIT)).hasMessageContainingAll("recording.jsonl",
                    "has no answer (left) to GET /api/v1/configmaps", "GET /api/v1/configmaps?resourceVersion=0 (used)", "watch=1");
            assertThatThrownBy(() -> client.json("/api/v1/pods").block(LIMIT)).hasMessageContaining("it has only /api/v1/configmaps");
            replay.reset();
            assertThat(client.json(URI_OF_LIST).block(LIMIT).path("items")).isEmpty();
        }
    }

    @Test
    void refusesWhatIsNoRecording() throws IOException {
        assertThatIllegalArgumentException().isThrownBy(() -> FakeApiServer.builder().replay(directory).build())
                .withMessageContainingAll("cannot read ", "./informer record");
        write("{\"n\":1,\"ms\":0,\"request\":\"GET /api\"}", "{\"n\":2,\"ms\":1,\"status\":200}");
        assertThatIllegalArgumentException().isThrownBy(() -> FakeApiServer.builder().replay(directory).build())
                .withMessageContainingAll("recording.jsonl, line 2", "its request is missing");
        assertThatThrownBy(this::recorder).isInstanceOf(IOException.class).hasMessageContaining("there is a recording already");
    }

    private void useSecrets(Recorder recorder) {
        KubernetesClient client = client(recorder);
        ResourceClient<V1Secret> secrets = client.resources(SECRETS);
        V1Secret secret = new V1Secret().metadata(new V1ObjectMeta().name("s")
                .annotations(Map.of("kubectl.kubernetes.io/last-applied-configuration", PASSWORD))).putStringDataItem("k", PASSWORD);
        secrets.create(Namespaces.of("shop"), secret).block(LIMIT);
        assertThat(secrets.get(ObjectKey.of("shop", "s")).block(LIMIT).getData().get("k")).asString(UTF_8).isEqualTo(PASSWORD);
        secrets.patch(ObjectKey.of("shop", "s"), Patch.json(List.of(
                Map.of("op", "add", "path", "/stringData", "value", Map.of("k", PASSWORD))))).block(LIMIT);
        Informer<V1Secret> informer = InformerFactory.create(client).of(SECRETS);
        informer.start();
        informer.synced(LIMIT).block(LIMIT);
        server.objects().create("{apiVersion: v1, kind: Secret, metadata: {name: t}, stringData: {k: " + PASSWORD + "}}");
        informer.await(ObjectKey.of("default", "t"), t -> true, LIMIT).block(LIMIT);
        client.raw().send("POST", "/api/v1/namespaces/shop/configmaps", Map.of("apiVersion", "v1", "kind", "ConfigMap",
                "metadata", Map.of("name", "c"), "data", Map.of("dbPassword", PASSWORD))).block(LIMIT);
        client.dispose().block(LIMIT);
    }

    @Test
    void writesNoSecretUnlessAskedFor() throws IOException {
        String base64 = Base64.getEncoder().encodeToString(PASSWORD.getBytes(UTF_8));
        try (Recorder recorder = recorder()) {
            useSecrets(recorder);
        }
        assertThat(file()).contains("\"k\":\"bGVmdCBvdXQ=\"", "\"name\":\"t\"", "dbPassword").doesNotContain(PASSWORD, base64, TOKEN);
        Files.delete(directory.resolve("recording.jsonl"));
        server.reset();
        try (Recorder recorder = Recorder.startWithSecrets(ClusterConfig.of(server.url()), directory, 0)) {
            useSecrets(recorder);
        }
        assertThat(file()).contains(PASSWORD, base64).doesNotContain(TOKEN);
    }

    @Test
    void aMessageOfAWebSocketIsOneEvent() throws IOException {
        server.objects().update(configMap("a", 1).replace("v: '1'", "v: " + "x".repeat(300_000)));
        server.objects().create(configMap("b", 2));
        try (Recorder recorder = recorder()) {
            Sinks.Many<String> messages = Sinks.many().unicast().onBackpressureBuffer();
            WebSocket socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(
                    URI.create(recorder.url().replace("http:", "ws:") + "/api/v1/configmaps?watch=1&resourceVersion=0"),
                    new WebSocket.Listener() {
                        private final StringBuilder text = new StringBuilder();

                        @Override
                        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
                            text.append(part);
                            if (last) {
                                messages.tryEmitNext(text.toString());
                                text.setLength(0);
                            }
                            from.request(1);
                            return null;
                        }
                    }).join();
            List<String> names = messages.asFlux().take(2).map(event -> Json.text(Json.read(event), "object", "metadata", "name"))
                    .collectList().block(LIMIT);
            assertThat(names).containsExactly("a", "b");
            socket.abort();
        }
        assertThat(file().lines().filter(line -> line.contains("\"type\":\"ADDED\""))).hasSize(2);
    }

    @Test
    void isForProgramsOfThisMachineAndWhatCanBeRecorded() throws IOException {
        try (Recorder recorder = recorder()) {
            KubernetesClient client = KubernetesClient.create(ClusterConfig.kubeconfig(directory.resolve("kubeconfig")));
            assertThat(client.raw().text("/version").block(LIMIT)).contains("gitVersion");
            assertThatThrownBy(() -> client.raw().text("/api/v1/namespaces/shop/pods/a/exec?command=sh").block(LIMIT))
                    .hasMessageContaining("the recorder refuses exec");
            client.dispose().block(LIMIT);
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), URI.create(recorder.url()).getPort())) {
                socket.getOutputStream().write("GET /api HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".getBytes(UTF_8));
                assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8)).contains("403", "for programs on this machine");
            }
        }
        assertThat(file()).doesNotContain("exec", "evil").contains("GET /version");
    }
}
