package io.reactiveinformer.benchmarks;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * The API server of {@code java -jar}, in a process of its own.
 *
 * <pre>
 * Standalone starts JAVA JAR [FLAG...]                       the time from the start of the process until it listens, nine times
 * Standalone load OBJECTS WATCHES WRITES SECONDS JAVA JAR [FLAG...]
 * </pre>
 *
 * {@code load} creates config maps of about 1 KB in as many namespaces as there are watches, lets each watch follow one namespace, and
 * replaces objects at this rate, by sixteen connections; each object has its turn. The clients are sockets that parse next to nothing.
 */
public final class Standalone {

    private static final int WRITERS = 16;
    private static final String FILLER = "x".repeat(900);

    private final URI url;
    private final int objects;
    private final int watches;
    private final AtomicLong events = new AtomicLong();
    private long[] delays = new long[1 << 16];
    private int seen;

    private Standalone(URI url, int objects, int watches) {
        this.url = url;
        this.objects = objects;
        this.watches = watches;
    }

    private record Server(Process process, URI url, double millis) {}

    private static Server start(List<String> command) throws IOException {
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("listening on ")) {
                return new Server(process, URI.create(line.replaceAll("listening on |;.*", "")), (System.nanoTime() - begun) / 1e6);
            }
        }
        throw new IOException("it did not start: " + command);
    }

    private static List<String> command(String java, String jar, List<String> flags) {
        List<String> command = new ArrayList<>(List.of(java));
        flags.stream().filter(flag -> flag.startsWith("-X")).forEach(command::add);
        command.addAll(List.of("-jar", jar));
        flags.stream().filter(flag -> !flag.startsWith("-X")).forEach(command::add);
        return command;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> all = List.of(arguments);
        if (all.get(0).equals("starts")) {
            starts(command(all.get(1), all.get(2), all.subList(3, all.size())));
            return;
        }
        Server server = start(command(all.get(5), all.get(6), all.subList(7, all.size())));
        try {
            new Standalone(server.url(), Integer.parseInt(all.get(1)), Integer.parseInt(all.get(2)))
                    .load(Integer.parseInt(all.get(3)), Integer.parseInt(all.get(4)), server.process());
        } finally {
            server.process().destroy();
            server.process().waitFor();
        }
    }

    private static void starts(List<String> command) throws Exception {
        double[] millis = new double[9];
        for (int i = 0; i < millis.length; i++) {
            Server server = start(command);
            server.process().destroy();
            server.process().waitFor();
            millis[i] = server.millis();
        }
        Arrays.sort(millis);
        System.out.printf("listens after %.0f ms (median of 9; %.0f to %.0f)%n", millis[4], millis[0], millis[8]);
    }

    private void load(int rate, int seconds, Process server) throws Exception {
        long begun = System.nanoTime();
        writers(watches, Integer.MAX_VALUE, team -> post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"team-" + team + "\"}}"));
        writers(objects, Integer.MAX_VALUE, object -> write(object, true));
        System.out.printf("created %d objects in %.1f s%n", objects, (System.nanoTime() - begun) / 1e9);
        follow();
        writers(rate * 10, rate, object -> write(object, false)); // warm-up
        awaitEvents(objects + rate * 10L);
        long before = events.get();
        synchronized (this) {
            seen = 0;
        }
        long cpu = server.toHandle().info().totalCpuDuration().orElseThrow().toMillis();
        begun = System.nanoTime();
        writers(rate * seconds, rate, object -> write(object, false));
        double took = (System.nanoTime() - begun) / 1e9;
        awaitEvents(before + (long) rate * seconds);
        cpu = server.toHandle().info().totalCpuDuration().orElseThrow().toMillis() - cpu;
        System.out.printf("%d writes in %.1f s: %.0f a second; %d of %d events arrived at %d watches%n", rate * seconds, took,
                rate * seconds / took, events.get() - before, rate * seconds, watches);
        synchronized (this) {
            Arrays.sort(delays, 0, seen);
            System.out.printf("from the write to its event: p50 %.1f ms, p99 %.1f ms, max %.1f ms%n", delays[seen / 2] / 1e6,
                    delays[seen * 99 / 100] / 1e6, delays[seen - 1] / 1e6);
        }
        System.out.printf("the server used %.2f cores, and at most %s of memory%n", cpu / 1000.0 / took, Files.readAllLines(
                Path.of("/proc/" + server.pid() + "/status")).stream().filter(line -> line.startsWith("VmHWM")).findFirst().orElse("?")
                .replaceAll("VmHWM:\\s+", ""));
    }

    /** Waits for these events, for 30 s at most: what did not arrive then is missing. */
    private void awaitEvents(long count) throws InterruptedException {
        for (int i = 0; i < 3000 && events.get() < count; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Makes so many writes at this rate, or as many as possible, and waits until all are answered. */
    private void writers(int writes, int rate, IntFunction<String> request) throws Exception {
        AtomicLong next = new AtomicLong();
        long begun = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Thread thread = new Thread(() -> {
                try (Socket socket = new Socket(url.getHost(), url.getPort())) {
                    socket.setTcpNoDelay(true);
                    InputStream input = new BufferedInputStream(socket.getInputStream(), 1 << 14);
                    for (long turn = next.getAndIncrement(); turn < writes; turn = next.getAndIncrement()) {
                        long due = begun + (rate == Integer.MAX_VALUE ? 0 : turn * 1_000_000_000L / rate);
                        for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
                            LockSupport.parkNanos(due - now);
                        }
                        socket.getOutputStream().write(request.apply((int) (turn % objects)).getBytes(StandardCharsets.UTF_8));
                        skipAnswer(input);
                    }
                } catch (IOException failure) {
                    synchronized (failures) {
                        failures.add(failure);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw new IOException(failures.size() + " connections failed", failures.get(0));
        }
    }

    private String write(int object, boolean create) {
        String body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"object-" + object
                + "\",\"labels\":{\"app\":\"a" + object % 7 + "\"}},\"data\":{\"t\":\"" + System.nanoTime() + "\",\"filler\":\"" + FILLER + "\"}}";
        String path = "/api/v1/namespaces/team-" + object % watches + "/configmaps";
        return create ? post(path, body) : post(path + "/object-" + object, body).replaceFirst("POST", "PUT");
    }

    private static String post(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private static String line(InputStream input) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new IOException("the server ended the connection");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private static void skipAnswer(InputStream input) throws IOException {
        String status = line(input);
        int length = -1;
        for (String header = line(input); !header.isEmpty(); header = line(input)) {
            if (header.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(header.substring(15).strip());
            }
        }
        if (length >= 0) {
            input.skipNBytes(length);
        } else {
            for (int chunk = Integer.parseInt(line(input), 16); chunk > 0; chunk = Integer.parseInt(line(input), 16)) {
                input.skipNBytes(chunk + 2);
            }
            line(input);
        }
        if (!status.matches("HTTP/1.1 20[01] .*")) {
            throw new IOException(status);
        }
    }

    /** Follows every namespace by a connection of its own; returns when all are answered. */
    private void follow() throws Exception {
        Selector selector = Selector.open();
        for (int i = 0; i < watches; i++) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(url.getHost(), url.getPort()));
            channel.write(ByteBuffer.wrap(("GET /api/v1/namespaces/team-" + i + "/configmaps?watch=1&resourceVersion=0&timeoutSeconds=3600"
                    + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n").getBytes(StandardCharsets.UTF_8)));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
        }
        CountDownLatch initial = new CountDownLatch(1);
        Thread reader = new Thread(() -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 18);
            byte[] bytes = new byte[1 << 18];
            try {
                while (true) {
                    selector.select();
                    for (SelectionKey key : selector.selectedKeys()) {
                        buffer.clear();
                        int count = ((SocketChannel) key.channel()).read(buffer);
                        if (count < 0) {
                            key.cancel();
                            continue;
                        }
                        buffer.flip().get(bytes, 0, count);
                        count(bytes, count);
                        if (events.get() >= objects) {
                            initial.countDown();
                        }
                    }
                    selector.selectedKeys().clear();
                }
            } catch (IOException failure) {
                System.err.println("the watches have ended: " + failure);
            }
        });
        reader.setDaemon(true);
        reader.start();
        if (!initial.await(60, TimeUnit.SECONDS)) {
            throw new IOException("of " + objects + " objects, the watches received " + events);
        }
    }

    /** An event ends with }\n; its time is skipped if it is cut. */
    private synchronized void count(byte[] bytes, int count) {
        for (int i = 1; i < count; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '}') {
                events.incrementAndGet();
            } else if (bytes[i] == 't' && bytes[i - 1] == '"' && i + 4 < count && bytes[i + 1] == '"' && bytes[i + 2] == ':'
                    && bytes[i + 3] == '"') {
                long sent = 0;
                int digit = i + 4;
                for (; digit < count && bytes[digit] >= '0' && bytes[digit] <= '9'; digit++) {
                    sent = sent * 10 + bytes[digit] - '0';
                }
                if (digit == count) {
                    return;
                }
                if (seen == delays.length) {
                    delays = Arrays.copyOf(delays, seen * 2);
                }
                delays[seen++] = System.nanoTime() - sent;
            }
        }
    }
}
