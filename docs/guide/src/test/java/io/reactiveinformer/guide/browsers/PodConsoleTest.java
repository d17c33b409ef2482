package io.reactiveinformer.guide.browsers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.spring.RowStream;
import io.reactiveinformer.test.FakeApiServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The page docs/guide/browsers.md over HTTP: what a browser receives, and when it comes back. */
@Timeout(120)
class PodConsoleTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);

    private final FakeApiServer server = FakeApiServer.create().start();
    private final HttpClient http = HttpClient.newHttpClient();
    private ConfigurableApplicationContext application;
    private String address;

    @BeforeEach
    void start() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        create("web", "Running");
        application = run(0);
        address = "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port");
    }

    private ConfigurableApplicationContext run(int port) {
        return SpringApplication.run(PodConsole.class, Stream.concat(options().stream(), Stream.of("--server.port=" + port,
                "--spring.main.banner-mode=off", "--reactive-informer.informers.pods.type=V1Pod", "--reactive-informer.wait-for-sync=30s",
                "--reactive-informer.url=" + server.url())).toArray(String[]::new));
    }

    /** Further options of the application. */
    List<String> options() {
        return List.of();
    }

    @AfterEach
    void stop() {
        application.close();
        server.close();
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    private void create(String name, String phase) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: shop}, spec: {containers: [{name: main,"
                + " image: i}]}, status: {phase: " + phase + "}}");
    }

    private HttpResponse<Stream<String>> get(String path) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(address + path)).build(), HttpResponse.BodyHandlers.ofLines());
    }

    private Iterator<String> lines(String path) throws Exception {
        HttpResponse<Stream<String>> answer = get(path);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        return answer.body().iterator();
    }

    private HttpResponse<Stream<String>> ask(String query, @Nullable String last) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "/pods/stream" + query));
        if (last != null) {
            request.header("Last-Event-ID", last);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofLines());
    }

    private Iterator<String> events(String query, @Nullable String last) throws Exception {
        return ask(query, last).body().filter(line -> !line.isEmpty()).iterator();
    }

    private static String next(Iterator<String> lines, String field) {
        while (true) {
            String line = lines.next();
            if (line.startsWith(field + ":")) {
                return line.substring(field.length() + 1);
            }
        }
    }

    @Test
    void aBrowserThatComesBackContinues() throws Exception {
        Iterator<String> first = events("", null);
        assertThat(first.next()).startsWith("id:");
        assertThat(List.of(first.next(), first.next(), first.next())).containsExactlyInAnyOrder("event:reset", "retry:1000", "data:{}");
        assertThat(next(first, "data")).isEqualTo("{\"key\":\"shop/web\",\"row\":{\"phase\":\"Running\"}}");
        String last = next(first, "id");
        assertThat(next(first, "event")).isEqualTo("synced");
        assertThat(next(first, "data")).isEqualTo("{}");
        create("db", "Pending");
        server.objects().deleteNow(PODS, ObjectKey.of("shop", "web"));
        assertThat(next(first, "data")).contains("shop/db");
        assertThat(next(first, "event")).isEqualTo("gone");
        for (Iterator<String> again : List.of(events("", last), events("?lastEventId=" + last, null))) {
            assertThat(next(again, "data")).contains("shop/db").contains("Pending");
            assertThat(next(again, "event")).isEqualTo("gone");
            assertThat(next(again, "data")).isEqualTo("{\"key\":\"shop/web\"}");
            assertThat(next(again, "event")).isEqualTo("synced");
        }
    }

    /** Of all threads that write to browsers, none waits for another browser: there are more slow ones than threads in a usual pool. */
    @Test
    void slowBrowsersHoldUpNobody() throws Exception {
        for (int i = 0; i < 64; i++) {
            create("large-" + i, "x".repeat(100_000)); // together more than the buffers of a socket
        }
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                var socket = new Socket();
                slow.add(socket);
                socket.setReceiveBufferSize(4_096);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), URI.create(address).getPort()));
                socket.getOutputStream().write("GET /pods/stream HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            Iterator<String> healthy = events("", null);
            assertThat(until(healthy, "event:synced")).isNotEmpty();
            RowStream stream = application.getBean(RowStream.class);
            Flux.interval(Duration.ofMillis(10)).takeUntil(n -> stream.subscribers() == 13).blockLast(Duration.ofSeconds(30));
            for (int i = 0; i < 20; i++) {
                create("later-" + i, "Running");
                assertThat(until(healthy, "data:{\"key\":\"shop/later-" + i)).isNotEmpty();
            }
            for (Socket socket : slow) {
                socket.close();
            }
            for (int i = 0; stream.subscribers() > 1; i++) {
                create("after-" + i, "Running");
                assertThat(until(healthy, "data:{\"key\":\"shop/after-" + i)).isNotEmpty();
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static String until(Iterator<String> lines, String beginning) {
        return Stream.generate(lines::next).filter(line -> line.startsWith(beginning)).findFirst().orElseThrow();
    }

    @Test
    void tooManySelectionsAreUnavailable() throws Exception {
        List<HttpResponse<Stream<String>>> open = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            open.add(ask("?namespace=n" + i, null));
        }
        assertThat(open).allSatisfy(answer -> assertThat(answer.statusCode()).isEqualTo(200));
        assertThat(ask("?namespace=n100", null).statusCode()).isEqualTo(503);
        assertThat(ask("?namespace=n99", null).statusCode()).as("one that is there").isEqualTo(200);
    }

    private boolean isReactive() {
        return application instanceof ReactiveWebServerApplicationContext;
    }

    /** Several events in one write, and the id after them. */
    @Test
    void eventsThatAreWrittenTogetherSayTheSame() throws Exception {
        assumeTrue(isReactive(), "a servlet has no ServerHttpResponse to write to");
        create("db", "Pending");
        Iterator<String> first = lines("/pods/together");
        assertThat(next(first, "event")).isEqualTo("reset");
        assertThat(List.of(next(first, "data"), next(first, "data"), next(first, "data")))
                .contains("{\"key\":\"shop/web\",\"row\":{\"phase\":\"Running\"}}", "{\"key\":\"shop/db\",\"row\":{\"phase\":\"Pending\"}}");
        assertThat(next(first, "event")).isEqualTo("synced");
        String last = next(first, "id");
        server.objects().deleteNow(PODS, ObjectKey.of("shop", "db"));
        assertThat(next(first, "event")).isEqualTo("gone");
        Iterator<String> again = lines("/pods/together?lastEventId=" + last);
        assertThat(next(again, "event")).isEqualTo("gone");
        assertThat(next(again, "data")).isEqualTo("{\"key\":\"shop/db\"}");
        assertThat(next(again, "event")).isEqualTo("synced");
        assertThat(get("/pods/together?labels=app+in+(").statusCode()).isEqualTo(400);
    }

    @Test
    void whatIsMalformedIsABadRequest() throws Exception {
        assertThat(ask("?labels=app+in+(", null).statusCode()).isEqualTo(400);
        assertThat(ask("?namespace=Shop", null).statusCode()).isEqualTo(400);
        assertThat(next(events("?namespace=elsewhere", "forged"), "event")).isEqualTo("reset");
    }

    @Test
    void aServerThatStopsSendsBrowsersElsewhere() throws Exception {
        Iterator<String> lines = events("", null);
        assertThat(next(lines, "event")).isEqualTo("reset");
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        long begun = System.nanoTime();
        application.close();
        while (lines.hasNext()) {
            lines.next();
        }
        assertThat(System.nanoTime() - begun).as("without waiting for the streams").isLessThan(20_000_000_000L);
        application = run(port);
        assertThat(next(events("", "of.the.process.before"), "event")).isEqualTo("reset");
    }
}
