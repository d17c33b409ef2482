package io.reactiveinformer.demo;

import com.sun.net.httpserver.HttpServer;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.test.FakeApiServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What only a process of its own can show: signals, exit codes, and pipes that nobody reads. A quick build plays one of
 * the variants of a test, each day another one.
 */
class ProcessTest {

    private final FakeApiServer server = FakeApiServer.create().start();

    @TempDir
    Path directory;

    @AfterEach
    void closeServer() {
        server.close();
    }

    static Stream<String> signals() {
        return Rounds.cells(Stream.of("INT", "TERM"), 2);
    }

    @ParameterizedTest
    @MethodSource("signals")
    void aSignalEndsItAsIfItsTimeWereOver(String signal) throws Exception {
        server.objects().create(WatchTest.pod("prod", "a"));
        try (JavaProcess informer = informer(server.url(), "--snapshot")) {
            informer.await(line -> line.contains("SYNCED"));
            informer.signal(signal);

            List<String> lines = informer.toTheEnd();
            assertThat(informer.exitCode()).isZero();
            assertThat(lines.get(lines.size() - 1)).startsWith("{\"type\":\"SNAPSHOT\"").contains("\"a\"");
            assertThat(lines).allMatch(line -> line.startsWith("{\"type\":\""));
            assertThat(informer.err()).isEmpty();
        }
    }

    @Test
    void aSignalBeforeItSyncedIsAnExitCodeOfOne() throws Exception {
        String url = server.url();
        server.close();
        try (JavaProcess informer = informer(url, "--snapshot")) {
            informer.await(line -> line.contains("DISRUPTED"));
            informer.signal("TERM");

            List<String> lines = informer.toTheEnd();
            assertThat(informer.exitCode()).isEqualTo(1);
            assertThat(lines.get(lines.size() - 1)).isEqualTo("{\"type\":\"SNAPSHOT\",\"resourceVersion\":null,\"objects\":[]}");
            assertThat(informer.err()).contains("never synced: ");
        }
    }

    @Test
    void aPipeThatNobodyReadsEndsItQuietly() throws Exception {
        try (JavaProcess informer = informer(server.url())) {
            informer.await(line -> line.contains("SYNCED"));
            informer.closeOut();
            server.objects().create(WatchTest.pod("prod", "a"));

            assertThat(informer.exitCode()).isZero();
            assertThat(informer.err()).isEmpty();
        }
    }

    static Stream<String> answers() {
        return Rounds.cells(Stream.of("", "garbage\r\n\r\n"), 2);
    }

    /** One line a try, on stdout, is enough: Netty would like to say more. */
    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerThatIsNoneIsNoReasonForAStackTrace(String answer) throws Exception {
        try (var peer = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            var server = new Thread(() -> answer(peer, answer));
            server.start();
            try (JavaProcess informer = informer("http://127.0.0.1:" + peer.getLocalPort())) {
                informer.await(line -> line.contains("DISRUPTED"));
                informer.signal("TERM");

                informer.toTheEnd();
                assertThat(informer.err().lines()).singleElement().asString().startsWith("never synced: ");
            }
        }
    }

