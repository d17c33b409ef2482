package io.reactiveinformer.controller;

import io.reactiveinformer.queue.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class BlockingReconcilerTest {

    private static ReconcileRequest<String> request(String key) {
        return ReconcileRequest.of("test", key);
    }

    @Test
    void mayBlock() {
        Reconciler<String> reconciler = Reconciler.blocking(request -> Mono.just(Result.done()).delayElement(Duration.ofMillis(1)).block());
        StepVerifier.create(reconciler.reconcile(request("a"))).expectNext(Result.done()).verifyComplete();
    }

    @Test
    void whatItThrowsIsTheFailureAndNullIsDone() {
        Reconciler<String> fails = Reconciler.blocking(request -> {
            throw new IOException("no");
        });
        StepVerifier.create(fails.reconcile(request("a"))).expectErrorMessage("no").verify();
        StepVerifier.create(Reconciler.<String>blocking(request -> null).reconcile(request("a"))).verifyComplete();
    }

    @Test
    void isInterruptedAndTheNextCallOfTheKeyWaitsForItsEnd() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var calls = new AtomicInteger();
        var atOnce = new AtomicInteger();
        Reconciler<String> reconciler = Reconciler.blocking(request -> {
            assertThat(atOnce.incrementAndGet()).isEqualTo(1);
            try {
                if (calls.getAndIncrement() == 0) {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException stop) {
                        interrupted.countDown();
                        mayEnd.await();
                    }
                }
            } finally {
                atOnce.decrementAndGet();
            }
            return Result.done();
        });
        Disposable first = reconciler.reconcile(request("a")).subscribe();
        begun.await();
        first.dispose();
        interrupted.await();
        Mono<Result> second = reconciler.reconcile(request("a")).cache();
        second.subscribe();
        StepVerifier.create(second.timeout(Duration.ofMillis(100))).expectError().verify();
        mayEnd.countDown();
        StepVerifier.create(second).expectNext(Result.done()).verifyComplete();
        assertThat(calls).hasValue(2);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void tenThousandWaitWithoutPlatformThreads() throws InterruptedException {
        var waiting = new CountDownLatch(10_000);
        var mayEnd = new CountDownLatch(1);
        Reconciler<String> reconciler = Reconciler.blocking(request -> {
            waiting.countDown();
            mayEnd.await();
            return Result.done();
        });
        int before = Thread.activeCount();
        Mono<Long> all = Flux.range(0, 10_000).flatMap(i -> reconciler.reconcile(request("k" + i)), 10_000).count().cache();
        all.subscribe();
        waiting.await();
        assertThat(Thread.activeCount() - before).isLessThan(100);
        mayEnd.countDown();
        assertThat(all.block()).isEqualTo(10_000);
    }
}
