package io.reactiveinformer.leader;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** On real threads. */
class ElectionTimerTest {

    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    @Test
    @Timeout(120)
    void aTermEndsThoughSomebodyBlocksTheSharedTimer() throws InterruptedException {
        FakeApiServer server = FakeApiServer.create();
        Object monitor = new Object();
        Disposable working;
        synchronized (monitor) {
            Schedulers.single().schedule(() -> {
                blocked.countDown();
                synchronized (monitor) {
                    blocked.countDown();
                }
            });
            blocked.await();
            LeaderElector elector = LeaderElector.of(KubernetesClient.over(server.transport()), ObjectKey.of("default", "lock"),
                    ElectionOptions.defaults().withTimings(Duration.ofSeconds(1), Duration.ofMillis(500), Duration.ofMillis(100)));
            working = elector.whileLeading(term -> Flux.never().doOnSubscribe(begins -> begun.countDown()).doOnCancel(ended::countDown))
                    .subscribe();
            assertThat(begun.await(30, TimeUnit.SECONDS)).as("leads").isTrue();
            server.faults().onAny().always().stall();
            assertThat(ended.await(30, TimeUnit.SECONDS)).as("ended").isTrue();
        }
        working.dispose();
        server.close();
    }
}
