package io.reactiveinformer.kafka;

import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.scheduler.Schedulers;

/** Reads a topic from one offset on, on the {@link PollingThread}. Polls only while records are requested. */
final class TopicReading {

    private static final Logger LOG = LoggerFactory.getLogger(TopicReading.class);

    private final From from;
    private final FluxSink<ConsumerRecord<byte[], byte[]>> sink;
    private long lastAt = System.nanoTime();
    private boolean delivering; // true at the begin of a poll: an error, such as one of memory, ended the poll before
    private volatile boolean over;

    private TopicReading(From from, FluxSink<ConsumerRecord<byte[], byte[]>> sink) {
        this.from = from;
        this.sink = sink;
    }

    interface LagListener {

        /**
         * @param records between the position of the reading and the end of the topic
         * @param at by {@link System#nanoTime}
         */
        void onLag(long records, long at);
    }

    /** What is read, once. */
    static final class From {

        private final Consumer<byte[], byte[]> consumer;
        private final TopicPartition partition;
        private final long end;
        private final Duration silence;
        private final LagListener listener;
        private final AtomicBoolean taken = new AtomicBoolean();

        /**
         * @param consumer at the position where the reading begins; belongs to this from now on
         * @param end the offset before which it completes
         * @param silence after which it fails, if it has requested records all the time and none came
         * @param listener is notified after each poll
         */
        From(Consumer<byte[], byte[]> consumer, TopicPartition partition, long end, Duration silence, LagListener listener) {
            this.consumer = consumer;
            this.partition = partition;
            this.end = end;
            this.silence = silence;
            this.listener = listener;
        }

        long end() {
            return end;
        }

        /** For one subscription, at the end of which the polling thread closes the consumer. */
        Flux<ConsumerRecord<byte[], byte[]>> records() {
            return Flux.create(sink -> {
                if (!taken.compareAndSet(false, true)) {
                    sink.error(new IllegalStateException("was read or closed before"));
                    return;
                }
                var reading = new TopicReading(this, sink);
                sink.onDispose(() -> reading.over = true);
                PollingThread.add(reading);
            });
        }

        /** Closes the consumer unless a reading does. */
        void closeIfUnread() {
            if (taken.compareAndSet(false, true)) {
                Schedulers.boundedElastic().schedule(this::close);
            }
        }

        private void close() {
            try {
                consumer.close(CloseOptions.timeout(Duration.ZERO));
            } catch (RuntimeException failure) {
                LOG.debug("a consumer could not be closed", failure);
            }
        }
    }

    boolean isOver() {
        return over;
    }

    boolean closeIfOver() {
        if (over) {
            from.close();
        }
        return over;
    }

    /** Returns whether records came, or it failed. */
    boolean poll(Duration wait) {
        long now = System.nanoTime();
        if (sink.requestedFromDownstream() == 0) {
            lastAt = now;
            return false;
        }
        if (delivering) {
            sink.error(new TransportException("cannot read topic " + from.partition.topic() + ": an error ended the poll before", null));
            return true;
        }
        delivering = true;
        boolean received = false;
        try {
            if (position() < from.end) {
                for (ConsumerRecord<byte[], byte[]> record : from.consumer.poll(wait)) {
                    received = true;
                    lastAt = now;
                    if (record.offset() < from.end) {
                        sink.next(record);
                    }
                }
            }
            OptionalLong lag = from.consumer.currentLag(from.partition);
            if (lag.isPresent()) {
                from.listener.onLag(lag.getAsLong(), now);
            }
            if (position() >= from.end) {
                sink.complete();
            } else if (now - lastAt > from.silence.toNanos()) {
                sink.error(new TransportException("topic " + from.partition.topic() + ": nothing was written for "
                        + from.silence.toSeconds() + " s; no publisher is there, or no broker", null));
            }
        } catch (Throwable failure) { // the other readings go on
            sink.error(new TransportException("cannot read topic " + from.partition.topic() + ": " + failure, failure));
        }
        delivering = false;
        return received;
    }

    private long position() {
        return from.consumer.position(from.partition);
    }
}
