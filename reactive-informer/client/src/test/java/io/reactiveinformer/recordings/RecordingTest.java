package io.reactiveinformer.recordings;

import io.reactiveinformer.recordings.Recording.End;
import io.reactiveinformer.recordings.Recording.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecordingTest {

    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/transcripts"))) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".http"))
                    .map(name -> name.replace(".http", "")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyRecordingIsReadToItsEnd(String name) {
        for (Exchange exchange : Recording.of(name).exchanges()) {
            assertThat(exchange.requestLine()).endsWith(" HTTP/1.1");
            if (exchange.end() == End.COMPLETE) {
                assertThat(exchange.status()).isBetween(200, 599);
                String length = exchange.header("Content-Length");
                assertThat(exchange.body()).hasSize(length.isEmpty() ? exchange.body().length : Integer.parseInt(length));
            }
        }
    }

    @Test
    void aBodyIsWhatTheChunksCarry() {
        Exchange watch = Recording.of("05-watch-events").exchange(1);
        assertThat(watch.end()).isEqualTo(End.OPEN);
        assertThat(watch.reads()).hasSize(5);
        assertThat(watch.notes()).hasSize(5);
        assertThat(watch.bodyText().lines()).hasSize(4).allMatch(line -> line.startsWith("{\"type\":\"") && line.endsWith("}}"));
        assertThat(watch.chunks()).hasSize(4);
        assertThat(watch.uri()).isEqualTo("/api/v1/namespaces/t05/configmaps?watch=true&resourceVersion=268");
    }

    @Test
    void theServerReplaysEveryByteAndKeepsTheConnection() throws IOException {
        Exchange first = Recording.of("02-list-paged").exchange(1);
        Exchange second = Recording.of("02-list-paged").exchange(2);
        try (var server = ReplayServer.of(first, second); var socket = connect(server)) {
            assertThat(ask(socket, "/one", first.response().length)).isEqualTo(first.response());
            assertThat(ask(socket, "/two", second.response().length)).isEqualTo(second.response());
            assertThat(server.requests()).containsExactly("GET /one", "GET /two");
            assertThat(server.left()).isZero();
        }
    }

    @Test
    void theServerResetsWhatWasCut() throws IOException {
        Exchange killed = Recording.of("26-apiserver-stops").exchange(1);
        assertThat(killed.end()).isEqualTo(End.CUT);
        try (var server = ReplayServer.of(killed); var socket = connect(server)) {
            assertThat(ask(socket, "/", killed.response().length)).isEqualTo(killed.response());
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class).hasMessageContaining("reset");
        }
    }

    @Test
    void theServerClosesInOrderWhatWasClosedInOrder() throws IOException {
        Exchange closed = Recording.of("26-apiserver-stops").exchange(6);
        assertThat(closed.end()).isEqualTo(End.CLOSED);
        try (var server = ReplayServer.of(closed); var socket = connect(server)) {
            assertThat(ask(socket, "/", 1)).isEmpty();
        }
    }

    private static Socket connect(ReplayServer server) throws IOException {
        return new Socket(server.uri().getHost(), server.uri().getPort());
    }

    private static byte[] ask(Socket socket, String path, int expected) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(("GET " + path + " HTTP/1.1\r\nHost: replay\r\n\r\n").getBytes(ISO_8859_1));
        InputStream in = socket.getInputStream();
        return in.readNBytes(expected);
    }
}
