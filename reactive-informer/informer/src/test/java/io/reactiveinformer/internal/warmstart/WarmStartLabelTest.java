package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** What a warm start waits for may never come: a client's configuration from a plugin that hangs, a disk that has gone away. */
class WarmStartLabelTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    record Text(String text) {}

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

    private final Disposable.Composite clock = Disposables.composite();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final WarmStart<Text> warmStart = warmStart(new KeepsNothing(), Mono.<String>never().doOnSubscribe(asked -> begun.countDown()));

    private WarmStart<Text> warmStart(WarmStartStorage store, Mono<String> server) {
        var texts = ResourceType.of("test", "v1", "texts", ResourceType.Scope.CLUSTER, Text.class);
        return new WarmStart<>(store, new WarmStart.Selected<>(texts, Namespaces.all(), Selector.any(), ""), StubClient.of(server), time);
    }

    private static Held<Text> cached() {
        Store<Text> store = Store.create();
        ObjectKey key = ObjectKey.clusterScoped("t");
        store.apply(new Delta.Replaced<>(Namespaces.all(),
                List.of(new Delta.Upserted<>(Namespaces.all(), key, new Versioned<>("u", "1", new Text("x")))), "1", false));
        return new Held<>(Instant.EPOCH, 0, Namespaces.all(), store.snapshot(), Map.of());
    }

    @AfterEach
    void stopTheClock() {
        clock.dispose();
    }

    /** Once that is waited for which does not come: a clock that starts earlier might end a wait that comes earlier. */
    private void letTimePass() {
        try {
            begun.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        clock.add(Flux.interval(Duration.ofMillis(5), Schedulers.boundedElastic())
                .subscribe(tick -> time.advanceTimeBy(Duration.ofMinutes(1))));
    }

    @Test
    void isNotWaitedForWithoutEndByASave() {
        StepVerifier.create(warmStart.save(cached())).then(this::letTimePass).expectNext(false).expectComplete().verify(LIMIT);
    }

    /** Else it would hold up all later saves, and the end of the factory. */
    @Test
    void aSaveThatDoesNotEndIsGivenUp() {
        AtomicInteger cancelled = new AtomicInteger();
        WarmStartStorage stuck = new WarmStartStorage() {
            @Override
            public Flux<ByteBuffer> load(String name) {
                return Flux.empty();
            }

            @Override
            public Mono<Void> save(String name, Flux<ByteBuffer> content) {
                return content.then(Mono.<Void>never()).doOnSubscribe(asked -> begun.countDown()).doOnCancel(cancelled::incrementAndGet);
            }

            @Override
            public Mono<String> setAside(String name) {
                return Mono.empty();
            }
        };
        StepVerifier.create(warmStart(stuck, Mono.just("here")).save(cached()))
                .then(this::letTimePass)
                .expectNext(false).expectComplete().verify(LIMIT);
        assertThat(cancelled).hasValue(1);
    }

    @Test
    void isNotWaitedForWithoutEndByAStart() {
        StepVerifier.create(warmStart.recall()).then(this::letTimePass).expectComplete().verify(LIMIT);
    }
}
