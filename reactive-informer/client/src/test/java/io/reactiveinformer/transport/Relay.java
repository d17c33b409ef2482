package io.reactiveinformer.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A wire to a server that can die without a word: once frozen, it takes no byte and gives none, and says so to nobody. */
final class Relay implements AutoCloseable {

    private final ServerSocket listener;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean frozen;
    private final AtomicInteger connections = new AtomicInteger();

    private Relay(ServerSocket listener, int target) {
        this.listener = listener;
        this.target = target;
    }

    static Relay to(int port) throws IOException {
        var relay = new Relay(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
        daemon(relay::accept);
        return relay;
    }

    int port() {
        return listener.getLocalPort();
    }

    int connections() {
        return connections.get();
    }

    /** The connections that are open now die; those that come later live. */
    void freeze() {
        frozen = true;
    }

    void thaw() {
        frozen = false;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket here = listener.accept();
                Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
                connections.incrementAndGet();
                sockets.add(here);
                sockets.add(there);
                daemon(() -> pump(here, there));
                daemon(() -> pump(there, here));
            } catch (IOException over) {
                return;
            }
        }
    }

    private void pump(Socket from, Socket to) {
        try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
            byte[] bytes = new byte[8192];
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (frozen) {
                    closed.await();
                }
                out.write(bytes, 0, count);
                out.flush();
            }
        } catch (IOException over) {
            // both ends go together
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void daemon(Runnable work) {
        var thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
