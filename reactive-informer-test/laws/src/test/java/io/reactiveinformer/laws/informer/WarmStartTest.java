package io.reactiveinformer.laws.informer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** A program that is started again: what it serves, and when it says that this is current. */
class WarmStartTest extends RestartedPrograms {

    @Test
    void servesListersAtOnceAndResumesTheWatch() {
        create("a");
        create("b");
        ranBefore(ALL);
        server.objects().update(configMap("a", "red"));
        server.objects().delete(CONFIG_MAPS, key("b"));
        create("c");
        Informer<V1ConfigMap> informer = program().of(ALL);
        Map<ObjectKey, V1ConfigMap> replayed = new ConcurrentHashMap<>();
        informer.changes().doOnNext(change -> replay(change, replayed)).subscribe();
        letTimePassUntilLive(informer);
        informer.await(key("c"), any -> true).block(PATIENCE);
        informer.awaitAbsent(key("b")).block(PATIENCE);

        assertThat(informer.lister().get(key("a")).orElseThrow().getData()).containsEntry("sky", "red");
        Mono.fromCallable(() -> replayed.equals(rows(informer))).filter(equal -> equal)
                .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10))).block(PATIENCE);
        assertThat(asked()).as("a small cache as a proof, one object as the goal, and no list")
                .containsExactly("list", "list one", "watch");
        assertThat(warnings()).isEmpty();
    }

    /** What a page of a list holds is compared; of more, the server repeats the newest change. */
    @Test
    void aCacheOfMoreThanAPageCostsTwoSmallRequests() {
        for (int i = 0; i <= 500; i++) {
            create("n" + i);
        }
        ranBefore(ALL);
        server.objects().delete(CONFIG_MAPS, key("n7"));
        Informer<V1ConfigMap> informer = program().of(ALL);
        letTimePassUntilLive(informer);

        informer.awaitAbsent(key("n7")).block(PATIENCE);
        assertThat(asked()).containsExactly("list one", "list one", "watch");
        String newest = server.objects().get(CONFIG_MAPS, key("n500")).orElseThrow().at("/metadata/resourceVersion").asString();
        String before = server.objects().get(CONFIG_MAPS, key("n499")).orElseThrow().at("/metadata/resourceVersion").asString();
        assertThat(server.requests().all().get(0).uri())
                .contains("metadata.name%3Dn500", "resourceVersion=" + newest, "resourceVersionMatch=Exact");
        assertThat(server.requests().all().get(2).uri()).contains("watch=true", "resourceVersion=" + before + "&");
    }

    /** What it says to be complete is what a list would have contained. */
    @Test
    void isNotSyncedBeforeItHasCaughtUp() {
        create("a");
        create("b");
        ranBefore(ALL);
        for (int i = 0; i < 50; i++) {
            server.objects().update(configMap("a", "red" + i));
            create("c" + i);
        }
        server.objects().delete(CONFIG_MAPS, key("b"));
        Informer<V1ConfigMap> informer = program().of(ALL);
        List<String> initial = informer.changes().map(WarmStartTest::text).takeUntil("synced"::equals).collectList().block(PATIENCE);

        assertThat(initial).contains("+a initial", "+c49 initial", "synced").doesNotContain("+b initial");
        assertThat(informer.lister().get(key("a")).orElseThrow().getData()).containsEntry("sky", "red49");
    }

    /** The last change of the whole store is one of another type, of which this type receives nothing. */
    @Test
    void isSyncedWhereNothingMoreComes() {
        create("a");
        ranBefore(ALL);
        create("b");
        server.objects().create("{apiVersion: v1, kind: Secret, metadata: {name: other, namespace: t}}");
        Informer<V1ConfigMap> informer = program().of(ALL);
        informer.changes(Delivery.conflated().partial())
                .map(WarmStartTest::text).filter(text -> text.startsWith("+b")).blockFirst(PATIENCE);
        assertThat(status(informer).synced()).isFalse();
        letTimePassUntilLive(informer);
        assertThat(informer.snapshot().complete()).isTrue();
    }

    /** Idle is who was not started. */
    @Test
    void saysThatItIsCatchingUp() {
        create("a");
        ranBefore(ALL);
        server.faults().onAny().always().stall();
        Informer<V1ConfigMap> informer = program().of(ALL);
        InformerStatus catchingUp = informer.status().filter(now -> now.state() != State.IDLE).blockFirst(PATIENCE);
        assertThat(catchingUp.state()).isEqualTo(State.LISTING);
        assertThat(catchingUp.synced()).isFalse();
        assertThat(catchingUp.staleSince()).isNotNull();
    }

    private static void replay(Change<ObjectKey, V1ConfigMap> change, Map<ObjectKey, V1ConfigMap> rows) {
        change.accept(
                added -> rows.put(added.key(), added.object()),
                updated -> rows.put(updated.key(), updated.after()),
                deleted -> rows.remove(deleted.key()),
                synced -> {});
    }

    private static Map<ObjectKey, V1ConfigMap> rows(Informer<V1ConfigMap> informer) {
        Map<ObjectKey, V1ConfigMap> rows = new HashMap<>();
        informer.snapshot().forEach((key, row) -> rows.put(key, row.object()));
        return rows;
    }

    private static String text(Change<ObjectKey, V1ConfigMap> change) {
        return change.match(
                added -> "+" + added.key().name() + (added.initial() ? " initial" : ""),
                updated -> updated.key().name() + ": " + updated.before().getData().get("sky")
                        + " > " + updated.after().getData().get("sky"),
                deleted -> "-" + deleted.key().name() + " " + deleted.cause(),
                synced -> "synced");
    }

    /** What is served before the server was received is old, and says so. */
    @Test
    void isStaleAndNotSyncedUntilTheServerAnswered() {
        create("a");
        ranBefore(ALL);
        Instant saved = Instant.ofEpochMilli(time.now(TimeUnit.MILLISECONDS));
        time.advanceTimeBy(Duration.ofHours(1));
        server.faults().onAny().always().refuse();
        Informer<V1ConfigMap> informer = program().of(ALL);
        InformerStatus down = informer.status().filter(now -> now.state() == State.DISRUPTED).blockFirst(PATIENCE);

        assertThat(informer.lister().keys()).contains(key("a"));
        assertThat(informer.snapshot().complete()).isFalse();
        assertThat(down.synced()).isFalse();
        assertThat(down.staleSince()).isEqualTo(saved);
        assertThat(down.staleness(saved.plusSeconds(7_200))).isEqualTo(Duration.ofHours(2));
        StepVerifier.create(informer.changes()).expectSubscription().expectNoEvent(Duration.ofMillis(100)).thenCancel().verify(PATIENCE);
        assertThat(informer.changes(Delivery.conflated().partial()).map(WarmStartTest::text).blockFirst(PATIENCE)).endsWith(" initial");

        server.faults().clear();
        letTimePassUntilLive(informer);
        assertThat(status(informer).staleSince()).isNull();
        assertThat(status(informer).staleness(Instant.MAX)).isZero();
        assertThat(informer.snapshot().complete()).isTrue();
    }

    /** What was restored may be of any age: it answers nobody who waits for what is so. */
    @Test
    void whoWaitsForAnObjectWaitsForTheServer() throws Exception {
        create("a");
        create("gone");
        ranBefore(ALL);
        server.objects().update(configMap("a", "red"));
        server.objects().delete(CONFIG_MAPS, key("gone"));
        server.faults().onAny().always().refuse();
        Informer<V1ConfigMap> informer = program().of(ALL);
        informer.status().filter(now -> now.state() == State.DISRUPTED).blockFirst(PATIENCE);
        var there = informer.await(key("a"), any -> true).toFuture();
        var known = informer.atLeast(key("gone"), "1").toFuture();
        server.faults().clear();
        letTimePassUntilLive(informer);

        assertThat(there.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).getData()).containsEntry("sky", "red");
        assertThat(known.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).get(key("gone"))).isEmpty();
    }

    /** Law 14: what the history does not tell any more, a list does. */
    @Test
    void listsWhereTheHistoryIsGone() {
        create("a");
        create("b");
        ranBefore(ALL);
        server.objects().delete(CONFIG_MAPS, key("b"));
        create("c");
        server.compact();
        Informer<V1ConfigMap> informer = program().of(ALL);
        List<Change<ObjectKey, V1ConfigMap>> received = Collections.synchronizedList(new ArrayList<>());
        // on the writer's thread, so before the status
        informer.changes(Delivery.conflated().partial().on(Schedulers.immediate())).subscribe(received::add);
        // 410 has come: else two virtual seconds may be sooner
        informer.status().filter(now -> now.state() == State.DISRUPTED).blockFirst(PATIENCE);
        letTimePassUntilLive(informer);

        assertThat(informer.lister().keys()).contains(key("a"), key("c")).doesNotContain(key("b"));
        assertThat(received).filteredOn(change -> change instanceof Change.Deleted<ObjectKey, V1ConfigMap>).singleElement()
                .isInstanceOfSatisfying(Change.Deleted.class, deleted -> assertThat(deleted.cause()).isEqualTo(DeletionCause.INFERRED));
        assertThat(asked()).as("the proof, which the server cannot answer any more, and what it still can")
                .containsExactly("list", "list", "list one", "list", "watch");
    }

    /** Law 15: a server that was restored is silent about a version from its future. */
    @Test
    void believesAServerThatWasRestoredBehindWhatWasSaved() {
        create("a");
        Backup backup = server.backup();
        create("later");
        ranBefore(ALL);
        server.restore(backup);
        Informer<V1ConfigMap> informer = program().of(ALL);
        letTimePassUntilLive(informer);

        assertThat(informer.lister().keys()).contains(key("a")).doesNotContain(key("later"));
        create("after");
        informer.await(key("after"), any -> true).block(PATIENCE);
    }

    /** The version is known again, and another history's: the objects at that version show it. */
    @Test
    void believesAServerThatWasRestoredAndHasComePastWhatWasSaved() {
        create("a");
        Backup backup = server.backup();
        create("later");
        ranBefore(ALL);
        server.restore(backup);
        server.objects().update(configMap("a", "red"));
        create("x");
        create("y");
        Informer<V1ConfigMap> informer = program().of(ALL);
        letTimePassUntilLive(informer);

        assertThat(informer.lister().keys()).contains(key("a"), key("x"), key("y")).doesNotContain(key("later"));
        assertThat(informer.lister().get(key("a")).orElseThrow().getData()).containsEntry("sky", "red");
    }

    @Test
    void eachNamespaceGoesOnFromWhereItWas() {
        create("a");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: z, namespace: u}}");
        InformerSpec<V1ConfigMap> two = ALL.withNamespaces(Namespaces.of(List.of("t", "u")));
        ranBefore(two);
        server.objects().delete(CONFIG_MAPS, ObjectKey.of("u", "z"));
        Informer<V1ConfigMap> informer = program().of(two);
        letTimePassUntilLive(informer);
        assertThat(informer.lister().keys()).contains(key("a"));
        assertThat(asked()).containsExactlyInAnyOrder("list", "list one", "watch", "list", "list one", "watch");
        assertThat(status(informer).parts()).hasSize(2).allSatisfy((part, how) -> assertThat(how.staleSince()).isNull());
    }

    /** Law 16 outlasts the process. */
    @Test
    void whatCouldNotBeReadIsStillNamed() {
        create("a");
        InformerSpec<V1ConfigMap> picky = ALL.withTransform(NO_RED).withWarmStart(WarmStartStorage.inDirectory(directory), "1");
        InformerFactory before = program();
        before.of(picky).synced().block(PATIENCE);
        server.objects().update(configMap("a", "red"));
        before.of(picky).status().filter(now -> now.stale().containsKey(key("a"))).blockFirst(PATIENCE);
        before.stop(PATIENCE).block(PATIENCE);

        Informer<V1ConfigMap> informer = program().of(picky);
        letTimePassUntilLive(informer);
        assertThat(status(informer).stale().get(key("a")).reason()).contains("the transform of t/a threw");
        assertThat(informer.lister().get(key("a")).orElseThrow().getData()).containsEntry("sky", "blue");
        server.objects().update(configMap("a", "green"));
        informer.status().filter(now -> now.stale().isEmpty()).blockFirst(PATIENCE);
    }

    /** What a newer version of the program can read, say. */
    @Test
    void whatCouldNotBeReadIsListedAgain() {
        AtomicBoolean strict = new AtomicBoolean(true);
        create("a");
        InformerSpec<V1ConfigMap> picky = ALL.withTransform(object -> strict.get() ? NO_RED.apply(object) : object)
                .withWarmStart(WarmStartStorage.inDirectory(directory), "1");
        InformerFactory before = program();
        before.of(picky).synced().block(PATIENCE);
        server.objects().update(configMap("a", "red"));
        before.of(picky).status().filter(now -> now.stale().containsKey(key("a"))).blockFirst(PATIENCE);
        before.stop(PATIENCE).block(PATIENCE);
        server.requests().clear();

        strict.set(false);
        Informer<V1ConfigMap> informer = program().of(picky);
        informer.synced().block(PATIENCE);
        assertThat(informer.lister().get(key("a")).orElseThrow().getData()).containsEntry("sky", "red");
        assertThat(status(informer).stale()).isEmpty();
        assertThat(server.requests().all()).first().satisfies(request -> assertThat(request.uri())
                .contains("/configmaps?")
                .doesNotContain("watch=true", "resourceVersion="));
        assertThat(asked()).as("nothing else before the watch").containsExactly("list", "watch");
    }
}
