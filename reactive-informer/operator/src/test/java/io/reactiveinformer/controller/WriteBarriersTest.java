package io.reactiveinformer.controller;

import io.reactiveinformer.PoorTimer;
import io.reactiveinformer.controller.Controller.HeldKey;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.Shortage;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Snapshot;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A key waits until its own writes are seen, but not for ever. Numbers are of the stream scenarios. */
class WriteBarriersTest extends ControllerFixture {

    private static final ObjectKey POD = ObjectKey.of("a", "web-1");

    private final Map<String, Sinks.Empty<Snapshot<ObjectKey, Object>>> versions = new LinkedHashMap<>();

    /** Sees a version when the test says so. */
    private final Informer<?> cache = (Informer<?>) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Informer.class}, (proxy, method, arguments) -> switch (method.getName()) {
                case "description" -> "pods.v1";
                case "atLeast" -> versions.computeIfAbsent((String) arguments[1], unseen -> Sinks.empty()).asMono();
                case "hashCode" -> 1;
                case "equals" -> proxy == arguments[0];
                default -> throw new UnsupportedOperationException(method.getName());
            });

    private final List<ControllerStatus> statuses = new ArrayList<>();

    private ReconcileRequest<ObjectKey> begin() {
        controller.status().subscribe(statuses::add);
        sync();
        controller.start();
        sets.put("a/web", set(1));
        return begun.get(0);
    }

    @Test // 122
    void aKeyWaitsUntilWhatItsWorkHasWrittenIsSeen() {
        Sinks.Empty<Void> seen = Sinks.empty();
        sync();
        controller.start();
        sets.put("a/web", set(1));
        begun.get(0).holdUntil(seen.asMono());
        finish("a/web", Result.failed(new IllegalStateException("away")));
        pods.put("a/web-1", pod("web"));
        time.advanceTimeBy(ofSeconds(1));
        assertThat(begun()).containsExactly("a/web");
        sets.put("a/api", set(1));
        assertThat(begun()).as("others do not wait").containsExactly("a/api");
        seen.tryEmitEmpty().orThrow();
        assertThat(begun).singleElement().satisfies(request -> assertThat(request.retries()).isEqualTo(1));
    }

    @Test // 122
    void whatCannotBeSeenIsNotWaitedFor() {
        sync();
        controller.start();
        sets.put("a/web", set(1));
        begun.get(0).holdUntil(Mono.error(new IllegalStateException("stopped")));
        finish("a/web", Result.again(Duration.ZERO));
        assertThat(begun()).containsExactly("a/web", "a/web");
    }

    @Test // 122
    void whatIsNeverSeenIsWaitedForNoLongerThanAllowed() {
        ReconcileRequest<ObjectKey> request = begin();
        request.wrote(cache, POD, "4711");
        finish("a/web", Result.again(Duration.ZERO));
        time.advanceTimeBy(ControllerBuilder.HOLD_LIMIT.minusMillis(1));
        assertThat(begun()).containsExactly("a/web");
        assertThat(controller.held()).containsExactly(
                new HeldKey<>(ObjectKey.of("a", "web"), List.of("pods.v1 a/web-1 in resourceVersion 4711"), Instant.EPOCH));
        time.advanceTimeBy(ofMillis(1));
        assertThat(begun()).containsExactly("a/web");
        assertThat(controller.held()).isEmpty();
        assertThat(statuses.get(statuses.size() - 1).unseen()).isEqualTo("a/web: pods.v1 a/web-1 in resourceVersion 4711");
        finish("a/web");
        versions.get("4711").tryEmitEmpty().orThrow();
        sets.put("a/web", set(2));
        assertThat(begun()).as("held no more").containsExactly("a/web");
    }

    @Test
    void howLongAKeyWaitsCanBeSaid() {
        Controller<ObjectKey> impatient = builder().holdLimit(ofSeconds(1)).reconcile(request -> {
            begun.add(request);
            request.holdUntil("a/web-1 to be gone", Mono.never());
            return Mono.just(Result.again(Duration.ZERO));
        });
        sync();
        impatient.start();
        sets.put("a/web", set(1));
        assertThat(begun()).hasSize(1);
        assertThat(impatient.held()).singleElement().satisfies(held -> assertThat(held.until()).containsExactly("a/web-1 to be gone"));
        time.advanceTimeBy(ofSeconds(1));
        assertThat(begun()).hasSize(1);
        impatient.close();
        assertThat(impatient.held()).isEmpty();
        assertThatThrownBy(() -> builder().holdLimit(Duration.ZERO)).hasMessageContaining("holdLimit must be longer than zero");
    }

    @Test
    void aKeyIsHeldNoLongerThanAllowedAlsoIfTheTimerHasLostTheLimit() {
        var timer = new PoorTimer(time);
        Controller<ObjectKey> poor = builder().queue(queue -> queue.withTimer(timer)).holdLimit(ofSeconds(10)).reconcile(request -> {
            request.holdUntil("a/web-1 to be gone", Mono.never());
            timer.loses(1); // the limit, which is next
            return Mono.just(Result.done());
        });
        sync();
        poor.start();
        sets.put("a/web", set(1));
        time.advanceTimeBy(ofMinutes(1));
        assertThat(poor.held()).hasSize(1);
        Shortage.endsInVirtualTime();
        time.advanceTimeBy(ofMinutes(1));
        assertThat(poor.held()).isEmpty();
        poor.close();
    }

    @Test // 122
    void theNewerOfTwoWritesIsWaitedForWhicheverIsReportedLast() {
        ReconcileRequest<ObjectKey> request = begin();
        request.wrote(cache, POD, "10");
        request.wrote(cache, POD, "9");
        finish("a/web", Result.again(Duration.ZERO));
        versions.get("9").tryEmitEmpty().orThrow();
        assertThat(begun()).containsExactly("a/web");
        versions.get("10").tryEmitEmpty().orThrow();
        assertThat(begun()).containsExactly("a/web");
    }

    @Test // 122
    void everyObjectThatWasWrittenIsWaitedFor() {
        ReconcileRequest<ObjectKey> request = begin();
        request.wrote(cache, POD, "9");
        request.wrote(cache, ObjectKey.of("a", "web-2"), "10");
        finish("a/web", Result.again(Duration.ZERO));
        versions.get("10").tryEmitEmpty().orThrow();
        assertThat(begun()).containsExactly("a/web");
        versions.get("9").tryEmitEmpty().orThrow();
        assertThat(begun()).containsExactly("a/web");
    }

    @Test // 122
    void whatIsSeenBeforeTheWorkEndsIsNotWaitedFor() {
        ReconcileRequest<ObjectKey> request = begin();
        request.wrote(cache, POD, "9");
        sets.put("a/web", set(2));
        versions.get("9").tryEmitEmpty().orThrow();
        assertThat(begun()).as("worked on once at a time").containsExactly("a/web");
        finish("a/web");
        assertThat(begun()).containsExactly("a/web");
        assertThat(controller.held()).isEmpty();
    }

    @Test // 118, 122
    void whatWorkHasWrittenThatTookTooLongIsWaitedForToo() {
        ReconcileRequest<ObjectKey> request = begin();
        request.wrote(cache, POD, "9");
        time.advanceTimeBy(ofSeconds(31));
        assertThat(cancelled).containsExactly("a/web");
        assertThat(begun()).containsExactly("a/web");
        versions.get("9").tryEmitEmpty().orThrow();
        assertThat(begun()).containsExactly("a/web");
    }

    @Test // 122, 123
    void whatWorkHasWrittenThatWasCancelledIsWaitedForByTheNextToRun() {
        sync();
        Disposable leading = controller.run().subscribe();
        sets.put("a/web", set(1));
        begun.get(0).wrote(cache, POD, "9");
        leading.dispose();
        controller.run().subscribe();
        assertThat(begun()).containsExactly("a/web");
        versions.get("9").tryEmitEmpty().orThrow();
        assertThat(begun()).containsExactly("a/web");
    }

    @Test
    void whatHoldsAndFailsAtOnceHoldsNothing() {
        ReconcileRequest<ObjectKey> request = begin();
        request.holdUntil(Mono.error(new IllegalStateException("stopped")));
        request.holdUntil(Mono.defer(() -> {
            throw new IllegalStateException("thrown");
        }));
        finish("a/web", Result.again(Duration.ZERO));
        assertThat(begun()).containsExactly("a/web", "a/web");
        assertThat(statuses.get(statuses.size() - 1).unseen()).isNull();
    }
}
