package io.reactiveinformer;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a scheduler's thread may wait for in tests. */
class ShortLocksTest {

    @Test
    void virtualTimeMayBeMovedWhileOthersSetTimers() {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        Mono<Long> setting = Flux.range(0, 100_000).doOnNext(i -> time.schedule(() -> {})).count().subscribeOn(Schedulers.boundedElastic());
        Mono<Long> moving = Flux.range(0, 100_000).doOnNext(i -> time.advanceTimeBy(Duration.ofMillis(1)))
                .count().subscribeOn(Schedulers.parallel());
        StepVerifier.create(Flux.merge(setting, moving)).expectNext(100_000L, 100_000L).expectComplete().verify(Duration.ofSeconds(50));
    }

    @Test
    void everyOtherWaitIsRefused() {
        Mono<Void> waiting = Mono.<Void>fromRunnable(() -> LockSupport.parkNanos(1)).subscribeOn(Schedulers.parallel());
        assertThatThrownBy(waiting::block).hasMessageContaining("Blocking call! jdk.internal.misc.Unsafe#park");
    }
}
