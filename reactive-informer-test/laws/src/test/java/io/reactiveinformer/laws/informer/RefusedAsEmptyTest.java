package io.reactiveinformer.laws.informer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.informer.NotSyncedException;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.View;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Law 22: a refused namespace counts as complete and empty, if the spec says so. */
class RefusedAsEmptyTest {

    private static final InformerSpec<V1ConfigMap> STRICT =
            InformerSpec.of(ResourceType.of(V1ConfigMap.class)).withNamespaces(Namespaces.of(List.of("a", "b", "c")));
    private static final InformerSpec<V1ConfigMap> LENIENT = STRICT.withRefusedAsEmpty(403, 404);
    private static final Namespaces B = Namespaces.of("b");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final InformerFactory informers = InformerFactory.create(
            KubernetesClient.over(server.transport()), ReflectorOptions.defaults().withTimer(time).withRandom(() -> 0));
    private final List<String> received = new ArrayList<>();

    @AfterEach
    void close() {
        informers.close();
        server.close();
        VirtualTimeScheduler.reset();
    }

    private void create(String namespace, String name) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: " + namespace + "}}");
    }

    /** Each of three namespaces has an object, and the second is forbidden. */
    private void forbidB() {
        create("a", "x");
        create("b", "y");
        create("c", "z");
        server.access().allow("*", "*", "*", null).deny("*", "*", "configmaps", "b");
    }

    private Informer<V1ConfigMap> started(InformerSpec<V1ConfigMap> spec) {
        Informer<V1ConfigMap> informer = informers.of(spec);
        informer.changes().map(RefusedAsEmptyTest::text).subscribe(received::add);
        informers.start();
        time.advanceTimeBy(Duration.ofSeconds(3));
        return informer;
    }

    private static String text(Change<ObjectKey, V1ConfigMap> change) {
        return change.match(
                added -> "+" + added.key() + (added.initial() ? " initial" : ""),
                updated -> updated.key() + " > " + updated.key(),
                deleted -> "-" + deleted.key() + " " + deleted.cause(),
                synced -> "synced");
    }

    private static InformerStatus status(View<?, ?> view) {
        return view.status().blockFirst();
    }

    @Test
    void withoutSayingSoEachNamespaceIsAwaited() {
        forbidB();
        Informer<V1ConfigMap> informer = started(STRICT);
        assertThat(received).isEmpty();
        assertThat(informer.hasSynced()).isFalse();
        assertThat(status(informer).cause()).isInstanceOf(ForbiddenException.class);
    }

    @Test
    void aForbiddenNamespaceStopsNobody() {
        forbidB();
        List<String> handled = new ArrayList<>();
        Informer<V1ConfigMap> informer = informers.of(LENIENT);
        var registration = informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(V1ConfigMap object, boolean isInInitialList) {
                handled.add(object.getMetadata().getName() + " " + isInInitialList);
            }
        });
        View<ObjectKey, String> joined = informer.filter(any -> true)
                .join(informer.map(object -> object.getMetadata().getName()), object -> List.of(ObjectKey.of("b", "y")),
                        (object, others) -> object.getMetadata().getName() + others);
        List<Object> rows = new ArrayList<>();
        joined.objects().subscribe(rows::add);
        started(LENIENT);

        assertThat(received).containsExactlyInAnyOrder("+a/x initial", "+c/z initial", "synced").last().isEqualTo("synced");
        assertThat(handled).containsExactlyInAnyOrder("x true", "z true");
        assertThat(registration.synced().thenReturn("done").block()).isEqualTo("done");
        assertThat(rows).containsExactlyInAnyOrder("x[]", "z[]");
        assertThat(informer.hasSynced()).isTrue();
        assertThat(informer.synced().thenReturn("done").block()).isEqualTo("done");
        assertThat(joined.synced().thenReturn("done").block()).isEqualTo("done");
        assertThat(informer.snapshot().resourceVersion(B)).isEmpty();

        InformerStatus status = status(informer);
        assertThat(status.synced()).isTrue();
        assertThat(status.state()).isEqualTo(State.LIVE);
        assertThat(status.cause()).isNull();
        InformerStatus refused = status.parts().get(B);
        assertThat(refused.state()).isNotEqualTo(State.LIVE);
        assertThat(refused.synced()).isFalse();
        assertThat(refused.cause()).isInstanceOf(ForbiddenException.class).hasMessageContaining("b");
        assertThat(refused.staleness(now())).isPositive();

        create("a", "later");
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(received).last().isEqualTo("+a/later");
        assertThat(rows).last().isEqualTo("later[]");
    }

    private Instant now() {
        return Instant.ofEpochMilli(time.now(TimeUnit.MILLISECONDS));
    }

    @Test
    void whatIsAllowedLaterIsAddedAndNotInitial() {
        forbidB();
        Informer<V1ConfigMap> informer = started(LENIENT);
        received.clear();
        server.access().clear();
        time.advanceTimeBy(Duration.ofMinutes(3));

        assertThat(received).containsExactly("+b/y");
        assertThat(status(informer)).matches(InformerStatus::synced).matches(now -> now.state() == State.LIVE);
        assertThat(status(informer).parts().get(B)).matches(InformerStatus::synced).matches(now -> now.state() == State.LIVE);
        List<String> late = new ArrayList<>();
        informer.changes().map(RefusedAsEmptyTest::text).subscribe(late::add);
        assertThat(late).containsExactlyInAnyOrder("+a/x initial", "+b/y initial", "+c/z initial", "synced");
    }

    /** Its other objects cannot be read; those of the other namespaces can, for later subscribers, too. */
    @Test
    void aNamespaceThatIsAllowedLaterAndCannotBeReadStopsNobody() {
        forbidB();
        create("b", "other");
        Informer<V1ConfigMap> informer = started(LENIENT.withTransform(object -> {
            if ("b".equals(object.getMetadata().getNamespace())) {
                throw new IllegalStateException("planned");
            }
            return object;
        }));
        server.access().clear();
        time.advanceTimeBy(Duration.ofMinutes(3));
        assertThat(status(informer).parts().get(B)).matches(now -> !now.synced()).matches(now -> now.state() != State.LIVE);
        assertThat(status(informer).synced()).isTrue();
        List<String> late = new ArrayList<>();
        informer.changes().map(RefusedAsEmptyTest::text).subscribe(late::add);
        assertThat(late).containsExactlyInAnyOrder("+a/x initial", "+c/z initial", "synced");
    }

    /** It is not empty: what was received before is served, and is stale. */
    @Test
    void aRefusalDeletesNothing() {
        create("a", "x");
        create("b", "y");
        Informer<V1ConfigMap> informer = started(LENIENT);
        received.clear();
        server.access().allow("*", "*", "*", null).deny("*", "*", "configmaps", "b");
        time.advanceTimeBy(Duration.ofMinutes(30)); // each watch has ended meanwhile
        create("a", "later");
        time.advanceTimeBy(Duration.ofSeconds(1));

        assertThat(received).containsExactly("+a/later");
        assertThat(informer.lister().keys()).contains(ObjectKey.of("b", "y"));
        assertThat(status(informer).synced()).isTrue();
        assertThat(status(informer).state()).isNotEqualTo(State.LIVE);
        assertThat(status(informer).staleness(now())).isPositive();
        assertThat(status(informer).cause()).isInstanceOf(ForbiddenException.class);
    }

    @Test
    void aTypeThatIsNotInstalledIsEmpty() {
        var spec = InformerSpec.of(ResourceType.dynamic("example.com", "v1", "widgets")).withRefusedAsEmpty(404);
        Informer<JsonNode> informer = informers.of(spec);
        List<Change<ObjectKey, JsonNode>> changes = new ArrayList<>();
        informer.changes().subscribe(changes::add);
        informers.start();
        time.advanceTimeBy(Duration.ofSeconds(3));

        assertThat(changes).singleElement().isInstanceOf(Change.Synced.class);
        assertThat(status(informer)).matches(InformerStatus::synced);
        assertThat(status(informer).cause()).isInstanceOf(NotFoundException.class);
        assertThat(status(informer).state()).isIn(State.DISRUPTED, State.LISTING);
        assertThat(status(informer).staleness(now())).as("nothing was received").isPositive();

        server.objects().create("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  names: {plural: widgets, kind: Widget}
                  scope: Namespaced
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """);
        time.advanceTimeBy(Duration.ofSeconds(1));
        server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w, namespace: a}}");
        time.advanceTimeBy(Duration.ofMinutes(3));
        assertThat(changes).hasSize(2).last().isInstanceOfSatisfying(Change.Added.class, added -> assertThat(added.initial()).isFalse());
        assertThat(status(informer).state()).isEqualTo(State.LIVE);
    }

    @Test
    void anyOtherFailureIsAwaited() {
        create("a", "x");
        server.faults().onRequest("b", request -> "b".equals(request.namespace())).times(10).status(503, "ServiceUnavailable", "later");
        server.faults().onRequest("c", request -> "c".equals(request.namespace())).times(10).status(401, "Unauthorized", "who?");
        Informer<V1ConfigMap> informer = started(LENIENT.withRefusedAsEmpty(403));
        assertThat(received).isEmpty();
        time.advanceTimeBy(Duration.ofMinutes(20));
        assertThat(received).containsExactly("+a/x initial", "synced");
        assertThat(status(informer).state()).isEqualTo(State.LIVE);
    }

    @Test
    void aControllerWorksOnTheOthers() {
        forbidB();
        Informer<V1ConfigMap> informer = informers.of(LENIENT);
        List<ObjectKey> reconciled = new ArrayList<>();
        Controller<ObjectKey> controller = Controller.named("maps").watches(informer, Route.self())
                .reconcile(request -> Mono.fromRunnable(() -> reconciled.add(request.key())));
        controller.run().subscribe();
        started(LENIENT);
        assertThat(reconciled).containsExactlyInAnyOrder(ObjectKey.of("a", "x"), ObjectKey.of("c", "z"));
        server.access().clear();
        time.advanceTimeBy(Duration.ofMinutes(3));
        assertThat(reconciled).contains(ObjectKey.of("b", "y"));
    }

    @Test
    void aNamespaceThatIsAddedAndRefusedDelaysOnlyUntilItIsRefused() {
        forbidB();
        Informer<V1ConfigMap> informer = started(LENIENT.withNamespaces(Namespaces.of("a")));
        received.clear();
        informer.resize(Namespaces.of(Set.of("a", "b")));
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(status(informer).synced()).isTrue();
        informer.resize(Namespaces.of("b"));
        assertThat(status(informer).cause()).as("the only one").isInstanceOf(ForbiddenException.class);
        assertThat(received).containsExactly("-a/x LEFT");
    }

    /** Of an object there nothing is known: neither that it is there, nor that it is not. */
    @Test
    void aRefusedNamespaceIsTheReasonWhyAnAwaitedObjectDoesNotCome() {
        forbidB();
        Informer<V1ConfigMap> informer = started(LENIENT);
        ObjectKey y = ObjectKey.of("b", "y");
        List<Throwable> failures = new ArrayList<>();
        Duration limit = Duration.ofSeconds(5);
        informer.await(y, any -> true, limit).subscribe(found -> {}, failures::add);
        informer.awaitAbsent(y, limit).subscribe(found -> {}, failures::add);
        informer.atLeast(y, "1", limit).subscribe(found -> {}, failures::add);
        time.advanceTimeBy(limit);
        assertThat(failures).hasSize(3).allSatisfy(failure -> assertThat(failure).isInstanceOf(NotSyncedException.class)
                .hasMessageContainingAll("b/y", "after 5s", "403 Forbidden").hasCauseInstanceOf(ForbiddenException.class));
    }

    /** What a restarted program begins with is old, but it is not nothing; and it is saved again only when it was confirmed. */
    @Test
    void savedObjectsOfARefusedNamespaceAreServedAndDelayNobody(@TempDir Path directory) {
        create("a", "x");
        create("b", "y");
        Informer<V1ConfigMap> before = programThatSaves(directory);
        assertThat(before.snapshot().size()).isEqualTo(2);
        stop();

        server.access().allow("*", "*", "*", null).deny("*", "*", "configmaps", "b");
        Informer<V1ConfigMap> refused = programThatSaves(directory);
        assertThat(refused.hasSynced()).isTrue();
        assertThat(refused.lister().keys()).containsExactlyInAnyOrder(ObjectKey.of("a", "x"), ObjectKey.of("b", "y"));
        assertThat(status(refused).state()).as("old rows are served").isNotEqualTo(State.LIVE);
        assertThat(status(refused).staleness(now())).isPositive();
        create("a", "new");
        time.advanceTimeBy(Duration.ofMinutes(2));
        stop();

        server.objects().delete(ResourceType.of(V1ConfigMap.class), ObjectKey.of("b", "y"));
        server.requests().clear();
        Informer<V1ConfigMap> again = programThatSaves(directory);
        assertThat(again.lister().keys()).containsExactlyInAnyOrder(ObjectKey.of("a", "x"), ObjectKey.of("a", "new"));
        assertThat(server.requests().all()).as("began with what was saved of the other").extracting(request -> request.uri())
                .noneMatch(uri -> uri.contains("/namespaces/a/") && uri.contains("limit=500") && !uri.contains("Match=Exact"));
        server.access().clear();
        time.advanceTimeBy(Duration.ofMinutes(3));
        assertThat(status(again).state()).isEqualTo(State.LIVE);
        assertThat(again.lister().keys()).containsExactlyInAnyOrder(ObjectKey.of("a", "x"), ObjectKey.of("a", "new"));
    }

    private InformerFactory saving = informers;

    private Informer<V1ConfigMap> programThatSaves(Path directory) {
        saving = InformerFactory.create(KubernetesClient.over(server.transport()),
                ReflectorOptions.defaults().withTimer(time).withRandom(() -> 0), InformerFactory.GRACE,
                WarmStartStorage.inDirectory(directory));
        Informer<V1ConfigMap> informer = saving.of(LENIENT.withNamespaces(Namespaces.of(Set.of("a", "b"))));
        saving.start();
        time.advanceTimeBy(Duration.ofSeconds(40)); // a watch that stays silent is a doubt for so long
        return informer;
    }

    private void stop() {
        saving.stop(Duration.ofSeconds(10)).subscribe();
        time.advanceTimeBy(Duration.ofSeconds(20));
    }

    @Test
    void nothingIsSavedInPlaceOfObjectsIfEachNamespaceIsRefused(@TempDir Path directory) {
        create("a", "x");
        create("b", "y");
        programThatSaves(directory);
        stop();
        server.access().allow("*", "*", "*", null).deny("*", "*", "configmaps", null);
        Informer<V1ConfigMap> refused = programThatSaves(directory);
        assertThat(refused.hasSynced()).isTrue();
        time.advanceTimeBy(Duration.ofHours(1));
        stop();
        Informer<V1ConfigMap> again = programThatSaves(directory);
        assertThat(again.snapshot().size()).isEqualTo(2);
        stop();
    }

    /** One of the two callers would get a promise that it did not ask for. */
    @Test
    void whoWaitsForEachNamespaceHasAnotherInformer(@TempDir Path directory) {
        forbidB();
        Informer<V1ConfigMap> lenient = started(LENIENT);
        Informer<V1ConfigMap> strict = informers.of(STRICT);
        time.advanceTimeBy(Duration.ofSeconds(3));
        assertThat(lenient.hasSynced()).isTrue();
        assertThat(strict.hasSynced()).isFalse();
        assertThat(informers.of(LENIENT.withRefusedAsEmpty(404, 403))).isSameAs(lenient);

        programThatSaves(directory);
        assertThat(saving.of(STRICT.withNamespaces(Namespaces.of(Set.of("a", "b"))))).as("saved apart").isNotNull();
        stop();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 400, 410, 429, 503})
    void onlyRefusalsThatLastCanCountAsEmpty(int code) {
        assertThatThrownBy(() -> STRICT.withRefusedAsEmpty(403, code)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("configmaps", "401, 403, 404 and 405", String.valueOf(code));
        assertThat(LENIENT.withRefusedAsEmpty()).isEqualTo(STRICT);
    }
}
