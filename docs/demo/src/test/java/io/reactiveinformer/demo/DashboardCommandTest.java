package io.reactiveinformer.demo;

import io.reactiveinformer.test.FakeApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class DashboardCommandTest {

    private final Console console = new Console();
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @AfterEach
    void end() {
        console.requestEnd();
    }

    @Test
    void showsAClusterInMotionUntilItIsEnded() throws Exception {
        CompletableFuture<Integer> run = console.start("dashboard");
        String url = console.awaitErr("dashboard: ").replace("dashboard: ", "");
        var answer = http.send(HttpRequest.newBuilder(URI.create(url + "ui/changes")).build(), BodyHandlers.ofLines());
        try (var lines = answer.body()) {
            assertThat(lines.filter(line -> line.contains("\"Running\",\"1/1\"")).findFirst()).isPresent();
        }
        console.requestEnd();
        assertThat(run.get()).isZero();
        assertThat(console.out()).isEmpty();
    }

    @Test
    void showsTheClusterOfAKubeconfigAndLetsNothingGoWrongThere() throws Exception {
        try (FakeApiServer other = FakeApiServer.builder().tls().build().start()) {
            other.objects().create(WatchTest.pod("prod", "a"));
            Path kubeconfig = Files.writeString(directory.resolve("config"), other.kubeconfig());
            CompletableFuture<Integer> run = console.start("dashboard", "--kubeconfig", kubeconfig.toString());
            String url = console.awaitErr("dashboard: ").replace("dashboard: ", "");
            try (var lines = http.send(HttpRequest.newBuilder(URI.create(url + "ui/changes")).build(), BodyHandlers.ofLines()).body()) {
                Iterator<String> events = lines.iterator();
                assertThat(next(events, "\"title\"")).contains("\"faults\":[]", "cluster of " + kubeconfig);
                next(events, "\"prod/a\"");
                other.objects().create(WatchTest.pod("prod", "b"));
                assertThat(next(events, "\"prod/b\"")).contains("\"initial\":false");
            }
            for (String fault : List.of("cut", "expire", "pause", "resume")) {
                var press = HttpRequest.newBuilder(URI.create(url + "faults/" + fault)).POST(HttpRequest.BodyPublishers.noBody()).build();
                assertThat(http.send(press, BodyHandlers.discarding()).statusCode()).as(fault).isEqualTo(404);
            }
            console.requestEnd();
            assertThat(run.get()).isZero();
            assertThat(console.err()).noneMatch(line -> line.contains("embedded"));
        }
    }

    @Test
    void usesNoKubeconfigUnlessAskedTo() throws Exception {
        try (FakeApiServer other = FakeApiServer.create().start()) {
            Path kubeconfig = Files.writeString(directory.resolve("config"), other.kubeconfig());
            try (JavaProcess dashboard = JavaProcess.start(directory, Map.of("KUBECONFIG", kubeconfig.toString()),
                    List.of(), JavaProcess.ownClassPath(),
                    "io.reactiveinformer.demo.Main", "dashboard", "--duration", "1s")) {
                assertThat(dashboard.toTheEnd()).isEmpty();
                assertThat(dashboard.exitCode()).isZero();
                assertThat(dashboard.err()).contains("embedded server: ").doesNotContain(other.url());
            }
            assertThat(other.log()).isEmpty();
        }
    }

    private static String next(Iterator<String> lines, String part) {
        for (String line = lines.next();; line = lines.next()) {
            if (line.contains(part)) {
                return line;
            }
        }
    }

    @Test
    void endsWhenItsTimeIsOver() {
        assertThat(console.run("dashboard", "--duration", "1ms")).isZero();
        assertThat(console.err()).anyMatch(line -> line.startsWith("dashboard: http://127.0.0.1:"));
    }

    @Test
    void refusesAPortThatCannotBe() {
        assertThat(console.run("dashboard", "--port", "70000")).isEqualTo(2);
        assertThat(console.err()).containsExactly("error: --port must be from 1 to 65535, was 70000");
    }
}
