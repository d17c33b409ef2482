package io.reactiveinformer.benchmarks.browsers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** All browsers, on one thread: the healthy ones read what comes, the slow ones a byte a second. */
final class Clients {

    private static final long SECOND = 1_000_000_000L;

    private final List<Client> healthy = new ArrayList<>();
    private final List<Client> slow = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(256 * 1024);
    private final ByteBuffer oneByte = ByteBuffer.allocateDirect(1);
    private final Selector selector;
    private Histogram staleness = new Histogram(3); // microseconds

    /** The slow ones come first, so that the healthy ones' beginning is beside them. */
    Clients(int port, int count, int slow, Writes writes) throws IOException {
        selector = Selector.open();
        for (int i = 0; i < count; i++) {
            var client = new Client(port, writes, i < slow);
            if (i < slow) {
                this.slow.add(client);
            } else {
                healthy.add(client);
                client.channel().register(selector, SelectionKey.OP_READ, client);
            }
        }
    }

    interface Condition {
        boolean holds(List<Client> healthy);
    }

    /** Reads until {@code over}, which is asked ten times a second. Returns what was seen meanwhile. */
    Histogram readUntil(Condition over) {
        staleness = new Histogram(3);
        long second = System.nanoTime();
        long asked = second;
        try {
            while (true) {
                selector.select(key -> read((Client) key.attachment()), 10);
                long now = System.nanoTime();
                if (now - second >= SECOND) {
                    second += SECOND;
                    for (Client client : slow) {
                        client.read(oneByte, staleness);
                    }
                }
                if (now - asked >= SECOND / 10) {
                    asked = now;
                    if (over.holds(healthy)) {
                        return staleness;
                    }
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void read(Client client) {
        try {
            client.read(buffer, staleness);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    long bytes() {
        return healthy.stream().mapToLong(Client::bytes).sum();
    }

    long conflated() {
        return healthy.stream().mapToLong(Client::conflated).sum();
    }
}
