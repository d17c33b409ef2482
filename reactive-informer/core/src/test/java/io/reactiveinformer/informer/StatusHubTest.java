package io.reactiveinformer.informer;

import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.view.Delivery;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

class StatusHubTest {

    private static final Delivery HERE = Delivery.on(Schedulers.immediate());

    private final InformerStatus first = InformerStatus.idle(Instant.EPOCH);
    private final InformerStatus second = InformerStatus.idle(Instant.EPOCH.plusSeconds(1));
    private final StatusHub hub = new StatusHub(first);

    @Test
    void whoAsksForThePresentStatusWaitsForNobodyWhoIsBeingTold() throws Exception {
        var held = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        hub.statuses(HERE).skip(1).subscribe(status -> {
            held.countDown();
            try {
                released.await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
        var writer = new Thread(() -> hub.publish(second));
        writer.start();
        held.await();
        try {
            assertThat(now()).isEqualTo(second);
        } finally {
            released.countDown();
            writer.join();
        }
    }

    private InformerStatus now() throws Exception {
        var told = new CompletableFuture<InformerStatus>();
        new Thread(() -> hub.statuses(HERE).next().subscribe(told::complete)).start();
        try {
            return told.get(5, TimeUnit.SECONDS);
        } catch (TimeoutException waits) {
            throw new AssertionError("waits for a subscriber", waits);
        }
    }
}
