package io.reactiveinformer.recordings;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One recorded scenario of a real kube-apiserver 1.36, from {@code src/test/resources/transcripts}: exchanges of requests and answers, byte
 * for byte. The files are read by the lengths that they state, never by looking for a mark in the bytes.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Recording(String name, List<Exchange> exchanges) {

    /** How an answer ended. */
    public enum End {
        /** Its framing says so; the connection goes on. */
        COMPLETE,
        /** Not at all: the one who recorded had enough. */
        OPEN,
        /** The server closed the connection in order, before or without an end of the answer. */
        CLOSED,
        /** The connection broke: the process was killed. */
        CUT,
        /** There was no connection. */
        NOT_CONNECTED
    }

    /**
     * What one read of the socket gave.
     *
     * @param millis after the request was sent
     */
    public record Read(int millis, byte[] bytes) {}

    /**
     * @param title what this is
     * @param notes what happened on other connections meanwhile
     * @param reads the answer, in the pieces in which it was read
     */
    public record Exchange(String title, List<String> notes, byte[] request, List<Read> reads, byte[] response, End end) {

        /** {@code GET /api/v1/pods HTTP/1.1}. */
        public String requestLine() {
            return lines(request).get(0);
        }

        /** Path and query. */
        public String uri() {
            return requestLine().split(" ", -1)[1];
        }

        /** The whole request. */
        public String requestText() {
            return new String(request, ISO_8859_1);
        }

        public int status() {
            return Integer.parseInt(lines(response).get(0).split(" ", -1)[1]);
        }

        /** The value of the answer's header; empty if it has none of this name. */
        public String header(String name) {
            return lines(response).stream()
                    .skip(1)
                    .takeWhile(line -> !line.isEmpty())
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst().orElse("");
        }

        /** The answer's body without the framing of its transfer; what a cut left incomplete is in it too. */
        public byte[] body() {
            int start = endOfHeaders(response);
            return header("Transfer-Encoding").equals("chunked")
                    ? join(chunks())
                    : Arrays.copyOfRange(response, start, response.length);
        }

        /** The body's chunks, each without its framing. */
        public List<byte[]> chunks() {
            List<byte[]> chunks = new ArrayList<>();
            int at = endOfHeaders(response);
            while (at < response.length) {
                int lineEnd = indexOf(response, '\n', at);
                int size = Integer.parseInt(new String(response, at, lineEnd - at - 1, ISO_8859_1), 16);
                if (size == 0) {
                    break;
                }
                int end = Math.min(lineEnd + 1 + size, response.length);
                chunks.add(Arrays.copyOfRange(response, lineEnd + 1, end));
                at = end + 2;
            }
            return chunks;
        }

        public String bodyText() {
            return new String(body(), UTF_8);
        }

        @Override
        public String toString() {
            return title + ": " + requestLine();
        }
    }

    /** @param name such as {@code 05-watch-events} */
    public static Recording of(String name) {
        try (InputStream file = Recording.class.getResourceAsStream("/transcripts/" + name + ".http")) {
            byte[] bytes = Objects.requireNonNull(file, () -> "no recording " + name).readAllBytes();
            return new Recording(name, new Reader(bytes).exchanges());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** @param number as in the file: from 1 */
    public Exchange exchange(int number) {
        return exchanges.get(number - 1);
    }

    /** A position in a file. */
    private static final class Reader {
        private final byte[] file;
        private int at;

        Reader(byte[] file) {
            this.file = file;
        }

        List<Exchange> exchanges() {
            List<Exchange> exchanges = new ArrayList<>();
            while (at < file.length) {
                String line = line();
                if (line.startsWith("=== EXCHANGE ")) {
                    exchanges.add(exchange(line.substring(line.indexOf(':') + 2)));
                }
            }
            return exchanges;
        }

        private Exchange exchange(String title) {
            List<String> notes = new ArrayList<>();
            String line = line();
            for (; line.startsWith("=== NOTE "); line = line()) {
                notes.add(line.substring("=== NOTE ".length()));
            }
            byte[] request = counted(line, "=== REQUEST ");
            String reads = line();
            byte[] response = counted(line(), "=== RESPONSE ");
            return new Exchange(title, List.copyOf(notes), request, reads(reads, response), response, end(line()));
        }

        private byte[] counted(String line, String prefix) {
            if (!line.startsWith(prefix)) {
                throw new IllegalStateException("expected " + prefix + "at " + at + ", found " + line);
            }
            int length = Integer.parseInt(line.substring(prefix.length(), line.lastIndexOf(' ')));
            byte[] bytes = Arrays.copyOfRange(file, at, at + length);
            at += length + 1;
            return bytes;
        }

        private static List<Read> reads(String line, byte[] response) {
            List<Read> reads = new ArrayList<>();
            int from = 0;
            for (String read : line.substring("=== READS ".length()).strip().split(" ", -1)) {
                if (!read.isEmpty()) {
                    String[] parts = read.split(":", -1);
                    int length = Integer.parseInt(parts[1]);
                    reads.add(new Read(Integer.parseInt(parts[0]), Arrays.copyOfRange(response, from, from + length)));
                    from += length;
                }
            }
            if (from != response.length) {
                throw new IllegalStateException("the reads sum up to " + from + " of " + response.length + " bytes");
            }
            return List.copyOf(reads);
        }

        private static End end(String line) {
            String how = line.substring("=== END ".length());
            return how.startsWith("complete") ? End.COMPLETE
                    : how.startsWith("client") ? End.OPEN
                    : how.startsWith("EOF") ? End.CLOSED
                    : how.startsWith("CUT") ? End.CUT
                    : End.NOT_CONNECTED;
        }

        private String line() {
            int end = indexOf(file, '\n', at);
            String line = new String(file, at, end - at, UTF_8);
            at = end + 1;
            return line;
        }
    }

    private static List<String> lines(byte[] head) {
        return new String(head, ISO_8859_1).lines().toList();
    }

    private static int endOfHeaders(byte[] message) {
        return new String(message, ISO_8859_1).indexOf("\r\n\r\n") + 4;
    }

    private static int indexOf(byte[] bytes, char wanted, int from) {
        for (int at = from; at < bytes.length; at++) {
            if (bytes[at] == wanted) {
                return at;
            }
        }
        return bytes.length;
    }

    private static byte[] join(List<byte[]> parts) {
        var all = new ByteArrayOutputStream();
        parts.forEach(all::writeBytes);
        return all.toByteArray();
    }
}
