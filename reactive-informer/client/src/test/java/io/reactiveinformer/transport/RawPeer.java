package io.reactiveinformer.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The other side of a connection, byte by byte: what a well-behaved server would never do. One thread a connection. */
public final class RawPeer implements AutoCloseable {

    /** What is done with one connection, after the headers of its first request were read. */
    @FunctionalInterface
    public interface Script {
        void play(Line line) throws IOException;
    }

    private final ServerSocket listener;
    private final Script script;
    private final List<Line> lines = new CopyOnWriteArrayList<>();

    private RawPeer(ServerSocket listener, Script script) {
        this.listener = listener;
        this.script = script;
    }

    public static RawPeer start(Script script) throws IOException {
        var peer = new RawPeer(new ServerSocket(0, 512, InetAddress.getLoopbackAddress()), script); // hundreds connect at once
        daemon(peer::accept);
        return peer;
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    List<Line> lines() {
        return lines;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var line = new Line(listener.accept());
                lines.add(line);
                daemon(() -> line.run(script));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void daemon(Runnable work) {
        var thread = new Thread(work, "raw-peer");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Line line : lines) {
            line.close();
        }
    }

    /** One connection. */
    public static final class Line {

        private final Socket socket;
        private final CountDownLatch hungUp = new CountDownLatch(1);
        private volatile String request = "";

        private Line(Socket socket) {
            this.socket = socket;
        }

        private void run(Script script) {
            try {
                readRequest();
                script.play(this);
                socket.getInputStream().transferTo(OutputStream.nullOutputStream()); // until the other side hangs up
            } catch (IOException broken) {
                // hung up the hard way
            } finally {
                hungUp.countDown();
            }
        }

        /** Waits for the headers of one more. */
        String readRequest() throws IOException {
            request = readHeaders(socket.getInputStream());
            return request;
        }

        /** The headers of the last request, and its first line. */
        String request() {
            return request;
        }

        public void send(String text) throws IOException {
            send(text.getBytes(StandardCharsets.UTF_8));
        }

        public void send(byte[] bytes) throws IOException {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
        }

        void close() throws IOException {
            socket.close();
        }

        /** With a RST instead of a FIN. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        boolean hungUpWithin(long seconds) throws InterruptedException {
            return hungUp.await(seconds, TimeUnit.SECONDS);
        }

        private static String readHeaders(InputStream in) throws IOException {
            var text = new StringBuilder();
            for (int next = in.read(); next >= 0; next = in.read()) {
                text.append((char) next);
                if (text.toString().endsWith("\r\n\r\n")) {
                    break;
                }
            }
            return text.toString();
        }
    }
}
