package io.reactiveinformer.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Polls the consumers of all readings in this process, in turns: a consumer of Kafka has to be polled by a thread, and a thread for each
 * view would be many. It ends when there are no more readings. With one reading it waits in that one's poll; with several, each waits for
 * a part of {@link #ROUND}.
 */
final class PollingThread extends Thread {

    /** How long one round over all readings takes while no records arrive, at most, and so how late a record may be seen. */
    private static final Duration ROUND = Duration.ofMillis(20);

    private static final List<Reading> READINGS = new CopyOnWriteArrayList<>();
    private static @Nullable PollingThread current; // guarded by READINGS

    private PollingThread() {
        super("reactive-informer-kafka");
        setDaemon(true);
    }

    static void add(Reading reading) {
        synchronized (READINGS) {
            READINGS.add(reading);
            if (current == null) {
                begin();
            }
        }
    }

    private static void begin() {
        current = null; // if the start fails, the next reading tries again
        var next = new PollingThread();
        next.start();
        current = next;
    }

    private static boolean isDone() {
        synchronized (READINGS) {
            if (READINGS.isEmpty()) {
                current = null;
                return true;
            }
            return false;
        }
    }

    @Override
    public void run() {
        try {
            poll();
        } finally {
            synchronized (READINGS) {
                if (current == this) { // ended by an error, such as one of memory
                    begin();
                }
            }
        }
    }

    private static void poll() {
        while (!isDone()) {
            boolean polled = false;
            Duration each = ROUND.dividedBy(Math.max(1, READINGS.size()));
            for (Reading reading : READINGS) {
                polled |= !reading.isOver() && reading.poll(each);
            }
            READINGS.removeIf(Reading::closeIfOver);
            if (!polled) {
                LockSupport.parkNanos(each.toNanos()); // nobody requests records
            }
        }
    }
}
