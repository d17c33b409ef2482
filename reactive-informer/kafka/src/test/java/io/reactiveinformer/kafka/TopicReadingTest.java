package io.reactiveinformer.kafka;

import io.reactiveinformer.resource.TransportException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Readings share a thread, and no reading disturbs another. */
@Timeout(60)
class TopicReadingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private final CountDownLatch closed = new CountDownLatch(1);

    /** Two records, of which the reading is to have the first. */
    private MockConsumer<byte[], byte[]> consumer() {
        return consumer(() -> {});
    }

    /** @param polled is run after each poll */
    private MockConsumer<byte[], byte[]> consumer(Runnable polled) {
        var consumer = new MockConsumer<byte[], byte[]>("none") {
            @Override
            public synchronized ConsumerRecords<byte[], byte[]> poll(Duration wait) {
                ConsumerRecords<byte[], byte[]> records = super.poll(wait);
                polled.run();
                return records;
            }

            @Override
            public synchronized void close(CloseOptions options) {
                super.close(options);
                closed.countDown();
            }
        };
        consumer.assign(List.of(PARTITION));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, 2L));
        consumer.seek(PARTITION, 0);
        consumer.addRecord(new ConsumerRecord<>("t", 0, 0, new byte[] {1}, new byte[0]));
        consumer.addRecord(new ConsumerRecord<>("t", 0, 1, new byte[] {2}, new byte[0]));
        return consumer;
    }

    private static TopicReading.From from(Consumer<byte[], byte[]> consumer, long end) {
        return new TopicReading.From(consumer, PARTITION, end, PATIENCE, (records, at) -> {});
    }

    @Test
    void endsBeforeItsEndAndClosesItsConsumer() throws Exception {
        StepVerifier.create(from(consumer(), 1).records()).expectNextCount(1).expectComplete().verify(PATIENCE);
        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anErrorInOneReadingLeavesTheOthersAlone() {
        @SuppressWarnings("unchecked") // a proxy has no type arguments
        var broken = (Consumer<byte[], byte[]>) Proxy.newProxyInstance(
                Consumer.class.getClassLoader(), new Class<?>[] {Consumer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("position")) {
                        throw new StackOverflowError("planned");
                    }
                    return null;
                });
        StepVerifier.create(from(broken, 5).records())
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class).hasMessageContaining("planned"))
                .verify(PATIENCE);
        StepVerifier.create(from(consumer(), 2).records()).expectNextCount(2).expectComplete().verify(PATIENCE);
    }

    /** As when the memory is short: not even the failure can be reported, and what was polled is lost. */
    private static final class Unspeakable extends OutOfMemoryError {
        private static final long serialVersionUID = 1L;
        private boolean spoken;

        @Override
        public String getMessage() {
            if (!spoken) {
                spoken = true;
                throw this;
            }
            return "planned";
        }
    }

    @Test
    void whatIsLostInAnErrorIsNotPassedOver() {
        MockConsumer<byte[], byte[]> consumer = consumer(() -> {
            throw new Unspeakable();
        });
        StepVerifier.create(from(consumer, 2).records())
                .expectErrorMessage("cannot read topic t: an error ended the poll before")
                .verify(PATIENCE);
    }

    /** A consumer needs a tenth of a millisecond for a poll without records here; without pauses there would be some 5,000 polls. */
    @Test
    void manyIdleReadingsTakeLittleOfACore() {
        var polls = new AtomicInteger();
        Runnable work = () -> {
            polls.incrementAndGet();
            for (long end = System.nanoTime() + 100_000; System.nanoTime() < end; Thread.onSpinWait()) {
                // as a real one
            }
        };
        List<Disposable> idle = IntStream.range(0, 50).mapToObj(number -> {
            MockConsumer<byte[], byte[]> consumer = consumer(work);
            consumer.seek(PARTITION, 2);
            return from(consumer, 5).records().subscribe();
        }).toList();
        polls.set(0);
        StepVerifier.create(Flux.never()).expectSubscription().expectNoEvent(Duration.ofMillis(500)).thenCancel().verify();
        assertThat(polls.get()).isPositive().isLessThan(2_000);
        idle.forEach(Disposable::dispose);
    }

    /** As when a watch is cancelled right after it was opened. */
    @Test
    void whatIsNeverReadIsClosed() throws Exception {
        TopicReading.From from = from(consumer(), 2);
        from.closeIfUnread();
        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        StepVerifier.create(from.records()).expectError(IllegalStateException.class).verify(PATIENCE);
    }

    @Test
    void isPolledOnlyWhileRecordsAreRequested() {
        StepVerifier.create(from(consumer(), 2).records(), 0)
                .expectSubscription()
                .expectNoEvent(Duration.ofMillis(100))
                .thenRequest(2)
                .expectNextCount(2)
                .expectComplete()
                .verify(PATIENCE);
    }
}
