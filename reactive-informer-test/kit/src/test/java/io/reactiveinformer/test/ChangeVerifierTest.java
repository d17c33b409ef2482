package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ChangeVerifierTest {

    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final Versioned<String> one = new Versioned<>("u1", "1", "one");
    private final Versioned<String> two = new Versioned<>("u1", "2", "two");
    private final Versioned<String> other = new Versioned<>("u2", "3", "other");

    @Test
    void speaksTheWordsOfChanges() {
        ChangeVerifier.of(Flux.<Change<String, String>>just(
                        new Change.Added<>("a", one, true),
                        new Change.Synced<>("1", 1),
                        new Change.Updated<>("a", one, two),
                        new Change.Deleted<>("a", two, DeletionCause.OBSERVED, "3")))
                .expectInitial("a")
                .expectSynced(1)
                .expectUpdated("a", after -> after.equals("two"))
                .expectDeleted("a", DeletionCause.OBSERVED)
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void saysWhatItWantedAndWhatItGot() {
        var verifier = ChangeVerifier.of(Flux.<Change<String, String>>just(new Change.Added<>("a", one, true)))
                .expectSynced().expectComplete();
        assertThatThrownBy(() -> verifier.verify(PATIENCE)).hasMessageContaining("expected: Synced; was: initial Added a");
    }

    @Test
    void saysWhatItWaitedForInVainAndWhatCame() {
        Flux<Change<String, String>> changes = Flux.<Change<String, String>>just(new Change.Added<>("a", one, true),
                new Change.Synced<>("1", 1))
                .concatWith(Flux.never());
        var verifier = ChangeVerifier.of(changes).expectInitial("a").expectSynced().expectUpdated("a").thenCancel();
        assertThatThrownBy(() -> verifier.verify(Duration.ofMillis(50)))
                .isInstanceOf(AssertionError.class)
                .hasMessage("expected: Updated a; nothing like it came within PT0.05S\nchanges that came:\n  initial Added a\n  Synced "
                        + "after 1");
    }

    @Test
    void saysHowTheViewStands() {
        try (FakeApiServer server = FakeApiServer.create()) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
            Informer<JsonNode> informer = Informer.over(
                    ListerWatcher.over(KubernetesClient.over(server.transport()), CONFIG_MAPS, Namespaces.all()),
                    ReflectorOptions.defaults());
            informer.start();
            ChangeVerifier.of(informer, server)
                    .expectInitial("t/a")
                    .expectSynced(1)
                    .expectLive()
                    .then(() -> {
                        server.access().deny("*", "configmaps");
                        server.restart();
                    })
                    .expectDisrupted(403)
                    .then(server.access()::clear)
                    .expectLive()
                    .thenServer(objects -> objects.create("{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: t}}"))
                    .expectAdded("t/b")
                    .thenCancel()
                    .verify(PATIENCE);
            informer.stop();
        }
    }

    @Test
    void letsTheServersVirtualTimePass() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        try (FakeApiServer server = FakeApiServer.builder().scheduler(clock).build()) {
            Informer<JsonNode> informer = Informer.over(
                    ListerWatcher.over(KubernetesClient.over(server.transport()), CONFIG_MAPS, Namespaces.all()),
                    ReflectorOptions.defaults().withTimer(clock));
            informer.start();
            clock.schedule(
                    () -> server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}"),
                    1, TimeUnit.HOURS);
            var early = ChangeVerifier.of(informer.changes(Delivery.conflated().on(Schedulers.immediate())), server)
                    .thenAwait(Duration.ofSeconds(1))
                    .expectSynced(0)
                    .expectNothing(Duration.ofMinutes(30))
                    .thenAwait(Duration.ofMinutes(30))
                    .expectAdded("t/a")
                    .expectNothing(Duration.ofMinutes(30))
                    .then(() -> clock.schedule(
                            () -> server.objects().delete(CONFIG_MAPS, ObjectKey.of("t", "a")), 1, TimeUnit.HOURS))
                    .expectNothing(Duration.ofHours(2))
                    .thenCancel();
            assertThatThrownBy(() -> early.verify(PATIENCE)).hasMessageStartingWith("expected: nothing for PT2H; was: Deleted t/a");
            informer.stop();
        }
    }

    @Test
    void catchesAWrongBefore() {
        var another = new Versioned<>("u1", "1", "else");
        breaks("that this subscriber received last", List.of(new Change.Added<>("a", one, true), new Change.Updated<>("a", another, two)));
    }

    @Test
    void catchesAnUpdateAcrossTwoUids() {
        breaks("from one uid to another", List.of(new Change.Added<>("a", one, true), new Change.Updated<>("a", one, other)));
    }

    @Test
    void catchesAVersionThatGoesBack() {
        try (FakeApiServer server = FakeApiServer.create()) {
            Flux<Change<String, String>> changes = Flux.just(new Change.Added<>("a", two, true), new Change.Updated<>("a", two, one));
            Supplier<StepVerifier> back = () -> ChangeVerifier.of(changes, server).expectAdded("a").expectUpdated("a").expectComplete();
            assertThatThrownBy(() -> back.get().verify(PATIENCE)).hasMessageContaining("versions do not decrease");
            server.restore(server.backup());
            back.get().verify(PATIENCE);
            StepVerifier.create(changes.transform(ChangeLaws.check())).as("of a server that is not known").expectNextCount(2)
                    .verifyComplete();
        }
    }

    @Test
    void takesWhatARestoredStoreBrings() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        try (FakeApiServer server = FakeApiServer.builder().scheduler(clock).build()) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}, data: {x: old}}");
            Backup old = server.backup();
            ObjectKey a = ObjectKey.of("t", "a");
            server.objects().edit(CONFIG_MAPS, a, tree -> tree.set("data", tree.objectNode().put("x", "new")));
            Informer<JsonNode> informer = Informer.over(
                    ListerWatcher.over(KubernetesClient.over(server.transport()), CONFIG_MAPS, Namespaces.all()),
                    ReflectorOptions.defaults().withTimer(clock));
            informer.start();
            clock.advanceTimeBy(Duration.ofSeconds(1));
            Predicate<JsonNode> isOld = object -> object.at("/data/x").asString().equals("old");
            ChangeVerifier.of(informer, server)
                    .expectInitial("t/a")
                    .expectSynced(1)
                    .then(() -> server.restore(old))
                    .thenAwait(Duration.ofMinutes(2))
                    .expectUpdated("t/a", isOld)
                    .thenCancel()
                    .verify(PATIENCE);
            informer.stop();
        }
    }

    @Test
    void catchesADeletionOfWhatWasNotThere() {
        breaks("was present", List.of(new Change.Deleted<>("a", one, DeletionCause.OBSERVED, "2")));
    }

    @Test
    void catchesSyncedTwiceAndAWrongCount() {
        breaks("comes once", List.of(new Change.Synced<>("1", 0), new Change.Synced<>("1", 0)));
        breaks("number of additions", List.of(new Change.Added<>("a", one, true), new Change.Synced<>("1", 2)));
    }

    /** With {@code Delivery.conflated().partial()}: each addition counts, not each key. */
    @Test
    void countsARecreationBeforeSyncedAsTheAdditionThatItIs() {
        List<Change<String, String>> changes = List.of(
                new Change.Added<>("a", one, true), new Change.Deleted<>("a", one, DeletionCause.OBSERVED, "2"),
                new Change.Added<>("a", other, true),
                new Change.Synced<>("3", 2));
        StepVerifier.create(Flux.fromIterable(changes).transform(ChangeLaws.check())).expectNextCount(4).verifyComplete();
        breaks("which is 2", List.of(changes.get(0), changes.get(1), changes.get(2), new Change.Synced<>("3", 1)));
    }

    @Test
    void catchesInitialEntriesAfterSynced() {
        breaks("after Synced", List.of(new Change.Synced<>("1", 0), new Change.Added<>("a", one, true)));
    }

    private static void breaks(String law, List<Change<String, String>> changes) {
        StepVerifier.create(Flux.fromIterable(changes).transform(ChangeLaws.check()))
                .expectNextCount(changes.size() - 1L)
                .expectErrorMatches(failure -> failure instanceof AssertionError && failure.getMessage().contains(law))
                .verify(PATIENCE);
    }
}
