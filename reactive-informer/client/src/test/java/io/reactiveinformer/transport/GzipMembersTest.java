package io.reactiveinformer.transport;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An API server from 1.37 on compresses each event of a streaming list by itself: a body of many members, each to be read when it has come.
 */
class GzipMembersTest extends OverSockets {

    private static final String CHUNKED_GZIP =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n";

    @Test
    void readsEachMemberWhenItHasCome() throws IOException {
        byte[] second = gzip("two\n");
        int half = second.length / 2;
        try (RawPeer peer = RawPeer.start(line -> {
            line.send(CHUNKED_GZIP);
            sendChunk(line, gzip("one\n"));
        })) {
            StepVerifier.create(to(peer.address()).exchange(get("/watch"), OverSockets::text))
                    .expectNext("one\n")
                    .then(() -> {
                        sendChunk(peer.lines().get(0), Arrays.copyOf(second, half));
                        sendChunk(peer.lines().get(0), Arrays.copyOfRange(second, half, second.length));
                    })
                    .expectNext("t") // what there is of a member is passed on
                    .expectNext("wo\n")
                    .then(() -> sendChunk(peer.lines().get(0), gzip("")))
                    .then(() -> sendChunk(peer.lines().get(0), gzip("three\n")))
                    .expectNext("three\n")
                    .then(() -> send(peer.lines().get(0), "0\r\n\r\n"))
                    .expectComplete()
                    .verify(LIMIT);
        }
    }

    @Test
    void readsTheNextAnswerOfTheSameConnection() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> {
            do {
                line.send(CHUNKED_GZIP);
                sendChunk(line, gzip("one\n"));
                sendChunk(line, gzip("two\n"));
                line.send("0\r\n\r\n");
            } while (!line.readRequest().isEmpty());
        })) {
            Transport transport = to(peer.address());
            for (int i = 0; i < 3; i++) {
                StepVerifier.create(transport.exchange(get("/watch"), OverSockets::text).reduce(String::concat))
                        .expectNext("one\ntwo\n")
                        .expectComplete()
                        .verify(LIMIT);
            }
            assertThat(peer.lines()).hasSizeLessThan(3);
        }
    }

    /** Each chunk of HTTP is decompressed by itself, whatever of it comes together. */
    @Test
    void readsThemWhereverTheyAreCut() throws IOException {
        String text = "one\n" + "two ".repeat(50) + "\nthree\n";
        byte[] members = join(gzip("one\n"), gzip("two ".repeat(50) + "\n"), gzip(""), gzip("three\n"));
        try (RawPeer peer = RawPeer.start(line -> {
            do {
                line.send(CHUNKED_GZIP);
                int cut = Integer.parseInt(line.request().replaceAll("(?s)GET /(\\d+) .*", "$1"));
                if (cut == members.length) {
                    for (byte one : members) {
                        sendChunk(line, new byte[] {one});
                    }
                } else {
                    sendChunk(line, Arrays.copyOf(members, cut));
                    sendChunk(line, Arrays.copyOfRange(members, cut, members.length));
                }
                line.send("0\r\n\r\n");
            } while (!line.readRequest().isEmpty());
        })) {
            Transport transport = to(peer.address());
            for (int cut = 1; cut <= members.length; cut++) {
                StepVerifier.create(transport.exchange(get("/" + cut), OverSockets::text).reduce("", String::concat))
                        .as("cut after " + cut + " of " + members.length + " bytes; the last one after each")
                        .expectNext(text)
                        .expectComplete()
                        .verify(LIMIT);
            }
        }
    }

    private static void sendChunk(RawPeer.Line line, byte[] bytes) {
        try {
            line.send(join(ascii(Integer.toHexString(bytes.length) + "\r\n"), bytes, ascii("\r\n")));
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private static byte[] gzip(String text) {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(ascii(text));
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return bytes.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] join(byte[]... parts) {
        var bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }
}
