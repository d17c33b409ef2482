package io.reactiveinformer.benchmarks.real;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy on loopback that passes bytes on as a network of some speed would, and counts those that the server sends. Each direction has the
 * whole speed, shared by all connections. Threads of its own, two for each direction of a connection.
 */
final class Link implements AutoCloseable {

    /**
     * @param megabits a second; 0 for no limit
     * @param roundTripMillis for a byte and its answer
     */
    record Speed(String title, int megabits, int roundTripMillis) {
        static final Speed LOOPBACK = new Speed("loopback", 0, 0);
        static final Speed NETWORK = new Speed("200 Mbit/s, 30 ms", 200, 30);
        static final Speed SLOW = new Speed("20 Mbit/s, 30 ms", 20, 30);
    }

    private static final int CHUNK = 16 << 10;

    /** A mebibyte on its way; beyond that, the sender waits. */
    private static final int CHUNKS = 64;

    private static final byte[] END = {};

    @SuppressWarnings("ArrayRecordComponent") // on its way from one thread to another, and compared with nothing
    private record Due(byte[] bytes, int length, long at) {}

    private final ServerSocket listener;
    private final URI server;
    private final Speed speed;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong freeUpwards = new AtomicLong(System.nanoTime());
    private final AtomicLong freeDownwards = new AtomicLong(System.nanoTime());

    Link(URI server, Speed speed) {
        this.server = server;
        this.speed = speed;
        try {
            listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Bytes that came from the server, TLS and all. */
    long received() {
        return received.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                var peer = new Socket(server.getHost(), server.getPort());
                client.setTcpNoDelay(true);
                peer.setTcpNoDelay(true);
                pass(client, peer, freeUpwards, false);
                pass(peer, client, freeDownwards, true);
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void pass(Socket from, Socket to, AtomicLong free, boolean counts) {
        BlockingQueue<Due> onTheWay = new ArrayBlockingQueue<>(CHUNKS);
        start(() -> read(from, onTheWay, free, counts));
        start(() -> write(from, to, onTheWay));
    }

    private void read(Socket from, BlockingQueue<Due> onTheWay, AtomicLong free, boolean counts) {
        try {
            InputStream in = from.getInputStream();
            for (byte[] chunk = new byte[CHUNK]; ; chunk = new byte[CHUNK]) {
                int length = in.read(chunk);
                if (length < 0) {
                    break;
                }
                received.addAndGet(counts ? length : 0);
                onTheWay.put(new Due(chunk, length, due(length, free)));
            }
        } catch (IOException closed) {
            // the end notifies the other side
        } catch (InterruptedException never) {
            Thread.currentThread().interrupt();
        }
        onTheWay.offer(new Due(END, 0, 0));
        closeQuietly(from);
    }

    /** When the last of these bytes arrives; waits until the first of them can leave. */
    private long due(int length, AtomicLong free) {
        if (speed.megabits == 0) {
            return 0;
        }
        long takes = length * 8_000L / speed.megabits;
        long left = free.updateAndGet(before -> Math.max(before, System.nanoTime()) + takes);
        sleepUntil(left - takes);
        return left + speed.roundTripMillis * 500_000L;
    }

    private static void write(Socket from, Socket to, BlockingQueue<Due> onTheWay) {
        try {
            OutputStream out = to.getOutputStream();
            for (Due due = onTheWay.take(); due.length > 0; due = onTheWay.take()) {
                sleepUntil(due.at == 0 ? System.nanoTime() : due.at);
                out.write(due.bytes, 0, due.length);
            }
        } catch (IOException closed) {
            closeQuietly(from);
            onTheWay.clear(); // the reading thread may wait for room
        } catch (InterruptedException never) {
            Thread.currentThread().interrupt();
        }
        closeQuietly(to);
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException already) {
            // closed is what it should be
        }
    }

    private static void start(Runnable work) {
        var thread = new Thread(work, "link");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
