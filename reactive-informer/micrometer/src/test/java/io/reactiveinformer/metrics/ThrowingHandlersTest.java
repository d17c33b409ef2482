package io.reactiveinformer.metrics;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Requests, reconciles and informers do their work, whatever a handler of observations throws. */
@Timeout(60)
class ThrowingHandlersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ResourceType<V1ConfigMap> NOTES = ResourceType.of(V1ConfigMap.class);
    private static final ObjectKey A = ObjectKey.of("t", "a");

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final InformerObservations observations = InformerObservations.of(registry);
    private final FakeApiServer server = FakeApiServer.create();
    private final KubernetesClient client =
            KubernetesClient.over(server.transport(), ClientOptions.defaults().withObserver(observations.requests()));
    private final InformerFactory informers = InformerFactory.create(client);
    private final ResourceClient<V1ConfigMap> notes = client.resources(NOTES);

    private enum Hook { SUPPORTS, START, ERROR, STOP, SCOPE_OPENED, SCOPE_CLOSED }

    private static Stream<Arguments> table() {
        List<Supplier<Throwable>> thrown = List.of(
                () -> new IllegalStateException("planned"),
                () -> new OutOfMemoryError("planned"),
                () -> new StackOverflowError("planned"),
                () -> new NoClassDefFoundError("planned"),
                ThreadDeath::new);
        return Stream.of(Hook.values())
                .flatMap(hook -> thrown.stream().map(one -> Arguments.of(hook, one.get().getClass().getSimpleName(), one)));
    }

    /** Throws at one hook, and records the other calls. */
    private static final class Throwing implements ObservationHandler<Observation.Context> {

        private final Hook at;
        private final Supplier<Throwable> thrown;
        private final Queue<Hook> called = new ConcurrentLinkedQueue<>();

        Throwing(Hook at, Supplier<Throwable> thrown) {
            this.at = at;
            this.thrown = thrown;
        }

        private void call(Hook hook) {
            called.add(hook);
            if (hook == at) {
                Throwing.<RuntimeException>sneak(thrown.get());
            }
        }

        @SuppressWarnings("unchecked")
        private static <X extends Throwable> void sneak(Throwable thrown) throws X {
            throw (X) thrown;
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            call(Hook.SUPPORTS);
            return true;
        }

        @Override
        public void onStart(Observation.Context context) {
            call(Hook.START);
        }

        @Override
        public void onError(Observation.Context context) {
            call(Hook.ERROR);
        }

        @Override
        public void onStop(Observation.Context context) {
            call(Hook.STOP);
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            call(Hook.SCOPE_OPENED);
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            call(Hook.SCOPE_CLOSED);
        }
    }

    private Throwing handler(Hook at, Supplier<Throwable> thrown) {
        var handler = new Throwing(at, thrown);
        registry.observationConfig().observationHandler(handler);
        return handler;
    }

    @AfterEach
    void end() {
        informers.close();
        client.close();
        server.close();
    }

    private void create(String name) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}}");
    }

    @ParameterizedTest(name = "{0} throws {1}")
    @MethodSource("table")
    void anObservedControllerConverges(Hook hook, String name, Supplier<Throwable> thrown) {
        Throwing handler = handler(hook, thrown);
        create("a");
        Informer<V1ConfigMap> informer = informers.of(NOTES);
        Controller<ObjectKey> controller = Controller.named("notes").watches(informer, Route.self())
                .reconcile(observations.operators().reconciler(request ->
                request.retries() == 0 ? Mono.error(new IllegalStateException("dry"))
                        : notes.get(request.key()).thenReturn(Result.done())));
        Mono<List<Reconciled<ObjectKey>>> both = controller.results().take(2).collectList().cache();
        both.subscribe();
        controller.start();
        informers.start();
        assertThat(both.block(PATIENCE)).extracting(Reconciled::result).satisfiesExactly(
                first -> assertThat(first).isInstanceOfSatisfying(Result.Failed.class, why -> assertThat(why.cause()).hasMessage("dry")),
                next -> assertThat(next).isEqualTo(Result.done()));
        create("b");
        informer.await(ObjectKey.of("t", "b"), any -> true).block(PATIENCE);
        controller.drain(PATIENCE).block(PATIENCE);
        if (hook.compareTo(Hook.SCOPE_OPENED) < 0) {
            assertThat(handler.called).contains(hook);
        }
        if (hook == Hook.START || hook == Hook.ERROR) {
            assertThat(handler.called).as("is stopped all the same").contains(Hook.STOP);
        }
    }

    @ParameterizedTest(name = "{0} throws {1}")
    @MethodSource("table")
    void anObservedRequestEndsAsTheServerSays(Hook hook, String name, Supplier<Throwable> thrown) {
        Throwing handler = handler(hook, thrown);
        assertThatThrownBy(() -> notes.get(A).block(PATIENCE)).isInstanceOf(NotFoundException.class);
        create("a");
        assertThat(notes.get(A).block(PATIENCE)).isNotNull();
        server.faults().onAny().always().stall();
        Disposable asking = notes.get(A).subscribe();
        server.requests().await(request -> server.requests().all().size() == 3, PATIENCE).block(PATIENCE);
        asking.dispose();
        if (hook == Hook.START || hook == Hook.ERROR) {
            assertThat(handler.called).as("each is stopped all the same").filteredOn(Hook.STOP::equals).hasSize(3);
        }
    }

    @ParameterizedTest(name = "{0} throws {1}")
    @MethodSource("table")
    void aCancelledReconcileIsFollowedByTheNext(Hook hook, String name, Supplier<Throwable> thrown) {
        handler(hook, thrown);
        create("a");
        Controller<ObjectKey> controller = Controller.named("notes").watches(informers.of(NOTES), Route.self())
                .timeout(Duration.ofMillis(50))
                .reconcile(observations.operators().reconciler(request -> request.retries() == 0 ? Mono.never() : Mono.empty()));
        Mono<List<Reconciled<ObjectKey>>> all = controller.results() // 50 ms may be too short for the next, too
                .takeUntil(reconciled -> reconciled.result().equals(Result.done())).collectList().cache();
        all.subscribe();
        controller.start();
        informers.start();
        assertThat(all.block(PATIENCE)).hasSizeGreaterThan(1).extracting(Reconciled::result).last().isEqualTo(Result.done());
        controller.drain(PATIENCE).block(PATIENCE);
    }
}
