package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves the pods of a {@link Corpus} as an API server does: lists, pages, watches over HTTP and WebSocket, streaming lists. Requests
 * under {@code /trial/} control it. Each connection has a thread, so that the server is never the bottleneck.
 */
public final class LoadServer implements AutoCloseable {

    final Cluster cluster;
    final int podsPerNamespace;
    final Set<Socket> watching = ConcurrentHashMap.newKeySet();
    /** How often all was asked for, in pages and streams too. */
    final LongAdder lists = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder bytes = new LongAdder();
    private final ServerSocket socket;

    private LoadServer(Cluster cluster, int podsPerNamespace, ServerSocket socket) {
        this.cluster = cluster;
        this.podsPerNamespace = podsPerNamespace;
        this.socket = socket;
    }

    /** {@code CORPUS PODS CONTAINERS PODS_PER_NAMESPACE}; prints its address, and ends with its standard input. */
    public static void main(String... arguments) throws IOException {
        int podsPerNamespace = Integer.parseInt(arguments[3]);
        var corpus = new Corpus(Corpus.Kind.valueOf(arguments[0]), Integer.parseInt(arguments[2]), podsPerNamespace, 1);
        var cluster = new Cluster(corpus, Integer.parseInt(arguments[1]), Encoding.find().orElse(null));
        try (var server = new LoadServer(cluster, podsPerNamespace, new ServerSocket(0, 100, InetAddress.getLoopbackAddress()))) {
            System.out.println("http://127.0.0.1:" + server.socket.getLocalPort());
            server.start();
            while (System.in.read() >= 0) {
                // until the process that started this one ends
            }
        }
        System.exit(0);
    }

    private void start() {
        daemon("accept", () -> {
            while (true) {
                Socket accepted = socket.accept();
                accepted.setTcpNoDelay(true);
                daemon("connection", () -> new Exchange(this, accepted).serve());
            }
        });
    }

    /** Closes each connection that watches; how many those were. */
    int cut() throws IOException {
        int cut = 0;
        for (Socket one : watching) {
            one.close();
            cut++;
        }
        return cut;
    }

    /** Changes of pods, one after the other; the last one of each pod says so. */
    int changeAll(int count, int perSecond) {
        int[] plan = cluster.plan(count, count);
        boolean[] lastOnes = new boolean[count];
        var seen = new boolean[cluster.count()];
        int finals = 0;
        for (int i = count - 1; i >= 0; i--) {
            if (!seen[plan[i]]) {
                seen[plan[i]] = true;
                lastOnes[i] = true;
                finals++;
            }
        }
        daemon("writer", () -> {
            long begun = System.nanoTime();
            for (int i = 0; i < count; i++) {
                long due = perSecond == 0 ? begun : begun + i * 1_000_000_000L / perSecond;
                for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                cluster.append(plan[i], due, lastOnes[i]);
            }
        });
        return finals;
    }

    static void daemon(String name, Task task) {
        var thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException over) {
                // the other side has gone, or was cut off
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    interface Task {
        void run() throws IOException, InterruptedException;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
