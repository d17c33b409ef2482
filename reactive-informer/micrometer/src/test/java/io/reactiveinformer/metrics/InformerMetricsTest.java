package io.reactiveinformer.metrics;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Delivery;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.DoublePredicate;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is counted, compared with what happened. */
@Timeout(60)
class InformerMetricsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final String EVERYWHERE = "configmaps.v1 in all namespaces";
    private static final ObjectKey LAST = ObjectKey.of("t", "last");

    private final FakeApiServer server = FakeApiServer.create();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final InformerMetrics metrics = InformerMetrics.of(registry);
    private final KubernetesClient client = KubernetesClient.over(
            server.transport(), ClientOptions.defaults().withWriteLimit(0, 1).withListsAtOnce(0).withObserver(metrics.requests()));
    private final InformerFactory informers = metrics.metered(InformerFactory.create(client));
    private final Informer<V1ConfigMap> notes = informers.of(CONFIG_MAPS);

    @AfterEach
    void close() {
        informers.close();
        client.close();
        server.close();
    }

    private void write(String name, int sky) {
        server.objects().create(note(name, sky));
    }

    private static String note(String name, int sky) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}, data: {sky: \"" + sky + "\"}}";
    }

    private double value(String meter, String... tags) {
        return registry.get(meter).tags(tags).meter().measure().iterator().next().getValue();
    }

    /** Of a listener that is notified on a thread of its own. */
    private void await(double expected, String meter, String... tags) {
        await(value -> value == expected, meter, tags);
    }

    private void await(DoublePredicate expected, String meter, String... tags) {
        Mono.fromSupplier(() -> registry.find(meter).tags(tags).meters().stream()
                .mapToDouble(one -> one.measure().iterator().next().getValue()).sum())
                .repeat()
                .filter(expected::test)
                .next()
                .block(PATIENCE);
    }

    private void sync() {
        informers.start();
        informers.synced(PATIENCE).block(PATIENCE);
    }

    /** Everything before this has been received of and counted. */
    private void awaitLast() {
        write("last", 0);
        notes.await(LAST, any -> true).block(PATIENCE);
    }

    /** The caller that asks for an informer receives the failure; the next time it is metered as if nothing had happened. */
    @ParameterizedTest
    @ValueSource(strings = {"informer.objects", "informer.synced", "informer.conflated"})
    void aRegistryThatThrowsWhereAnInformerIsBoundLeavesNothingBehind(String meter) {
        var thrown = new AtomicBoolean();
        throwAt(meter::equals, thrown);
        Namespaces namespaces = Namespaces.of("t");
        assertThatThrownBy(() -> informers.of(CONFIG_MAPS, namespaces)).isInstanceOf(NoClassDefFoundError.class);
        Informer<V1ConfigMap> again = informers.of(CONFIG_MAPS, namespaces);
        sync();
        await(1, "informer.synced", "informer", again.description());
        assertThat(registry.find("informer.objects").meters()).hasSize(2);
        assertThat(registry.find("informer.objects").tag("informer", again.description()).meters()).hasSize(1);
    }

    @Test
    void anInformerConvergesWhateverARegistryThrows() {
        var thrown = new AtomicBoolean();
        write("a", 1);
        throwAt(name -> {
            thrown.set(false); // each time
            return true;
        }, thrown);
        sync();
        awaitLast();
        server.restart();
        write("later", 1);
        notes.await(ObjectKey.of("t", "later"), any -> true).block(PATIENCE);
        assertThat(notes.snapshot().size()).isEqualTo(3);
        assertThat(thrown).isTrue();
    }

    private void throwAt(Predicate<String> meter, AtomicBoolean thrown) {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                if (meter.test(id.getName()) && thrown.compareAndSet(false, true)) {
                    throw new NoClassDefFoundError("planned");
                }
                return id;
            }
        });
    }

    @Test
    void showsHowAnInformerStands() {
        write("a", 1);
        write("b", 1);
        assertThat(value("informer.synced", "informer", EVERYWHERE)).isZero();
        sync();
        assertThat(value("informer.objects", "informer", EVERYWHERE)).isEqualTo(2);
        await(1, "informer.synced", "informer", EVERYWHERE);
        await(1, "informer.live", "informer", EVERYWHERE);
        assertThat(value("informer.staleness.seconds", "informer", EVERYWHERE)).isZero();
        assertThat(value("informer.lists", "informer", EVERYWHERE)).isEqualTo(1);
    }

    /** Or the alert on it could not fire where it matters most. */
    @Test
    void growsStaleFromTheBeginningWhereNothingWasEverReceived() {
        server.faults().onAny().always().refuse();
        informers.start();
        await(meter -> meter > 0, "informer.staleness.seconds", "informer", EVERYWHERE);
        notes.status().filter(now -> now.attempt() > 1).blockFirst(PATIENCE);
        double before = value("informer.staleness.seconds", "informer", EVERYWHERE);
        await(meter -> meter > before, "informer.staleness.seconds", "informer", EVERYWHERE);
        assertThat(value("informer.synced", "informer", EVERYWHERE)).isZero();

        server.faults().clear();
        await(0, "informer.staleness.seconds", "informer", EVERYWHERE);
    }

    @Test
    void countsWhatWatchesEmitted() {
        write("a", 1);
        sync();
        write("b", 1);
        server.objects().update(note("b", 2));
        server.objects().delete(CONFIG_MAPS, ObjectKey.of("t", "a"));
        awaitLast();
        assertThat(value("informer.events", "informer", EVERYWHERE, "type", "upserted")).isEqualTo(3);
        assertThat(value("informer.events", "informer", EVERYWHERE, "type", "deleted")).isEqualTo(1);
    }

    @Test
    void tellsWhyTheServerWasLost() {
        write("a", 1);
        server.faults().onWatch("configmaps").after(0).events().expire();
        sync();
        awaitLast();
        assertThat(value("informer.disruptions", "informer", EVERYWHERE, "cause", "resource-version-expired", "next", "list")).isEqualTo(1);
        assertThat(value("informer.lists", "informer", EVERYWHERE)).isEqualTo(2);
        assertThat(value("informer.watch", "informer", EVERYWHERE)).as("watches that are over").isEqualTo(1);
    }

    @Test
    void showsTheBacklogOfSubscribers() {
        sync();
        notes.changes(Delivery.conflated().named("idle")).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                // asks for nothing
            }
        });
        write("a", 1);
        server.objects().update(note("a", 2));
        server.objects().update(note("a", 3));
        awaitLast();
        assertThat(value("informer.subscribers", "informer", EVERYWHERE)).isEqualTo(1);
        await(3, "informer.backlog", "informer", EVERYWHERE); // Synced, a and the last
        assertThat(value("informer.backlog.max", "informer", EVERYWHERE)).isEqualTo(3);
        assertThat(value("informer.conflated", "informer", EVERYWHERE)).isEqualTo(2);
    }

    @Test
    void tellsInformersOfTheSameThingApartAndForgetsThoseThatAreOver() {
        Informer<V1ConfigMap> some = informers.of(InformerSpec.of(CONFIG_MAPS).withTransform(map -> map));
        Informer<V1ConfigMap> web = informers.of(CONFIG_MAPS, Namespaces.all(), Selector.labels("app=web"));
        assertThat(informers.of(CONFIG_MAPS)).as("the same, and not bound again").isSameAs(notes);
        assertThat(namesOf("informer.objects")).containsExactlyInAnyOrder(
                EVERYWHERE, EVERYWHERE + " #2", EVERYWHERE + ", labels \"app=web\"");
        sync();
        assertThat(value("informer.lists", "informer", EVERYWHERE + ", labels \"app=web\"")).isEqualTo(1);
        some.stop();
        web.stop();
        some.status().then().block(PATIENCE);
        web.status().then().block(PATIENCE);
        Mono.fromSupplier(() -> namesOf("informer.objects")).repeat().filter(List.of(EVERYWHERE)::equals).next().block(PATIENCE);
    }

    @Test
    void forgetsWhatWasCountedOfTheLastInformerOfItsDescription() {
        Informer<V1ConfigMap> web = informers.of(CONFIG_MAPS, Namespaces.all(), Selector.labels("app=web"));
        Informer<V1ConfigMap> same =
                informers.of(InformerSpec.of(CONFIG_MAPS).withSelector(Selector.labels("app=web")).withTransform(map -> map));
        server.faults().onWatch("configmaps").after(0).events().expire();
        web.start();
        await(1, "informer.disruptions", "informer", web.description());
        sync();
        web.stop();
        await(0, "informer.synced", "informer", web.description());
        assertThat(namesOf("informer.lists")).as("one of that description goes on").contains(web.description());
        same.stop();
        Mono.fromSupplier(() -> registry.getMeters().stream().map(Meter::getId)
                .filter(id -> String.valueOf(id.getTag("informer")).contains("app=web")).count())
                .repeat()
                .filter(left -> left == 0)
                .next()
                .block(PATIENCE);
        assertThat(namesOf("informer.lists")).containsExactly(EVERYWHERE);
    }

    @Test
    void countsNothingOfAnInformerThatIsNotMade() {
        informers.close();
        assertThatThrownBy(() -> informers.of(CONFIG_MAPS, Namespaces.of("t"))).isInstanceOf(IllegalStateException.class);
        assertThat(namesOf("informer.lists")).doesNotContain("configmaps.v1 in namespace t");
    }

    @Test
    void showsAnInformerThatHasGivenUpUntilItIsAskedForAgain() {
        InformerSpec<V1ConfigMap> spec = InformerSpec.of(CONFIG_MAPS).withNamespaces(Namespaces.of("t"))
                .withOptions(options -> options.withGiveUpWhen(any -> true));
        server.faults().onAny().always().status(403, "Forbidden", "no");
        Informer<V1ConfigMap> lost = informers.of(spec);
        lost.start();
        lost.status().then().block(PATIENCE);
        assertThat(value("informer.synced", "informer", lost.description())).as("alerts see it").isZero();
        server.faults().clear();
        informers.of(spec);
        sync();
        await(1, "informer.synced", "informer", lost.description());
        assertThat(namesOf("informer.objects")).containsExactlyInAnyOrder(EVERYWHERE, lost.description());
        server.faults().onAny().always().status(403, "Forbidden", "no");
        Informer<V1ConfigMap> other = informers.of(InformerSpec.of(CONFIG_MAPS).withNamespaces(Namespaces.of("u"))
                .withOptions(options -> options.withGiveUpWhen(any -> true)));
        other.status().then().block(PATIENCE);
        List<String> left = informers.stop(PATIENCE).then(Mono.fromSupplier(() -> namesOf("informer.objects"))).block(PATIENCE);
        assertThat(left).as("when it says that it has stopped").isEmpty();
    }

    @Test
    void forgetsAnInformerThatHasGivenUpWhenDisposedOf() {
        server.faults().onAny().always().status(403, "Forbidden", "no");
        try (InformerFactory others = InformerFactory.create(client)) {
            Informer<V1ConfigMap> lost = others.of(InformerSpec.of(CONFIG_MAPS).withNamespaces(Namespaces.of("t"))
                    .withOptions(options -> options.withGiveUpWhen(any -> true)));
            var bound = metrics.bind(lost);
            lost.start();
            lost.status().then().block(PATIENCE);
            assertThat(namesOf("informer.live")).contains(lost.description());
            bound.dispose();
            assertThat(namesOf("informer.live")).doesNotContain(lost.description());
        }
    }

    @Test
    void metersAnInformerThatIsMadeDuringACleanUp() {
        var meanwhile = new AtomicReference<Runnable>(() -> {});
        try (InformerFactory plain = InformerFactory.create(client)) {
            var slow = (InformerFactory) Proxy.newProxyInstance(InformerFactory.class.getClassLoader(),
                    new Class<?>[] {InformerFactory.class},
                    (proxy, method, arguments) -> {
                        Object result = method.invoke(plain, arguments);
                        if (method.getName().equals("informers")) {
                            meanwhile.getAndSet(() -> {}).run();
                        }
                        return result;
                    });
            InformerFactory metered = metrics.metered(slow);
            meanwhile.set(() -> metered.of(InformerSpec.of(CONFIG_MAPS).withNamespaces(Namespaces.of("late"))));
            metered.of(InformerSpec.of(CONFIG_MAPS).withNamespaces(Namespaces.of("early")));
            assertThat(namesOf("informer.live")).contains("configmaps.v1 in namespace early", "configmaps.v1 in namespace late");
        }
    }

    @Test
    void countsTheRequestsOfAllClients() {
        try (KubernetesClient second = KubernetesClient.over(server.transport(),
                ClientOptions.defaults().withObserver(metrics.requests()))) {
            InformerFactory others = metrics.metered(InformerFactory.create(second));
            others.of(CONFIG_MAPS);
            others.start();
            others.synced(PATIENCE).block(PATIENCE);
            sync();
            await(2, "kubernetes.client.active", "verb", "watch", "resource", "configmaps.v1");
            others.close();
        }
    }

    @Test
    void tellsClustersApartByTags() {
        sync();
        InformerMetrics east = InformerMetrics.of(registry, Tags.of("cluster", "east"));
        InformerFactory others = east.metered(InformerFactory.create(client));
        others.of(CONFIG_MAPS);
        assertThat(value("informer.synced", "informer", EVERYWHERE, "cluster", "east")).isZero();
        assertThat(value("informer.lists", "informer", EVERYWHERE, "cluster", "east")).isZero();
        others.close();
    }

    @Test
    void countsTheQueuesOfOneNameTogether() {
        WorkQueue.Observer first = metrics.queue("painter");
        first.added();
        first.dropped(1, 0);
        WorkQueue.Observer next = metrics.queue("painter");
        next.added();
        next.added();
        assertThat(value("controller.queue.depth", "controller", "painter")).isEqualTo(2);
    }

    @Test
    void showsWhoLeadsAlsoWhenCandidatesFollowEachOther() {
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: t}}");
        for (int term = 1; term <= 2; term++) {
            LeaderElector elector = LeaderElector.of(client, ObjectKey.of("t", "painter"));
            elector.leadership().subscribe(metrics.operators().leadership("painter"));
            await(1, "leader.leading", "lease", "painter");
            await(term, "leader.terms", "lease", "painter");
            elector.resign().block(PATIENCE);
            await(0, "leader.leading", "lease", "painter");
        }
    }

    @Test
    void showsWhatTheControllersOfOneNameHold() {
        Controller<ObjectKey> first = Controller.named("painter").watches(notes, Route.self()).reconcile(request -> Mono.empty());
        Controller<ObjectKey> next = Controller.named("painter").watches(notes, Route.self()).reconcile(request -> Mono.empty());
        var firstBound = metrics.operators().bind(first);
        var nextBound = metrics.operators().bind(next);
        firstBound.dispose();
        assertThat(value("controller.held", "controller", "painter")).as("the next goes on").isZero();
        nextBound.dispose();
        assertThat(registry.find("controller.held").meters()).isEmpty();
    }

    private List<String> namesOf(String meter) {
        return registry.find(meter).meters().stream().map(Meter::getId).map(id -> id.getTag("informer")).toList();
    }

    @Test
    void countsRequestsWithTheirBytes() {
        write("a", 1);
        sync();
        client.resources(CONFIG_MAPS).get(ObjectKey.of("t", "a")).block(PATIENCE);
        client.resources(CONFIG_MAPS).get(ObjectKey.of("t", "nowhere")).onErrorComplete().block(PATIENCE);
        assertThat(value("kubernetes.client.requests", "verb", "get", "status", "200", "outcome", "done")).isEqualTo(1);
        assertThat(value("kubernetes.client.requests", "verb", "get", "status", "404", "outcome", "not-found")).isEqualTo(1);
        assertThat(value("kubernetes.client.bytes", "verb", "get", "resource", "configmaps.v1")).isGreaterThan(100);
        assertThat(value("kubernetes.client.active", "verb", "get")).isZero();
        await(1, "kubernetes.client.active", "verb", "watch", "resource", "configmaps.v1");
    }

    @Test
    void countsWhatCameOfAControllersWork() throws InterruptedException {
        var failedOnce = new AtomicBoolean();
        var worked = new CountDownLatch(3);
        Controller<ObjectKey> controller = Controller.named("painter")
                .watches(notes, Route.self())
                .queue(queue -> queue.withObserver(metrics.queue("painter")))
                .reconcile(request -> Mono.defer(() -> failedOnce.getAndSet(true)
                        ? Mono.just(Result.done()) : Mono.error(new IllegalStateException("dry"))));
        metrics.operators().bind(controller);
        controller.results().subscribe(any -> worked.countDown());
        controller.start();
        write("a", 1);
        write("b", 1);
        informers.start();
        assertThat(worked.await(30, TimeUnit.SECONDS)).isTrue();
        controller.drain(PATIENCE).block(PATIENCE);
        await(1, "controller.reconciles", "controller", "painter", "outcome", "failed");
        await(2, "controller.reconciles", "controller", "painter", "outcome", "done");
        assertThat(value("controller.retries", "controller", "painter")).isEqualTo(1);
        assertThat(value("controller.queue.depth", "controller", "painter")).isZero();
        assertThat(value("controller.working", "controller", "painter")).isZero();
        assertThat(value("controller.queue.adds", "controller", "painter")).isEqualTo(3);
    }

    @Test
    void aBoundControllerIsMeteredOnceAndWithItsQueue() {
        Controller<ObjectKey> controller = Controller.named("painter").watches(notes, Route.self())
                .reconcile(request -> Mono.just(Result.done()));
        assertThat(metrics.operators().bind(controller).isDisposed()).isFalse();
        assertThat(metrics.operators().bind(controller).isDisposed()).as("bound already").isTrue();
        controller.start();
        write("a", 1);
        informers.start();
        await(1, "controller.reconciles", "controller", "painter", "outcome", "done");
        await(1, "controller.work", "controller", "painter");
        assertThat(value("controller.queue.adds", "controller", "painter")).isEqualTo(1);
        await(0, "controller.working", "controller", "painter");
        assertThat(value("controller.queue.depth", "controller", "painter")).isZero();
    }

    /** Its gauges would not know the keys that are in line. */
    @Test
    void theQueueOfAControllerThatHasBegunIsNotMetered() {
        Controller<ObjectKey> controller = Controller.named("painter").watches(notes, Route.self())
                .reconcile(request -> Mono.just(Result.done()));
        controller.warm();
        metrics.operators().bind(controller);
        assertThat(registry.find("controller.held").meters()).isNotEmpty();
        controller.run().subscribe();
        write("a", 1);
        informers.start();
        await(1, "controller.reconciles", "controller", "painter", "outcome", "done");
        assertThat(registry.find("controller.queue.adds").meters()).isEmpty();
    }

    @Test
    void aControllerIsMeteredAgainAfterARegistryThrew() {
        var thrown = new AtomicBoolean();
        throwAt("controller.reconciles"::equals, thrown);
        Controller<ObjectKey> controller = Controller.named("painter").watches(notes, Route.self())
                .reconcile(request -> Mono.just(Result.done()));
        metrics.operators().bind(controller);
        controller.start();
        write("a", 1);
        write("b", 1);
        informers.start();
        await(1, "controller.reconciles", "controller", "painter", "outcome", "done");
        assertThat(thrown).isTrue();
    }

    @Test
    void aCandidateIsMeteredAgainAfterACounterThrew() {
        var thrown = new AtomicBoolean();
        MeterRegistry breaking = new SimpleMeterRegistry() {
            @Override
            protected Counter newCounter(Meter.Id id) {
                Counter counter = super.newCounter(id);
                return new Counter() {
                    @Override
                    public void increment(double amount) {
                        if (!thrown.getAndSet(true)) {
                            throw new NoClassDefFoundError("planned");
                        }
                        counter.increment(amount);
                    }

                    @Override
                    public double count() {
                        return counter.count();
                    }

                    @Override
                    public Id getId() {
                        return id;
                    }
                };
            }
        };
        Consumer<Leadership> candidate = InformerMetrics.of(breaking).operators().leadership("painter");
        var trouble = new Leadership.Trouble(new TransportException("gone", null), 1, Duration.ofSeconds(1));
        candidate.accept(new Leadership.Following(null, trouble));
        assertThat(thrown).isTrue();
        candidate.accept(new Leadership.Following(null, trouble));
        assertThat(breaking.get("leader.troubles").tag("lease", "painter").counter().count()).isEqualTo(1);
    }
}
