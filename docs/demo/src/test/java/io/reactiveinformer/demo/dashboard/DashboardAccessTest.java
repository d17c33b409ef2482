package io.reactiveinformer.demo.dashboard;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the dashboard shows to which user, and which users may press its buttons. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class DashboardAccessTest {

    private final RunningDashboard running = new RunningDashboard();

    @AfterEach
    void close() {
        running.close();
    }

    @Test
    void saysWhereASelectorCannotBeRead() throws Exception {
        HttpResponse<String> answer = running.send(running.request("ui/changes?labels=app%3D(").build());
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("Content-Type")).hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        assertThat(answer.body()).contains("app=(");
    }

    @Test
    void asksForNothingButItsFiveTypes() throws Exception {
        running.server.objects()
                .create("{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop}, stringData: {password: hunter2}}");
        running.createPod("shop", "a", "web");
        try (Events events = running.browser("")) {
            events.awaitSynced("Pods");
            events.pulse(pulse -> true);
            assertThat(events.soFar().toString()).contains("shop/a").doesNotContain("hunter2").doesNotContain("secret");
            assertThat(running.server.log()).noneMatch(line -> line.contains("secrets"));
        }
    }

    @Test
    void ofAPodItSendsFewColumns() throws Exception {
        running.server.objects().create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: a, namespace: shop, annotations: {token: hunter2}}
                spec: {containers: [{name: main, image: x, env: [{name: PASSWORD, value: hunter3}]}]}
                """);
        try (Events events = running.browser("")) {
            events.awaitSynced("Pods");
            assertThat(events.soFar().toString()).contains("shop/a").doesNotContain("hunter");
        }
    }

    @Test
    void aRealClusterHasNoFaults() throws Exception {
        try (DashboardServer real = DashboardServer.start(running.informers, null, "a real one", 0); Events events =
                Events.of(running.http, real.url(), "")) {
            assertThat(events.await(event -> event.name().equals("hello")).data().path("faults")).isEmpty();
            for (String fault : FaultButtons.NAMES) {
                var press = HttpRequest.newBuilder(URI.create(real.url() + "faults/" + fault))
                        .POST(HttpRequest.BodyPublishers.noBody()).build();
                assertThat(running.send(press).statusCode()).isEqualTo(404);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ui/main.js", "ui/style.css", "ui/icon.svg", "nothing-there", "ui/changes?labels=(", "../pom.xml"})
    void everyAnswerIsGuarded(String path) throws Exception {
        HttpResponse<String> answer = running.send(running.request(path).build());
        assertThat(answer.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'none'; script-src 'self';")
                        .contains("trusted-types 'none'")
                        .doesNotContain("unsafe"));
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(answer.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
    }

    @Test
    void thePartsOfThePageAreWhatTheyAre() throws Exception {
        assertThat(type("")).startsWith("text/html");
        assertThat(type("ui/main.js")).startsWith("text/javascript");
        assertThat(type("ui/style.css")).startsWith("text/css");
        assertThat(type("ui/icon.svg")).startsWith("image/svg+xml");
        assertThat(running.send(running.request("ui/../index.html").build()).statusCode()).isEqualTo(404);
        assertThat(running.send(running.request("ui/%2e%2e/Dashboard.class").build()).statusCode()).isEqualTo(404);
    }

    @Test
    void thePageAsksNoOtherHost() throws Exception {
        for (String part : List.of("", "ui/main.js", "ui/connection.js", "ui/table.js",
                "ui/timeline.js", "ui/cards.js", "ui/details.js", "ui/problems.js", "ui/style.css")) {
            HttpResponse<String> answer = running.send(running.request(part).build());
            assertThat(answer.statusCode()).as(part).isEqualTo(200);
            assertThat(answer.body().replace("http://www.w3.org/2000/svg", "")).as(part).doesNotContain("://").doesNotContain("innerHTML");
        }
    }

    @ParameterizedTest
    @CsvSource({"Origin, http://evil.example", "Origin, null", "Origin, http://127.0.0.1:1",
            "Sec-Fetch-Site, cross-site", "Sec-Fetch-Site, same-site"})
    void refusesFaultsThatAnotherSiteAsksFor(String header, String value) throws Exception {
        HttpRequest foreign = running.request("faults/pause").header(header, value).POST(HttpRequest.BodyPublishers.noBody()).build();
        assertThat(running.send(foreign).statusCode()).isEqualTo(403);
        assertThat(running.send(running.request("ui/changes").header(header, value).build()).statusCode()).isEqualTo(403);
        try (Events events = running.browser("")) {
            assertThat(events.pulse(pulse -> true).path("faults").toString()).contains("pause");
        }
    }

    @Test
    void takesFaultsFromItsOwnPage() throws Exception {
        String self = running.dashboard.url().substring(0, running.dashboard.url().length() - 1);
        HttpRequest own = running.request("faults/cut").header("Origin", self).header("Sec-Fetch-Site", "same-origin")
                .POST(HttpRequest.BodyPublishers.noBody()).build();
        assertThat(running.send(own).statusCode()).isEqualTo(204);
        assertThat(running.press("flood")).isEqualTo(404);
        assertThat(running.send(running.request("faults/cut").build()).statusCode()).as("GET").isBetween(400, 499);
    }

    /** A browser asks again on a connection as soon as it has its answer, which may be before this side has done with it. */
    @Test
    void readsOnWhenAskedAgainBeforeTheEndOfAnAnswer() throws Exception {
        String head = " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
            RunningDashboard.write(socket, "POST /faults/cut" + head + "POST /faults/flood" + head);
            readUntil(socket, "204", "404", "the faults are");
            RunningDashboard.write(socket, "GET /ui/icon.svg" + head);
            readUntil(socket, "200", "</svg>");
        }
    }

    private static void readUntil(Socket socket, String... parts) throws IOException {
        var read = new StringBuilder();
        for (String part : parts) {
            while (read.indexOf(part) < 0) {
                int next = socket.getInputStream().read();
                assertThat(next).as(read.toString()).isNotNegative();
                read.append((char) next);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:80", "127.0.0.1.evil.example", ""})
    void refusesWhoCallsThisMachineByAnotherName(String host) throws Exception {
        for (String path : List.of("/", "/ui/changes")) {
            assertThat(status(path, host)).as(path).startsWith("HTTP/1.1 4");
        }
        assertThat(status("/", "localhost:80")).startsWith("HTTP/1.1 200");
        assertThat(status("/", "[::1]:80")).startsWith("HTTP/1.1 200");
    }

    /** All of 127.0.0.0/8 is this machine, and would answer if it listened to everybody. */
    @Test
    void listensOnOneAddressOnly() {
        int port = running.port();
        for (String address : List.of("127.0.0.2", "::1")) {
            assertThatExceptionOfType(IOException.class).as(address).isThrownBy(() -> new Socket(address, port).close());
        }
    }

    private String status(String path, String host) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), running.port())) {
            RunningDashboard.write(socket, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String type(String path) throws Exception {
        return running.send(running.request(path).build()).headers().firstValue("Content-Type").orElse("");
    }
}
