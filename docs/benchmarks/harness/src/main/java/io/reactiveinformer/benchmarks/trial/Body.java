package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What an answer consists of: chunks of HTTP, or frames of a WebSocket. Written in one go where many come at once. */
final class Body {

    private static final int FULL = 256 << 10;
    private static final int CHUNK_HEAD = 10;
    private static final int FRAME_HEAD = 4; // of 126 to 65,535 bytes, as all that is sent: clients refuse a longer head than is needed

    private final OutputStream out;
    private final LongAdder written;
    private final boolean webSocket;
    private byte[] buffer = new byte[FULL + (64 << 10)];
    private int size;
    private int frame;

    Body(Socket socket, LongAdder written, String contentType) throws IOException {
        this(socket, written, false, "HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    private Body(Socket socket, LongAdder written, boolean webSocket, String head) throws IOException {
        this.out = socket.getOutputStream();
        this.written = written;
        this.webSocket = webSocket;
        out.write(head.getBytes(StandardCharsets.US_ASCII));
    }

    static Body webSocket(Socket socket, LongAdder written, String accept, @Nullable String protocol) throws IOException {
        return new Body(socket, written, true,
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept
                + (protocol == null ? "" : "\r\nSec-WebSocket-Protocol: " + protocol.split(",", -1)[0].strip()) + "\r\n\r\n");
    }

    /** Begins a chunk; its length is written at its end. */
    void begin() throws IOException {
        if (size > FULL) {
            flush();
        }
        frame = size;
        size += head();
    }

    void add(String text) {
        for (int i = 0; i < text.length(); i++) {
            buffer[size++] = (byte) text.charAt(i);
        }
    }

    void add(byte[] bytes) {
        System.arraycopy(bytes, 0, buffer, size, bytes.length);
        size += bytes.length;
    }

    /** A pod in protocol buffers, as an item of a list. */
    void addItem(Cluster cluster, int pod, int entry) {
        PodMessage message = cluster.pod(pod).message();
        add(new Wire().begin(2, message.length()).bytes());
        cluster.writeMessage(buffer, size, false, pod, entry);
        size += message.length();
    }

    /** A pod in protocol buffers, with its kind. */
    void addMessage(Cluster cluster, int pod, int entry) {
        cluster.writeMessage(buffer, size, true, pod, entry);
        size += cluster.pod(pod).message().envelopeLength();
    }

    void add(Cluster cluster, int pod, int entry) {
        size += cluster.write(buffer, size, PodForm.WHOLE, pod, entry);
    }

    /** A pod that says its kind before anything else, which its own opening brace is replaced by. */
    void add(PodForm form, Cluster cluster, int pod, int entry) {
        add(form.opening);
        int last = size - 1;
        byte kept = buffer[last];
        size += cluster.write(buffer, last, form, pod, entry) - 1;
        buffer[last] = kept;
    }

    /** Ends the chunk. */
    void end() {
        int length = size - frame - head();
        if (webSocket) {
            if (length < 126 || length > 0xFFFF) {
                throw new IllegalStateException("a frame of " + length + " bytes needs another head");
            }
            buffer[frame] = (byte) 0x81;
            buffer[frame + 1] = 126;
            buffer[frame + 2] = (byte) (length >>> 8);
            buffer[frame + 3] = (byte) length;
        } else {
            for (int i = 7; i >= 0; i--) {
                buffer[frame + 7 - i] = (byte) Character.forDigit(length >>> 4 * i & 15, 16);
            }
            buffer[frame + 8] = '\r';
            buffer[frame + 9] = '\n';
            add("\r\n");
        }
    }

    private int head() {
        return webSocket ? FRAME_HEAD : CHUNK_HEAD;
    }

    void flush() throws IOException {
        out.write(buffer, 0, size);
        written.add(size);
        size = 0;
    }

    /** No more chunks. */
    void finish() throws IOException {
        if (webSocket) {
            buffer[size++] = (byte) 0x88; // a frame that closes, without a reason
            buffer[size++] = 0;
        } else {
            add("0\r\n\r\n");
        }
        flush();
    }
}
