package io.reactiveinformer.demo;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedTransferQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that refuses or is away is tried again, and that is shown; whether the type is in our table or has to be discovered. */
class UnwillingServerTest {

    private final Console console = new Console();
    private final HttpServer server;

    UnwillingServerTest() throws IOException {
        server = HttpServer.create();
    }

    @AfterEach
    void stopServer() {
        console.requestEnd();
        server.stop(0);
    }

    @ParameterizedTest
    @CsvSource({
            "pods, 401, Unauthorized", "pods, 403, Forbidden", "pods, 404, NotFound",
            "widgets.example.com, 403, Forbidden", "widgets.example.com, 404, NotFound"})
    void showsARefusalWithItsCodeAndTriesAgain(String resource, int code, String reason) throws Exception {
        assertNeverSynced(resource, refusing(code, reason, new LinkedTransferQueue<>()), code + " " + reason + ": ");
    }

    @Test
    void asksForPagesOfTheSizeThatIsWished() throws Exception {
        var asked = new LinkedTransferQueue<URI>();
        CompletableFuture<Integer> run = console.start("--page-size", "7", "--server", refusing(403, "Forbidden", asked));

        assertThat(asked.take()).hasPath("/api/v1/pods").hasParameter("limit", "7").hasNoParameter("resourceVersion");
        console.requestEnd();
        assertThat(run.get()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pods", "widgets.example.com"})
    void showsThatNobodyIsThereAndTriesAgain(String resource) throws Exception {
        assertNeverSynced(resource, "http://127.0.0.1:" + unusedPort(), "");
    }

    @Test
    void saysWhyItNeverSynced() throws Exception {
        CompletableFuture<Integer> run = console.start("--server", "http://127.0.0.1:" + unusedPort());
        console.awaitOut("DISRUPTED");
        console.requestEnd();

        assertThat(run.get()).isEqualTo(1);
        assertThat(console.err()).anyMatch(line -> line.startsWith("never synced: "));
    }

    private void assertNeverSynced(String resource, String url, String causeBegins) throws Exception {
        CompletableFuture<Integer> run = console.start(resource, "-o", "json", "--snapshot", "--server", url);
        console.awaitOut("\"attempt\":2");
        console.requestEnd();

        assertThat(run.get()).isEqualTo(1);
        List<JsonNode> lines = console.out().stream().map(line -> JsonMapper.shared().readTree(line)).toList();
        assertThat(lines.get(0)).isEqualTo(JsonMapper.shared().readTree(
                "{\"type\":\"STATUS\",\"state\":\"LISTING\",\"cause\":null,\"attempt\":0,\"retryInMs\":null}"));
        assertThat(lines).filteredOn(line -> line.path("state").asString("").equals("DISRUPTED")).hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(line -> assertThat(line.get("cause").asString()).startsWith(causeBegins).isNotBlank())
                .allSatisfy(line -> assertThat(line.get("retryInMs").asLong()).isPositive());
        assertThat(lines).filteredOn(line -> line.path("state").asString("").equals("LISTING")).element(1)
                .satisfies(line -> assertThat(line.get("cause").asString("")).startsWith(causeBegins).isNotBlank())
                .satisfies(line -> assertThat(line.get("attempt").asInt()).isOne());
        int attempts = lines.get(lines.size() - 3).get("attempt").asInt();
        assertThat(lines.get(lines.size() - 2)).isEqualTo(JsonMapper.shared().readTree(
                "{\"type\":\"STATUS\",\"state\":\"STOPPED\",\"cause\":null,\"attempt\":" + attempts + ",\"retryInMs\":null}"));
        assertThat(lines.get(lines.size() - 1)).isEqualTo(JsonMapper.shared().readTree(
                "{\"type\":\"SNAPSHOT\",\"resourceVersion\":null,\"objects\":[]}"));
    }

    /** The address of a server that refuses each request. */
    private String refusing(int code, String reason, Queue<URI> asked) throws IOException {
        byte[] refusal = """
                {"kind":"Status","apiVersion":"v1","status":"Failure","message":"not you","reason":"%s","code":%d}
                """.formatted(reason, code).getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI());
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(code, refusal.length);
            exchange.getResponseBody().write(refusal);
            exchange.close();
        });
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static int unusedPort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
