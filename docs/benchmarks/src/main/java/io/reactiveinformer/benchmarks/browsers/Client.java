package io.reactiveinformer.benchmarks.browsers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** One browser. Knows of each pod which write it has seen last. One thread's. */
final class Client {

    private final SocketChannel channel;
    private final Writes writes;
    private final int[] seen;
    private int digits = Writes.DIGITS; // of a number that has begun; all of them: none has
    private int number;
    private int missing;
    private long conflated;
    private long bytes;

    Client(int port, Writes writes, boolean slow) throws IOException {
        this.writes = writes;
        this.seen = new int[writes.pods()];
        this.missing = seen.length;
        Arrays.fill(seen, -1);
        channel = SocketChannel.open();
        if (slow) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        }
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.write(ByteBuffer.wrap("GET /changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII)));
        channel.configureBlocking(false);
    }

    SocketChannel channel() {
        return channel;
    }

    /**
     * Reads as much as {@code buffer} takes, and notes in {@code staleness}, in microseconds, for how long this browser had shown what had
     * changed.
     */
    void read(ByteBuffer buffer, Histogram staleness) throws IOException {
        buffer.clear();
        int count = channel.read(buffer);
        if (count < 0) {
            throw new IOException("the service has ended the answer to a browser");
        }
        bytes += count;
        long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            byte next = buffer.get(i);
            if (next == Writes.MARK) {
                digits = 0;
                number = 0;
            } else if (digits < Writes.DIGITS) {
                number = number * 10 + next - '0';
                if (++digits == Writes.DIGITS) {
                    saw(number, now, staleness);
                }
            }
        }
    }

    private void saw(int write, long now, Histogram staleness) {
        int pod = write % seen.length;
        int before = seen[pod];
        if (write <= before) {
            return; // the state before an update
        }
        if (before < 0) {
            missing--;
        } else {
            staleness.recordValue((now - writes.time(before + seen.length)) / 1_000);
            conflated += (write - before) / seen.length - 1;
        }
        seen[pod] = write;
    }

    /** Whether it has seen all pods. */
    boolean complete() {
        return missing == 0;
    }

    /** How many pods it has not seen as write {@code end} and those before left them. */
    int outdated(int end) {
        int count = 0;
        for (int pod = 0; pod < seen.length; pod++) {
            count += seen[pod] + seen.length < end ? 1 : 0;
        }
        return count;
    }

    long conflated() {
        return conflated;
    }

    long bytes() {
        return bytes;
    }
}
