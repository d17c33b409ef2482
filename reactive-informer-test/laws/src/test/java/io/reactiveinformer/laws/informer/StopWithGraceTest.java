package io.reactiveinformer.laws.informer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.informer.InformerStoppedException;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.View;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Stream scenario 64.
 */
class StopWithGraceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.create();
    private final InformerFactory informers =
            InformerFactory.create(KubernetesClient.over(server.transport()), ReflectorOptions.defaults().withTimer(time));
    private final Informer<V1ConfigMap> informer = informers.of(CONFIG_MAPS);

    StopWithGraceTest() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: t}}");
        informers.start();
        informer.synced().block(PATIENCE);
    }

    @AfterEach
    void close() {
        informers.close();
        server.close();
    }

    private void waitsFor(View<ObjectKey, ?> view) {
        var ended = new CompletableFuture<Void>();
        StepVerifier.create(view.changes().map(Change.class::cast), 0)
                .then(() -> informers.stop(GRACE).subscribe(done -> {}, ended::completeExceptionally, () -> ended.complete(null)))
                .thenRequest(1)
                .expectNextCount(1)
                .then(() -> assertThat(ended).isNotDone())
                .thenRequest(100)
                .thenConsumeWhile(change -> true)
                .expectComplete()
                .verify(PATIENCE);
        StepVerifier.create(informers.stop(GRACE)).expectComplete().verify(PATIENCE);
        assertThat(ended).succeedsWithin(PATIENCE);
    }

    @Test
    void waitsUntilEverySubscriberHasTakenWhatWasPending() {
        waitsFor(informer);
    }

    @Test
    void waitsForSubscribersOfDerivedViewsToo() {
        waitsFor(informer.filter(object -> true).map(object -> object.getMetadata().getName()));
    }

    /** Stopping one factory ends no view that another one's informer keeps going, and waits for none. */
    @Test
    void isNotDelayedByAJoinThatGoesOn() {
        try (InformerFactory others = InformerFactory.create(KubernetesClient.over(server.transport()),
                ReflectorOptions.defaults().withTimer(time))) {
            Informer<V1ConfigMap> other = others.of(CONFIG_MAPS);
            others.start();
            other.synced().block(PATIENCE);
            View<ObjectKey, String> join = informer.join(other, object -> List.of(ObjectKey.of("t", "b")),
                    (object, partner) -> object.getMetadata().getName() + partner.get(0).getMetadata().getLabels());
            List<String> received = new CopyOnWriteArrayList<>();
            Mono<Void> end = join.changes(Delivery.every(100)).map(StopWithGraceTest::text).doOnNext(received::add).then().cache();
            end.subscribe();
            join.synced().block(PATIENCE);

            StepVerifier.create(informers.stop(GRACE)).expectComplete().verify(PATIENCE);
            server.objects().update("{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: t, labels: {new: one}}}");
            join.changes().map(StopWithGraceTest::text).filter("a{new=one}"::equals).blockFirst(PATIENCE);
            StepVerifier.create(others.stop(GRACE)).expectComplete().verify(PATIENCE);
            StepVerifier.create(end).expectComplete().verify(PATIENCE);
            assertThat(received).contains("a{}", "a{new=one}");
        }
    }

    private static String text(Change<?, String> change) {
        return change.match(added -> added.object(), updated -> updated.after(), deleted -> "-", synced -> "synced");
    }

    @Test
    void isNotDelayedBySubscribersThatAreDoneOrGone() {
        informer.changes().subscribe();
        informer.changes().take(1).blockLast(PATIENCE);
        Disposable retained = informer.filter(object -> true).retain();
        StepVerifier.create(informers.stop(GRACE)).expectComplete().verify(PATIENCE);
        retained.dispose();
    }

    @Test
    void aLateSubscriberLearnsThatItMissedSomething() {
        StepVerifier.create(informer.map(object -> "x").changes(), 0)
                .then(() -> informers.stop(GRACE).subscribe())
                .expectNoEvent(Duration.ofMillis(100))
                .then(() -> time.advanceTimeBy(GRACE))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(InformerStoppedException.class)
                        .hasMessageContaining("pending"))
                .verify(PATIENCE);
    }

    @Test
    void completesAfterTheGraceWhateverIsLeft() {
        StepVerifier.create(informer.changes(), 0).then(() -> {
            StepVerifier.create(informers.stop(GRACE)).then(() -> time.advanceTimeBy(GRACE)).expectComplete().verify(PATIENCE);
        }).expectError(InformerStoppedException.class).verify(PATIENCE);
    }

    /** 8.9.166: a factory that was shut down starts nothing any more. */
    @Test
    void stopsThoseMadeLastFirstAndMakesNoMore() {
        Informer<V1ConfigMap> later = informers.of(CONFIG_MAPS, Namespaces.of("t"));
        Mono<List<String>> stopped = Flux.just(informer, later)
                .flatMap(each -> each.status().filter(now -> now.state() == State.STOPPED).map(now -> each.description()))
                .collectList()
                .cache();
        stopped.subscribe();
        informers.stop(GRACE).block(PATIENCE);
        assertThat(stopped.block(PATIENCE)).containsExactlyInAnyOrder(later.description(), informer.description());
        assertThatThrownBy(() -> informers.of(CONFIG_MAPS, Namespaces.of("u"))).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    /** Completes a save when the test says so. */
    private static final class ManualStorage implements WarmStartStorage {

        private final Sinks.Empty<Void> begun = Sinks.empty();
        private final Sinks.Empty<Void> saved = Sinks.empty();

        @Override
        public Flux<ByteBuffer> load(String name) {
            return Flux.empty();
        }

        @Override
        public Mono<Void> save(String name, Flux<ByteBuffer> content) {
            return content.then(Mono.fromRunnable(begun::tryEmitEmpty)).then(saved.asMono());
        }

        @Override
        public Mono<String> setAside(String name) {
            return Mono.empty();
        }
    }

    private void waitsForTheSaveOf(ManualStorage storage, Runnable end, InformerFactory factory) {
        end.run();
        storage.begun.asMono().block(PATIENCE);
        Sinks.Empty<Void> ended = Sinks.empty();
        factory.stop(GRACE).subscribe(done -> {}, ended::tryEmitError, ended::tryEmitEmpty);
        StepVerifier.create(ended.asMono()).expectSubscription().expectNoEvent(Duration.ofMillis(100))
                .then(storage.saved::tryEmitEmpty).verifyComplete();
    }

    private InformerFactory savingIn(WarmStartStorage store) {
        return InformerFactory.create(KubernetesClient.over(server.transport()), ReflectorOptions.defaults().withTimer(time), GRACE, store);
    }

    /** Its lease is over, its grace time too; but it is being saved. */
    @Test
    void waitsForOneThatNobodyLeasesAnyMore() {
        var storage = new ManualStorage();
        InformerFactory saving = savingIn(storage);
        saving.start();
        InformerFactory.Handle<V1ConfigMap> lease = saving.lease(InformerSpec.of(CONFIG_MAPS));
        lease.informer().synced().block(PATIENCE);
        waitsForTheSaveOf(storage, () -> {
            lease.dispose();
            time.advanceTimeBy(GRACE);
        }, saving);
    }

    @Test
    void waitsForOneInWhosePlaceAnotherIs() {
        var storage = new ManualStorage();
        InformerFactory saving = savingIn(storage);
        saving.start();
        Informer<V1ConfigMap> first = saving.of(CONFIG_MAPS);
        first.synced().block(PATIENCE);
        waitsForTheSaveOf(storage, () -> {
            first.stop();
            first.status().filter(now -> now.state() == State.STOPPED).blockFirst(PATIENCE);
            assertThat(saving.of(InformerSpec.of(CONFIG_MAPS).withColdStart())).isNotSameAs(first);
        }, saving);
    }
}
