package io.reactiveinformer.client;

import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** 241: client-go's TestRetryOnConflict. */
class RetryOnConflictTest {

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final AtomicInteger tries = new AtomicInteger();

    private StepVerifier.FirstStep<String> write(int failures, int code, String reason) {
        Mono<String> write = Mono.defer(() -> tries.incrementAndGet() <= failures
                ? Mono.error(StatusException.of(Status.of(code, reason, "try " + tries), "update x"))
                : Mono.just("done"));
        return StepVerifier.create(write.retryWhen(RetryOnConflict.on(timer)));
    }

    @Test
    void aConflictIsTriedAgain() {
        write(4, 409, "Conflict").then(() -> timer.advanceTimeBy(Duration.ofSeconds(1))).expectNext("done")
                .expectComplete().verify(Duration.ofSeconds(10));
        assertThat(tries).hasValue(5);
    }

    @Test
    void theLastConflictIsTheFailure() {
        write(9, 409, "Conflict").then(() -> timer.advanceTimeBy(Duration.ofSeconds(1)))
                .expectErrorMessage("409 Conflict: cannot update x: try 5").verify(Duration.ofSeconds(10));
    }

    @Test
    void anythingElseIsNotTriedAgain() {
        write(9, 409, "AlreadyExists").expectErrorMessage("409 AlreadyExists: cannot update x: try 1").verify(Duration.ofSeconds(10));
        tries.set(0);
        write(9, 404, "NotFound").expectErrorMessage("404 NotFound: cannot update x: try 1").verify(Duration.ofSeconds(10));
    }
}
