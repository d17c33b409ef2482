package io.reactiveinformer.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Polls the consumers of all readings in this process, in turns: a consumer of Kafka has to be polled by a thread, and a thread for each
 * view would be many. It ends when there are no more readings. With one reading it waits in that one's poll. With several it waits in none
 * of them, but pauses after a round without records; longer with each such round, until it is nine times as long as the round took. So it
 * takes about a tenth of a core while nothing arrives, however many readings there are.
 */
final class PollingThread extends Thread {

    private static final Duration WAIT_OF_A_SINGLE_ONE = Duration.ofMillis(20);

    private static final int PAUSE_PER_ROUND = 9;
    private static final long SHORTEST_PAUSE = Duration.ofMillis(2).toNanos();
    private static final int ROUNDS_TO_THE_LONGEST = 50;
    private static final long LONGEST_PAUSE = ROUNDS_TO_THE_LONGEST * SHORTEST_PAUSE;

    private static final List<TopicReading> READINGS = new CopyOnWriteArrayList<>();
    private static @Nullable PollingThread current; // guarded by READINGS

    private PollingThread() {
        super("reactive-informer-kafka");
        setDaemon(true);
    }

    static void add(TopicReading reading) {
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
        int idle = 0; // rounds without records
        while (!isDone()) {
            boolean single = READINGS.size() == 1;
            boolean received = false;
            long begun = System.nanoTime();
            for (TopicReading reading : READINGS) {
                received |= !reading.isOver() && reading.poll(single ? WAIT_OF_A_SINGLE_ONE : Duration.ZERO);
            }
            READINGS.removeIf(TopicReading::closeIfOver);
            long took = System.nanoTime() - begun;
            boolean waited = single && took >= WAIT_OF_A_SINGLE_ONE.toNanos() / 2; // not if nobody requests records
            idle = received ? 0 : Math.min(idle + 1, ROUNDS_TO_THE_LONGEST);
            if (idle > 0 && !waited) {
                long longest = Math.min(LONGEST_PAUSE, PAUSE_PER_ROUND * took);
                LockSupport.parkNanos(Math.max(SHORTEST_PAUSE, Math.min(longest, idle * SHORTEST_PAUSE)));
            }
        }
    }
}
