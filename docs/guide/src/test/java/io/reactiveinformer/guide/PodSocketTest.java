package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.SubscriberStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The WebSocket of docs/guide/spring.md, read by a browser that reads when it likes. */
@Timeout(120)
class PodSocketTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final int PODS_THERE = 10;
    private static final int STALLED_ROUNDS = 5;

    /** Of a change, as JSON: with both states of its pod more than the kernel keeps of a few. */
    private static final String LARGE = "x".repeat(100_000);

    private final FakeApiServer server = FakeApiServer.create().start();
    private ConfigurableApplicationContext application;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(PodSocket.class)
    static class Application {}

    /** Reads as much as the test asks for. */
    private static final class Browser implements WebSocket.Listener {

        private final BlockingQueue<JsonNode> messages = new LinkedTransferQueue<>();
        private final JsonMapper mapper = new JsonMapper();
        private StringBuilder parts = new StringBuilder();

        @Override
        public void onOpen(WebSocket socket) {} // and asks for nothing

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            parts.append(data);
            if (last) {
                messages.add(mapper.readTree(parts.toString()));
                parts = new StringBuilder();
            } else {
                socket.request(1);
            }
            return null;
        }

        JsonNode next(WebSocket socket) throws InterruptedException {
            socket.request(1);
            JsonNode message = messages.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(message).as("a message within " + PATIENCE).isNotNull();
            return message;
        }
    }

    @BeforeEach
    @Timeout(120)
    void start() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        names().forEach(name -> server.objects().create(
                "{apiVersion: v1, kind: Pod, metadata: {name: " + name
                        + ", namespace: shop}, spec: {containers: [{name: main, image: i}]}}"));
        application = SpringApplication.run(Application.class, "--server.port=0", "--spring.main.banner-mode=off",
                "--reactive-informer.url=" + server.url(),
                "--reactive-informer.informers.pods.type=V1Pod", "--reactive-informer.wait-for-sync=30s");
    }

    @AfterEach
    void close() {
        if (application != null) {
            application.close();
        }
        server.close();
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    private static List<String> names() {
        return IntStream.range(0, PODS_THERE).mapToObj(number -> "web-" + number).toList();
    }

    private WebSocket open(Browser browser) {
        var uri = URI.create("ws://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + "/socket");
        return HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(uri, browser).join();
    }

    @SuppressWarnings("unchecked")
    private Informer<V1Pod> pods() {
        return application.getBean("podsInformer", Informer.class);
    }

    private void editAll(String note) {
        names().forEach(name -> server.objects().edit(PODS, ObjectKey.of("shop", name), pod -> {
            pod.withObjectProperty("metadata").withObjectProperty("annotations").put("note", note);
            return pod;
        }));
        ObjectKey last = ObjectKey.of("shop", names().get(PODS_THERE - 1));
        pods().await(last, pod -> pod.getMetadata().getAnnotations() != null && note.equals(pod.getMetadata().getAnnotations().get("note")))
                .block(PATIENCE);
    }

    private SubscriberStatus socket() {
        return Flux.interval(Duration.ZERO, Duration.ofMillis(10))
                .map(tick -> pods().subscribers())
                .filter(subscribers -> subscribers.size() == 1) // a moment after the browser was answered
                .map(subscribers -> subscribers.get(0))
                .blockFirst(PATIENCE);
    }

    @Test
    void tellsWhatIsThereAndWhatHappens() throws Exception {
        var browser = new Browser();
        WebSocket socket = open(browser);
        for (int i = 0; i < PODS_THERE; i++) {
            assertThat(browser.next(socket).at("/type").asString()).isEqualTo("ADDED");
        }
        assertThat(browser.next(socket).at("/type").asString()).isEqualTo("SYNCED");
        editAll("new");
        JsonNode updated = browser.next(socket);
        assertThat(updated.at("/type").asString()).isEqualTo("UPDATED");
        assertThat(updated.at("/object/metadata/annotations/note").asString()).isEqualTo("new");
        for (int i = 0; i < 200; i++) {
            socket.sendText("what a browser says is read, and so is its leave", true).join();
        }
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        Flux.interval(Duration.ofMillis(10)).filter(tick -> pods().subscribers().isEmpty()).blockFirst(PATIENCE);
    }

    @Test
    void aBrowserThatDoesNotReadHasChangesConflated() throws Exception {
        var browser = new Browser();
        WebSocket socket = open(browser);
        int rounds = 0;
        long emitted = 0;
        for (int stalled = 0; stalled < STALLED_ROUNDS; rounds++) {
            assertThat(rounds).as("rounds, and still changes are written for who does not read").isLessThan(60);
            editAll(rounds + LARGE);
            long now = socket().emitted();
            stalled = now == emitted ? stalled + 1 : 0;
            emitted = now;
        }
        assertThat(socket().backlog()).isLessThanOrEqualTo(PODS_THERE);
        editAll("last");
        Map<String, String> notes = new HashMap<>();
        int read = 0;
        while (notes.size() < PODS_THERE || notes.values().stream().anyMatch(note -> !note.equals("last"))) {
            JsonNode change = browser.next(socket);
            read++;
            if (change.has("key")) {
                notes.put(change.at("/key").asString(), change.at("/object/metadata/annotations/note").asString());
            }
        }
        int changes = PODS_THERE + 1 + (rounds + 1) * PODS_THERE;
        assertThat(read).as("of the stalled rounds, each pod is received once")
                .isLessThanOrEqualTo(changes - (STALLED_ROUNDS - 1) * PODS_THERE);
        socket.abort();
    }
}
