package io.reactiveinformer.laws.informer;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.informer.InformerStoppedException;
import io.reactiveinformer.informer.NotSyncedException;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.ScriptedListerWatcher;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refusal;
import static io.reactiveinformer.test.Script.refused;
import static org.assertj.core.api.Assertions.assertThat;

/** A caller that waits for something is notified when it will not come any more, or cannot. */
class InformerEndTest {

    private static final ObjectKey A = ObjectKey.clusterScoped("a");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final ReflectorOptions options = ReflectorOptions.defaults().withStreaming(false).withTimer(time);

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    private Informer<String> live() {
        Informer<String> informer = Informer.over(new ScriptedListerWatcher<String>().onList("10", "a").onWatch("10", never()), options);
        informer.start();
        time.advanceTimeBy(Duration.ZERO);
        return informer;
    }

    private static List<String> end(Mono<?> mono) {
        List<String> end = new ArrayList<>();
        mono.subscribe(value -> end.add("value"),
                failure -> end.add(failure.getClass().getSimpleName() + ": " + failure.getMessage()), () -> end.add("complete"));
        return end;
    }

    private void stop(Informer<?> informer) {
        informer.stop();
        time.advanceTimeBy(Duration.ZERO);
    }

    @Test
    void aCallerThatWaitsLearnsThatItWasStopped() {
        Informer<String> informer = live();
        List<String> state = end(informer.await(A, "a:ready"::equals));
        List<String> absence = end(informer.awaitAbsent(A));
        List<String> version = end(informer.atLeast(A, "12"));
        stop(informer);

        String stopped = InformerStoppedException.class.getSimpleName() + ": scripted objects in all namespaces: stopped before ";
        assertThat(state).containsExactly(stopped + "a met the condition");
        assertThat(absence).containsExactly(stopped + "a was absent");
        assertThat(version).containsExactly(stopped + "a reached version 12");
    }

    @Test
    void whatIsSoAlreadyIsEmittedAfterTheEndToo() {
        Informer<String> informer = live();
        stop(informer);
        List<String> state = end(informer.await(A, "a"::equals));
        List<String> absence = end(informer.awaitAbsent(ObjectKey.clusterScoped("b")));
        List<String> version = end(informer.atLeast(A, "10"));
        time.advanceTimeBy(Duration.ZERO);

        assertThat(state).containsExactly("value", "complete");
        assertThat(absence).containsExactly("complete");
        assertThat(version).containsExactly("value", "complete");
    }

    @Test
    void aCallerThatWaitsLearnsWhyItGaveUp() {
        Informer<String> informer = Informer.over(
                new ScriptedListerWatcher<String>().onList(refused(refusal(403, "Forbidden", "no rights"))),
                options.withGiveUpWhen(any -> true));
        List<String> absence = end(informer.awaitAbsent(A));
        informer.start();
        time.advanceTimeBy(Duration.ZERO);

        assertThat(absence).singleElement().asString().startsWith(ForbiddenException.class.getSimpleName()).contains("no rights");
    }

    @Test
    void theFailureThatEndsItIsCounted() {
        List<Integer> asked = new ArrayList<>();
        Informer<String> informer = Informer.over(
                new ScriptedListerWatcher<String>().onList(refused(refusal(403, "Forbidden", "no rights"))),
                options.withGiveUpWhen(disruption -> {
                    asked.add(disruption.attempt());
                    return true;
                }));
        List<InformerStatus> seen = new ArrayList<>();
        informer.status().subscribe(seen::add);
        informer.start();
        time.advanceTimeBy(Duration.ZERO);

        assertThat(asked).containsExactly(1);
        assertThat(seen).last().satisfies(end -> {
            assertThat(end.state()).isEqualTo(InformerStatus.State.STOPPED);
            assertThat(end.attempt()).isEqualTo(1);
        });
    }

    @Test
    void whoReceivesSyncedFindsItSynced() {
        Informer<String> informer = Informer.over(
                new ScriptedListerWatcher<String>().onList("10", "a").onWatch("10", never()), options);
        List<Boolean> found = new ArrayList<>();
        informer.changes(Delivery.conflated().on(Schedulers.immediate())).filter(change -> change instanceof Change.Synced)
                .subscribe(synced -> found.add(informer.hasSynced()));
        assertThat(informer.hasSynced()).isFalse();
        informer.start();
        time.advanceTimeBy(Duration.ZERO);

        assertThat(found).containsExactly(true);
    }

    @Test
    void aHandlerThatWillNeverBeSyncedIsNotifiedOfThat() {
        Informer<String> informer = Informer.over(new ScriptedListerWatcher<String>().onList(Flux.never()), options);
        ResourceEventHandler.Registration stopped = informer.addEventHandler(new ResourceEventHandler<>() {});
        ResourceEventHandler.Registration disposed = informer.addEventHandler(new ResourceEventHandler<>() {});
        List<String> end = end(stopped.synced());
        List<String> other = end(disposed.synced());
        informer.start();
        disposed.dispose();
        stop(informer);

        assertThat(end).singleElement().asString().startsWith(NotSyncedException.class.getSimpleName()).contains("STOPPED");
        assertThat(other).singleElement().asString().startsWith(CancellationException.class.getSimpleName());
    }

    @Test
    void aHandlerThatWasSyncedStaysSo() {
        Informer<String> informer = live();
        ResourceEventHandler.Registration registration = informer.addEventHandler(new ResourceEventHandler<>() {});
        time.advanceTimeBy(Duration.ZERO);
        registration.dispose();
        stop(informer);

        assertThat(end(registration.synced())).containsExactly("complete");
    }

    @Test
    void aKeyOutsideOfTheScopeIsRefused() {
        Informer<String> informer =
                Informer.over(new ScriptedListerWatcher<String>(Namespaces.of("prod")).onList(Flux.never()), options);

        String refused = "IllegalArgumentException: %s cannot appear in scripted objects in namespace prod, which watches namespace prod";
        for (ObjectKey key : List.of(A, ObjectKey.of("other", "a"))) {
            assertThat(end(informer.atLeast(key, "1"))).containsExactly(refused.formatted(key));
            assertThat(end(informer.await(key, any -> true))).containsExactly(refused.formatted(key));
            assertThat(end(informer.awaitAbsent(key))).containsExactly(refused.formatted(key));
        }
    }

    /** No try would do better; a label selector of bad syntax is refused before it is sent, for the same reason. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            spec.color=blue | field label not supported: spec.color
            spec.nodeName   | can't understand 'spec.nodeName'
            """)
    void aFieldSelectorThatNoServerTakesEndsTheInformerWithTheReason(String fields, String reason) {
        try (var server = FakeApiServer.create();
                var informers = InformerFactory.create(KubernetesClient.over(server.transport()), options)) {
            Informer<V1Pod> pods = informers.of(InformerSpec.of(ResourceType.of(V1Pod.class)).withSelector(Selector.fields(fields)));
            informers.start();
            time.advanceTimeBy(Duration.ofSeconds(1));
            assertThat(pods.status().blockFirst().state()).isEqualTo(State.DISRUPTED);
            time.advanceTimeBy(Duration.ofSeconds(10));
            InformerStatus end = pods.status().blockFirst();
            assertThat(end.state()).isEqualTo(State.STOPPED);
            assertThat(end.cause()).isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("cannot list pods.v1").hasMessageContaining(reason);
            assertThat(end(pods.synced())).singleElement().asString().contains(reason);
        }
    }
}
