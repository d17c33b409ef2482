package io.reactiveinformer.demo;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class DashboardCommandTest {

    private final Console console = new Console();

    @AfterEach
    void end() {
        console.requestEnd();
    }

    @Test
    void showsAClusterInMotionUntilItIsEnded() throws Exception {
        CompletableFuture<Integer> run = console.start("dashboard");
        String url = console.awaitErr("dashboard: ").replace("dashboard: ", "");
        var answer = HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(url + "changes")).build(), BodyHandlers.ofLines());
        try (var lines = answer.body()) {
            assertThat(lines.filter(line -> line.contains("\"Running\",\"1/1\"")).findFirst()).isPresent();
        }
        console.requestEnd();
        assertThat(run.get()).isZero();
        assertThat(console.out()).isEmpty();
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
