package io.reactiveinformer.informer;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A client whose configuration does not come: a plugin that hangs, say. */
class WarmStartLabelTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    record Text(String text) {}

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

    private final WarmStart<Text> warmStart = new WarmStart<>(new KeepsNothing(),
            InformerSpec.of(ResourceType.of("test", "v1", "texts", ResourceType.Reach.CLUSTER, Text.class)),
            StubClient.of(Mono.never()), time);

    private static Held<Text> held() {
        Store<Text> store = Store.create();
        ObjectKey key = ObjectKey.clusterScoped("t");
        store.apply(new Delta.Replaced<>(Scope.all(),
                List.of(new Delta.Upserted<>(Scope.all(), key, new Versioned<>("u", "1", new Text("x")))), "1", false));
        return new Held<>(Instant.EPOCH, 0, Scope.all(), store.snapshot(), Map.of());
    }

    private final Disposable clock = Flux.interval(Duration.ofMillis(5)).subscribe(tick -> time.advanceTimeBy(Duration.ofSeconds(1)));

    @AfterEach
    void stopTheClock() {
        clock.dispose();
    }

    @Test
    void isNotWaitedForWithoutEndByASave() {
        StepVerifier.create(warmStart.save(held())).expectNext(false).expectComplete().verify(PATIENCE);
    }

    @Test
    void isNotWaitedForWithoutEndByAStart() {
        StepVerifier.create(warmStart.recall()).expectComplete().verify(PATIENCE);
    }
}