    @Test
    void anObjectThatCannotBeReadIsNamedOnStderr() throws Exception {
        HttpServer peer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        peer.createContext("/", exchange -> {
            String query = exchange.getRequestURI().getQuery();
            String answer = query.contains("sendInitialEvents")
                    ? "{'kind':'Status','apiVersion':'v1','status':'Failure','reason':'Invalid','code':422,'message':'sendInitialEvents: "
                            + "forbidden'}"
                    : "{'kind':'PodList','apiVersion':'v1','metadata':{'resourceVersion':'10'},'items':["
                            + "{'metadata':{'namespace':'prod','name':'a','uid':'u','resourceVersion':'3'},'spec':'s3cret'}]}";
            byte[] body = answer.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.contains("422") ? 422 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        peer.start();
        try (JavaProcess informer = informer("http://127.0.0.1:" + peer.getAddress().getPort())) {
            informer.await(line -> line.contains("SYNCED"));
            informer.signal("TERM");

            informer.toTheEnd();
            assertThat(informer.err().lines()).singleElement().asString()
                    .contains("prod/a is stale, its version 3 cannot be read: cannot read pods.v1 prod/a", "spec").doesNotContain("s3cret");
        } finally {
            peer.stop(0);
        }
    }

    @Test
    void itEndsByItselfAfterItsCount() throws Exception {
        server.objects().create(WatchTest.pod("prod", "a"));
        try (JavaProcess informer = informer(server.url(), "--count", "1")) {
            assertThat(informer.toTheEnd()).anyMatch(line -> line.contains("\"a\""));
            assertThat(informer.exitCode()).isZero();
        }
    }

    @Test
    void aWrongArgumentIsAnExitCodeOfTwo() throws Exception {
        try (JavaProcess informer = informer(server.url(), "--count", "x")) {
            assertThat(informer.toTheEnd()).isEmpty();
            assertThat(informer.exitCode()).isEqualTo(2);
            assertThat(informer.err().lines()).hasSize(1);
        }
    }

    static Stream<String> ends() {
        return Rounds.cells(Stream.of("--duration", "INT", "TERM"), 3);
    }

    /** Its own process group is not ended with it: the plugin and what that has started must be ended one by one. */
    @ParameterizedTest
    @MethodSource("ends")
    void aCredentialPluginThatHangsEndsWithTheCommand(String end) throws Exception {
        Path kubeconfig = pluginThat("sleep 1000 & echo $! > child\necho $$ > plugin.new; mv plugin.new plugin; sleep 1000");
        Path plugin = directory.resolve("plugin");
        if (end.startsWith("--")) {
            for (int seconds = 2; seconds <= 32 && !Files.exists(plugin); seconds *= 2) { // until the plugin begins, also beside other work
                try (JavaProcess informer = program("--kubeconfig", kubeconfig.toString(), end, seconds + "s")) {
                    assertNeverSynced(informer, Duration.ofSeconds(seconds + 8));
                }
            }
        } else {
            try (JavaProcess informer = program("--kubeconfig", kubeconfig.toString())) {
                awaitFile(plugin);
                informer.signal(end);
                assertNeverSynced(informer, Duration.ofSeconds(10));
            }
        }
        for (String file : List.of("plugin", "child")) {
            long pid = Long.parseLong(Files.readString(directory.resolve(file)).strip());
            Mono.fromCallable(() -> runs(pid)).filter(running -> !running) // what was killed takes a moment to end
                    .repeatWhenEmpty(running -> running.delayElements(Duration.ofMillis(50))).block(Duration.ofSeconds(10));
        }
    }

    private static void assertNeverSynced(JavaProcess informer, Duration within) throws Exception {
        long begun = System.nanoTime();
        assertThat(informer.toTheEnd()).isEmpty();
        assertThat(informer.exitCode()).isEqualTo(1);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(within);
        assertThat(informer.err().lines()).singleElement().asString()
                .startsWith("never synced: the credential did not arrive in that time");
    }

    /** A process that has ended is listed until its parent asks for it, which may take long for an orphan; but it has no environment. */
    private static boolean runs(long pid) {
        try {
            return !Files.readString(Path.of("/proc", Long.toString(pid), "environ"), StandardCharsets.ISO_8859_1).isEmpty();
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void aCredentialPluginRunsOnce() throws Exception {
        Path kubeconfig =
                pluginThat("echo run >> runs\necho "
                + "'{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"t\"}}'");
        try (JavaProcess informer = program("-o", "json", "--kubeconfig", kubeconfig.toString())) {
            informer.await(line -> line.contains("DISRUPTED")); // nobody answers there
            informer.signal("TERM");
            informer.toTheEnd();
        }
        assertThat(Files.readAllLines(directory.resolve("runs"))).hasSize(1);
    }

    @Test
    void theWarningOfInsecureIsPrintedOnceAndNamesTheOption() throws Exception {
        try (JavaProcess informer = program("-o", "json", "--server", "https://127.0.0.1:1", "--insecure")) {
            informer.await(line -> line.contains("DISRUPTED")); // nobody answers there
            informer.signal("TERM");
            informer.toTheEnd();
            assertThat(informer.err().lines().filter(line -> line.contains("WARN"))).singleElement().asString()
                    .contains("the certificate of 127.0.0.1:1 is not checked, as --insecure says");
        }
    }

    private Path pluginThat(String script) throws IOException {
        Path plugin = Files.writeString(directory.resolve("p"), "#!/bin/sh\ncd " + directory + "\n" + script + "\n");
        Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
        return Files.writeString(directory.resolve("config"), """
                current-context: here
                clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]
                users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./p, interactiveMode: Never}}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                """);
    }

    private static void awaitFile(Path file) {
        Mono.fromCallable(() -> Files.exists(file)).filter(exists -> exists)
                .repeatWhenEmpty(absent -> absent.delayElements(Duration.ofMillis(50))).block(Duration.ofSeconds(30));
    }

    /** Takes each request, answers it so, and closes; until there are no more. */
    private static void answer(ServerSocket peer, String answer) {
        while (!peer.isClosed()) {
            try (Socket one = peer.accept()) {
                one.getInputStream().read();
                one.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException failure) {
                if (!peer.isClosed()) {
                    throw new UncheckedIOException(failure);
                }
            }
        }
    }

    private JavaProcess informer(String url, String... more) throws Exception {
        var args = new ArrayList<>(List.of("-o", "json", "--server", url));
        args.addAll(List.of(more));
        return program(args.toArray(String[]::new));
    }

    private JavaProcess program(String... args) throws Exception {
        // The program's own log, not that of the tests, which is in front of it on the class path.
        return JavaProcess.start(directory, List.of("-Dlogback.configurationFile=logback.xml"),
                JavaProcess.ownClassPath(), "io.reactiveinformer.demo.Main", args);
    }
}
