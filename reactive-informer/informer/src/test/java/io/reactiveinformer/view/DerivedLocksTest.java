package io.reactiveinformer.view;

import io.reactiveinformer.store.Snapshot;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** A view of the user that blocks where it is subscribed to or cancelled blocks only the one that called it. */
@Timeout(60)
class DerivedLocksTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger subscriptions = new AtomicInteger();

    @AfterEach
    void release() {
        released.countDown();
    }

    private void block() {
        entered.countDown();
        try {
            released.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private static View<String, String> view(Flux<Change<String, String>> changes) {
        Snapshot<String, String> rows = Rows.complete().snapshot();
        return new View<>() {
            @Override
            public Snapshot<String, String> snapshot() {
                return rows;
            }

            @Override
            public Flux<Change<String, String>> changes(Delivery delivery) {
                return changes;
            }

            @Override
            public Mono<Void> synced() {
                return Mono.empty();
            }

            @Override
            public Flux<InformerStatus> status() {
                return Flux.never();
            }
        };
    }

    private static CompletableFuture<Disposable> elsewhere(View<?, ?> view) {
        return CompletableFuture.supplyAsync(view::retain, task -> new Thread(task).start());
    }

    @Test
    void whileOneSubscribesOthersCanUseIt() throws InterruptedException {
        View<String, String> derived = view(Flux.<Change<String, String>>never().doOnSubscribe(subscription -> {
            subscriptions.incrementAndGet();
            block();
        })).filter(row -> true);
        CompletableFuture<Disposable> first = elsewhere(derived);
        entered.await();
        CompletableFuture<Disposable> second = elsewhere(derived);
        assertThat(second).succeedsWithin(PATIENCE);
        second.join().dispose();
        released.countDown();
        assertThat(first).succeedsWithin(PATIENCE);
        first.join().dispose();
        assertThat(subscriptions).hasValue(1);
    }

    @Test
    void whileOneCancelsOthersCanUseIt() throws InterruptedException {
        View<String, String> derived = view(Flux.<Change<String, String>>never()
                .doOnSubscribe(subscription -> subscriptions.incrementAndGet())
                .doOnCancel(this::block)).filter(row -> true);
        Disposable first = derived.retain();
        new Thread(first::dispose).start();
        entered.await();
        CompletableFuture<Disposable> second = elsewhere(derived);
        assertThat(second).succeedsWithin(PATIENCE);
        assertThat(subscriptions).hasValue(2);
        released.countDown();
        second.join().dispose();
    }
}
