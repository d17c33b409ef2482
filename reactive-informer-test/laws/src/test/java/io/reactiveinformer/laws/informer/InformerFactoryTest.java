package io.reactiveinformer.laws.informer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.informer.NotSyncedException;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Planted once, and caught: a transform that is not part of what is shared; a lease whose end counts twice; a grace time that goes on
 * from an earlier release; an informer that is stopped although somebody had it without a lease; a transform that throws and is not caught.
 */
class InformerFactoryTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final InformerSpec<V1ConfigMap> ALL = InformerSpec.of(CONFIG_MAPS);
    private static final ObjectKey A = ObjectKey.of("t", "a");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.create();
    private final InformerFactory informers = InformerFactory.create(
            KubernetesClient.over(server.transport()), ReflectorOptions.defaults().withTimer(time), GRACE);

    @AfterEach
    void close() {
        informers.close();
        server.close();
    }

    private void create(String name, String sky) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name
                + ", namespace: t}, data: {sky: " + sky + "}}");
    }

    private static State stateOf(Informer<?> informer) {
        return informer.status().map(InformerStatus::state).blockFirst(PATIENCE);
    }

    private static V1ConfigMap painted(V1ConfigMap object) {
        String sky = object.getData().get("sky");
        if (sky.equals("broken")) {
            throw new IllegalStateException("cannot paint");
        }
        return new V1ConfigMap().metadata(object.getMetadata()).data(Map.of("sky", "dark " + sky));
    }

    private static final UnaryOperator<V1ConfigMap> PAINTED = InformerFactoryTest::painted;

    /** As a constructor of Lombok's or Kotlin's without the names of its parameters. */
    static final class Hidden {
        public final String kind;

        @SuppressWarnings("UnusedMethod") // by reflection, if at all
        private Hidden(String kind) {
            this.kind = kind;
        }
    }

    @Test
    void refusesATypeWhoseObjectsCannotBeMade() {
        var widgets = ResourceType.of("example.com", "v1", "widgets", ResourceType.Scope.NAMESPACED, Hidden.class);
        assertThatThrownBy(() -> informers.of(widgets)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cannot make objects of " + Hidden.class.getName()).hasMessageContaining("-parameters");
        assertThatThrownBy(() -> informers.of(CONFIG_MAPS.as(Hidden.class))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Hidden.class.getName());
        assertThat(server.requests().all()).isEmpty();
    }

    @Test
    void sharesByTypeScopeSelectorProjectionAndTransform() {
        record Sky(Map<String, String> data) {}
        Informer<V1ConfigMap> all = informers.of(ALL);
        assertThat(informers.of(CONFIG_MAPS)).isSameAs(all);
        assertThat(informers.of(ALL.withOptions(options -> options.withPageSize(7)))).as("options do not count").isSameAs(all);
        assertThat(informers.of(ALL.withNamespaces(Namespaces.of("t")))).isNotSameAs(all);
        assertThat(informers.of(ALL.withSelector(Selector.labels("app=web")))).isNotSameAs(all);
        assertThat(informers.of(CONFIG_MAPS.as(Sky.class))).isSameAs(informers.of(CONFIG_MAPS.as(Sky.class))).isNotSameAs((Object) all);
        assertThat(informers.of(ALL.withTransform(PAINTED))).isSameAs(informers.of(ALL.withTransform(PAINTED))).isNotSameAs(all);
    }

    /**
     * Stream scenario 77, 8.4.76, 8.6.112, 8.7.120, 8.8.142; law 16: the last good value stays, and is named as stale, until the next state
     * can be made.
     */
    @Test
    void transformsBeforeTheCache() {
        create("a", "blue");
        create("bad", "broken");
        Informer<V1ConfigMap> painted = informers.of(ALL.withTransform(PAINTED));
        assertThat(painted.hasSynced()).isFalse();
        informers.start();
        painted.synced().block(PATIENCE);
        assertThat(painted.hasSynced()).isTrue();
        assertThat(painted.lister().get(A).orElseThrow().getData()).containsEntry("sky", "dark blue");
        InformerStatus status = painted.status().blockFirst(PATIENCE);
        assertThat(status.stale()).containsOnlyKeys(ObjectKey.of("t", "bad"));

        server.objects().update("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}, data: {sky: broken}}");
        painted.status().filter(now -> now.stale().containsKey(A)).blockFirst(PATIENCE);
        assertThat(painted.lister().get(A).orElseThrow().getData()).as("the last good one").containsEntry("sky", "dark blue");

        server.objects().update("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}, data: {sky: red}}");
        painted.await(A, object -> object.getData().get("sky").equals("dark red")).block(PATIENCE);
        painted.status().filter(now -> !now.stale().containsKey(A)).blockFirst(PATIENCE);
    }

    /** Of equal objects, each is changed for itself, and nobody else's is. */
    @Test
    void aTransformMayChangeWhatItIsGiven() {
        InformerSpec<V1Pod> pods = InformerSpec.of(ResourceType.of(V1Pod.class));
        Informer<V1Pod> asTheyAre = informers.of(pods);
        Informer<V1Pod> renamed = informers.of(pods.withTransform(pod -> {
            pod.getSpec().getContainers().forEach(container -> container.setName(container.getName() + "!"));
            return pod;
        }));
        informers.start();
        String pod = "{apiVersion: v1, kind: Pod, metadata: {name: web-%d, namespace: t, labels: {a: b%d}}, spec: {containers: [{name: "
                + "main, image: web}]}}";
        IntStream.range(0, 5).forEach(i -> server.objects().create(pod.formatted(i, 0)));
        IntStream.range(0, 20).forEach(i -> server.objects().update(pod.formatted(i % 5, i)));
        var last = server.objects().update(pod.formatted(0, 20));
        for (Informer<V1Pod> informer : List.of(asTheyAre, renamed)) {
            informer.atLeast(ObjectKey.of("t", "web-0"), last.at("/metadata/resourceVersion").stringValue()).block(PATIENCE);
            checkNames(informer, informer == renamed ? "main!" : "main");
        }

    }

    /** By a streaming list, which is a watch. */
    @Test
    void whatIsListedAgainIsNotTransformedAgain() {
        for (int i = 0; i < 3; i++) {
            create("m" + i, "blue");
        }
        var given = new AtomicInteger();
        var streamed = new AtomicInteger();
        var counting = new Transport() {
            @Override
            public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
                streamed.addAndGet(request.uri().contains("sendInitialEvents=true") ? 1 : 0);
                return server.transport().exchange(request, reader);
            }

            @Override
            public Mono<Void> dispose() {
                return Mono.empty();
            }
        };
        try (var others =
                InformerFactory.create(KubernetesClient.over(counting), ReflectorOptions.defaults().withStreaming(true).withTimer(time),
                GRACE)) {
            Informer<V1ConfigMap> counted = others.of(ALL.withTransform(object -> {
                given.incrementAndGet();
                return object;
            }));
            others.start();
            counted.synced().block(PATIENCE);
            server.restart();
            var later = server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: later, namespace: t}}");
            server.compact();
            Disposable going = Flux.interval(Duration.ofMillis(20)).subscribe(tick -> time.advanceTimeBy(Duration.ofSeconds(1)));
            counted.atLeast(ObjectKey.of("t", "later"), later.at("/metadata/resourceVersion").stringValue()).block(PATIENCE);
            going.dispose();
        }
        assertThat(streamed.get()).as("streaming lists").isGreaterThanOrEqualTo(2);
        assertThat(given).as("each of four objects once, and one again to show that the history is the same").hasValue(5);
    }

    private static void checkNames(Informer<V1Pod> informer, String name) {
        assertThat(informer.lister().list()).hasSizeGreaterThanOrEqualTo(5)
                .extracting(pod -> pod.getSpec().getContainers().get(0).getName()).containsOnly(name);
    }

    @Test
    void whatNobodyLeasesStopsAfterTheGrace() {
        informers.start();
        InformerFactory.Handle<V1ConfigMap> one = informers.lease(ALL);
        InformerFactory.Handle<V1ConfigMap> other = informers.lease(ALL);
        Informer<V1ConfigMap> informer = one.informer();
        assertThat(other.informer()).isSameAs(informer);

        one.dispose();
        one.dispose();
        time.advanceTimeBy(GRACE);
        assertThat(stateOf(informer)).as("leased once more").isNotEqualTo(State.STOPPED);

        other.dispose();
        time.advanceTimeBy(GRACE.minusMillis(1));
        assertThat(stateOf(informer)).as("in its grace time").isNotEqualTo(State.STOPPED);

        time.advanceTimeBy(Duration.ofMillis(1));
        informer.status().filter(now -> now.state() == State.STOPPED).blockFirst(PATIENCE);
        assertThat(informers.lease(ALL).informer()).as("another one").isNotSameAs(informer);
    }

    @Test
    void whatIsAskedForAgainInItsGraceTimeGoesOn() {
        informers.start();
        InformerFactory.Handle<V1ConfigMap> lease = informers.lease(ALL);
        lease.dispose();
        time.advanceTimeBy(GRACE.dividedBy(2));
        InformerFactory.Handle<V1ConfigMap> again = informers.lease(ALL);
        time.advanceTimeBy(GRACE);
        assertThat(again.informer()).isSameAs(lease.informer());
        assertThat(stateOf(again.informer())).isNotEqualTo(State.STOPPED);

        Informer<V1ConfigMap> kept = informers.of(ALL);
        again.dispose();
        time.advanceTimeBy(GRACE);
        assertThat(stateOf(kept)).as("had without a lease").isNotEqualTo(State.STOPPED);
    }

    @Test
    void theGraceTimeBeginsAnewWithEachRelease() {
        informers.start();
        InformerFactory.Handle<V1ConfigMap> lease = informers.lease(ALL);
        lease.dispose();
        time.advanceTimeBy(GRACE.dividedBy(2));
        informers.lease(ALL).dispose();
        time.advanceTimeBy(GRACE.dividedBy(2));
        assertThat(stateOf(lease.informer())).isNotEqualTo(State.STOPPED);
        time.advanceTimeBy(GRACE.dividedBy(2));
        lease.informer().status().filter(now -> now.state() == State.STOPPED).blockFirst(PATIENCE);
    }

    @Test
    void startsWhatIsMadeAfterItWasStarted() {
        create("a", "blue");
        informers.start();
        informers.of(ALL).synced().block(PATIENCE);
        assertThat(informers.of(ALL).lister().keys()).containsExactly(A);
    }

    /** Stream scenario 85. */
    @Test
    void namesWhoIsNotSynced() {
        informers.of(ALL).start();
        informers.of(ALL).synced().block(PATIENCE);
        informers.of(ALL.withNamespaces(Namespaces.of("t")));
        informers.of(ALL.withNamespaces(Namespaces.of("u")));
        var waiting = informers.synced(Duration.ofSeconds(5)).toFuture();
        time.advanceTimeBy(Duration.ofSeconds(5));
        assertThatThrownBy(waiting::get).cause().isInstanceOf(NotSyncedException.class)
                .hasMessageContainingAll("namespace t: not synced after 5s", "namespace u: not synced after 5s")
                .hasMessageNotContaining("all namespaces");
    }

    private static void elsewhere(Runnable work) {
        Mono.fromRunnable(work).subscribeOn(Schedulers.boundedElastic()).block(PATIENCE);
    }

    /** Nobody holds a lock while they are called. */
    @Test
    void whatAUserBringsMayWaitForAnotherThreadThatUsesTheFactory() {
        informers.start();
        informers.of(ALL.withOptions(options -> {
            elsewhere(() -> informers.of(ALL.withNamespaces(Namespaces.of("t"))));
            return options;
        }));

        Delivery atOnce = Delivery.conflated().on(Schedulers.immediate());
        InformerFactory.Handle<V1ConfigMap> lease = informers.lease(ALL.withNamespaces(Namespaces.of("u")));
        Informer<V1ConfigMap> kept = informers.of(ALL.withNamespaces(Namespaces.of("v")));
        List<Mono<Void>> ends = Stream.of(lease.informer(), kept).map(informer -> {
            informer.synced().block(PATIENCE);
            Mono<Void> end = informer.changes(atOnce).doOnComplete(() -> {
                if (!Schedulers.isInNonBlockingThread()) { // of the server's, which was amid a change and took this along
                    elsewhere(() -> informers.synced().subscribe());
                }
            }).then().cache();
            end.subscribe();
            return end;
        }).toList();
        lease.dispose();
        time.advanceTimeBy(GRACE);
        ends.get(0).block(PATIENCE);
        informers.close();
        ends.get(1).block(PATIENCE);
    }

    /** One who asks while another one's is being made gets the same. */
    @Test
    void namesThoseThatGoOnInTheOrderInWhichTheyWereMade() {
        Informer<V1ConfigMap> first = informers.of(ALL);
        Informer<V1ConfigMap> second = informers.of(ALL.withNamespaces(Namespaces.of("u")));
        assertThat(informers.informers()).isEqualTo(List.of(first, second));
        first.stop();
        first.status().filter(now -> now.state() == State.STOPPED).blockFirst(PATIENCE);
        assertThat(informers.informers()).isEqualTo(List.of(second));
    }

    /** Else nobody who looks at all of them would see that one has failed. */
    @Test
    void namesWhoHasGivenUpUntilItIsAskedForAgain() {
        server.faults().onAny().always().status(403, "Forbidden", "no");
        InformerSpec<V1ConfigMap> impatient = ALL.withOptions(options -> options.withGiveUpWhen(disrupted -> true));
        Informer<V1ConfigMap> failed = informers.of(impatient);
        failed.start();
        failed.status().filter(now -> now.state() == State.STOPPED).blockFirst(PATIENCE);
        assertThat(informers.informers()).isEqualTo(List.of(failed));
        assertThat(informers.of(impatient)).isNotSameAs(failed);
        assertThat(informers.informers()).doesNotContain(failed).hasSize(1);
    }

    @Test
    void whoAsksMeanwhileGetsTheSame() {
        List<Informer<V1ConfigMap>> meanwhile = new CopyOnWriteArrayList<>();
        Informer<V1ConfigMap> informer = informers.of(ALL.withOptions(options -> {
            elsewhere(() -> meanwhile.add(informers.of(ALL)));
            return options;
        }));
        assertThat(meanwhile).containsExactly(informer);
        assertThat(informers.of(ALL)).isSameAs(informer);
    }

    private record FirstImage(@FieldPath("spec.containers[0].image") String image) {}

    private record Container(@FieldPath("image") String image, @FieldPath("") String nothing) {}

    private record Containers(@FieldPath("spec.containers") List<Container> containers) {}

    @Test
    void aProjectionThatCannotBeReadIsRefusedAtOnce() {
        assertThatThrownBy(() -> informers.of(ResourceType.of(V1Pod.class).as(FirstImage.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a path must be like spec.nodeName or metadata.labels['app'], was \"spec.containers[0].image\"");
        assertThatThrownBy(() -> informers.of(ResourceType.of(V1Pod.class).as(Containers.class)))
                .hasMessageContaining("was \"\" in " + Container.class.getName());
    }
}
