package io.reactiveinformer.recordings;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Answers over a real socket what a real server answered: the recorded bytes, in the pieces in which they were read, with their pauses
 * (shortened), and with the recorded end: connection kept, left hanging, closed in order, or reset. Without TLS.
 *
 * <p>Requests are answered in the order of the exchanges, whatever they ask; {@link #requests} tells what that was.
 */
public final class ReplayServer implements AutoCloseable {

    /** Long enough that two pieces are two reads on the other side too, mostly; the recorded pauses go up to a minute. */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(5);

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "replay");
        thread.setDaemon(true);
        return thread;
    });
    private final Queue<Recording.Exchange> script;
    private final List<String> requests = new ArrayList<>();
    private final List<String> received = new ArrayList<>(); // guarded by requests
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    private ReplayServer(List<Recording.Exchange> script) throws IOException {
        this.script = new ArrayDeque<>(script);
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    public static ReplayServer of(Recording.Exchange... script) {
        return of(List.of(script));
    }

    public static ReplayServer of(List<Recording.Exchange> script) {
        try {
            return new ReplayServer(script);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /** What was asked, in order: method, path and query. */
    public List<String> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    /** What was asked, in order, whole: request lines, headers and bodies, byte for byte as characters of ISO 8859-1. */
    public List<String> received() {
        synchronized (requests) {
            return List.copyOf(received);
        }
    }

    /** How many exchanges nobody has asked for yet. */
    public int left() {
        synchronized (script) {
            return script.size();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        threads.shutdownNow();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                sockets.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException closing) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            boolean goesOn = true;
            while (goesOn) {
                String request = request(in);
                if (request.isEmpty()) {
                    return;
                }
                goesOn = answer(socket, request);
            }
        } catch (IOException gone) {
            // the client hung up, as clients do
        }
    }

    /** Whether the connection goes on. */
    private boolean answer(Socket socket, String request) throws IOException {
        synchronized (requests) {
            String line = request.lines().findFirst().orElseThrow();
            requests.add(line.substring(0, line.lastIndexOf(' ')));
            received.add(request);
        }
        Recording.Exchange exchange;
        synchronized (script) {
            exchange = script.poll();
        }
        if (exchange == null) {
            awaitClose(); // what is not recorded stays without an answer
            return false;
        }
        int last = 0;
        for (Recording.Read read : exchange.reads()) {
            pause(Duration.ofMillis(read.millis() - last));
            last = read.millis();
            socket.getOutputStream().write(read.bytes());
            socket.getOutputStream().flush();
        }
        switch (exchange.end()) {
            case COMPLETE -> {
                return !exchange.header("Connection").equalsIgnoreCase("close");
            }
            case OPEN -> awaitHangUp(socket);
            case CLOSED -> socket.shutdownOutput();
            case CUT, NOT_CONNECTED -> {
                pause(LONGEST_PAUSE); // a reset overtakes what is still on its way
                socket.setSoLinger(true, 0);
            }
        }
        return false;
    }

    private void pause(Duration recorded) {
        await(recorded.compareTo(LONGEST_PAUSE) < 0 ? recorded.plusMillis(1) : LONGEST_PAUSE);
    }

    private void awaitClose() {
        await(Duration.ofDays(1));
    }

    private void await(Duration time) {
        try {
            closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitHangUp(Socket socket) throws IOException {
        while (socket.getInputStream().read() >= 0) {
            // nothing is expected here but the end
        }
    }

    /** Head and body; empty at the end of the connection. Bodies are read by their length. */
    private static String request(InputStream in) throws IOException {
        var request = new StringBuilder();
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            request.append(header).append("\r\n");
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(header.substring(header.indexOf(':') + 1).strip());
            }
        }
        String body = new String(in.readNBytes(length), ISO_8859_1);
        return request.isEmpty() ? "" : request.append("\r\n").append(body).toString();
    }

    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        return line.toString(ISO_8859_1).stripTrailing();
    }
}
