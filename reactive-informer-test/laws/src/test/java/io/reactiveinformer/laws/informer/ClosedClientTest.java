package io.reactiveinformer.laws.informer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerStatus;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import io.reactiveinformer.recorder.ObjectReference;
import io.reactiveinformer.recorder.RecorderOptions;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ClientClosedException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.TransportOptions;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** What depends on a client ends with it, in order, and says why. */
class ClosedClientTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final ObjectKey LEASE = ObjectKey.of("default", "lock");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time)
            .with("{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: default},"
                    + " spec: {containers: [{name: c, image: i}]}}").build();
    private final KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults()
            .withWriteLimit(0, 1).withListsAtOnce(0).withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), time)));
    private final InformerFactory informers = InformerFactory.create(client, ReflectorOptions.defaults().withTimer(time));
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        root().setLevel(Level.INFO);
        root().addAppender(log);
    }

    @AfterEach
    void close() {
        root().detachAppender(log);
        root().setLevel(null);
        informers.close();
        server.close();
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger("io.reactiveinformer");
    }

    private void pass(Duration some) {
        time.advanceTimeBy(some);
    }

    private List<String> warnings() {
        return log.list.stream().filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static InformerStatus status(Informer<?> informer) {
        return informer.status().blockFirst(Duration.ofSeconds(10));
    }

    private static void hasEndedWithItsClient(Informer<?> informer) {
        InformerStatus status = status(informer);
        assertThat(status.state()).isEqualTo(State.STOPPED);
        assertThat(status.cause()).isInstanceOf(ClientClosedException.class).hasMessage("the client was closed");
    }

    @Test
    void anInformerStopsSaysWhyAndAsksNoMore() {
        Informer<V1Pod> pods = informers.of(PODS);
        List<String> received = new ArrayList<>();
        pods.changes(Delivery.conflated().on(time))
                .subscribe(change -> received.add("change"), failure -> received.add("failed"), () -> received.add("end"));
        pods.start();
        pass(Duration.ofSeconds(1));
        server.objects().delete(PODS, ObjectKey.of("default", "a"));
        pass(Duration.ofSeconds(1));
        int requests = server.requests().all().size();

        client.close();
        hasEndedWithItsClient(pods);
        pass(Duration.ofHours(1));
        assertThat(received).containsExactly("change", "change", "change", "end"); // a, Synced, a's deletion
        assertThat(server.requests().all()).hasSize(requests);
        assertThat(warnings()).isEmpty();
    }

    @Test
    void anInformerThatPausesStopsAtOnce() {
        Informer<V1Pod> pods = informers.of(PODS);
        server.faults().onAny().always().refuse();
        pods.start();
        pass(Duration.ofMinutes(2));
        assertThat(status(pods).state()).isEqualTo(State.DISRUPTED);

        client.close();
        hasEndedWithItsClient(pods);
    }

    @Test
    void anInformerThatStartsTooLateSaysSo() {
        client.close();
        Informer<V1Pod> pods = informers.of(PODS);
        pods.start();
        pass(Duration.ofSeconds(1));
        hasEndedWithItsClient(pods);
        assertThat(server.requests().all()).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    /** No factory knows of it: it finds out by its request. */
    @Test
    void anInformerOfItsOwnStopsToo() {
        Informer<V1Pod> pods = Informer.over(ListerWatcher.over(client, PODS, Namespaces.all()),
                ReflectorOptions.defaults().withTimer(time));
        pods.start();
        pass(Duration.ofSeconds(1));
        client.close();
        pass(Duration.ofMinutes(5));
        hasEndedWithItsClient(pods);
        assertThat(warnings()).isEmpty();
    }

    @Test
    void aControllerSaysThatItsInformerHasStopped() {
        Informer<V1Pod> pods = informers.of(PODS);
        Controller<ObjectKey> controller = Controller.named("pods").watches(pods, Route.self()).delivery(Delivery.conflated().on(time))
                .queue(queue -> queue.withTimer(time).withWorkers(time)).reconcile(request -> Mono.just(Result.done()));
        controller.run().subscribe();
        pods.start();
        pass(Duration.ofSeconds(1));
        client.close();
        pass(Duration.ofSeconds(1));
        ControllerStatus status = controller.status().blockFirst(Duration.ofSeconds(10));
        assertThat(status.healthy()).isFalse();
        assertThat(status.views()).singleElement().satisfies(view -> assertThat(view.ended()).isTrue());
        assertThat(warnings()).as("the program itself has closed the client").isEmpty();
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.startsWith("pods: pods.v1 in all namespaces was stopped;"));
    }

    @Test
    void whatIsLoggedSaysWhatItIs() {
        Informer<V1Pod> pods = informers.of(PODS);
        pods.start();
        pass(Duration.ofSeconds(1));
        assertThat(pods).hasToString("Informer[pods.v1 in all namespaces, LIVE, 1 objects]");
        assertThat(informers.toString()).startsWith("InformerFactory[KubernetesClient[").endsWith(", 1 informers]");
        assertThat(elector()).hasToString("LeaderElector[default/lock, me]");
        assertThat(EventRecorder.of(client, RecorderOptions.of("example.com/me").withTimer(time).withWorkers(time)))
                .hasToString("EventRecorder[example.com/me, 0 written, 0 dropped]");
        assertThat(Controller.named("pods").watches(pods, Route.self()).reconcile(request -> Mono.just(Result.done())))
                .hasToString("Controller[pods, IDLE]");
        assertThat(WorkQueue.<String>create()).hasToString("WorkQueue[0 keys wait]");
    }

    /** The failure of a connection does not say what was asked for. */
    @Test
    void aWarningNamesTheInformer() {
        server.faults().onAny().always().refuse();
        informers.of(PODS).start();
        pass(Duration.ofMinutes(1));
        assertThat(warnings()).singleElement().asString().startsWith("pods.v1 in all namespaces: ");
    }

    private LeaderElector elector() {
        return LeaderElector.of(client, LEASE, ElectionOptions.defaults().withIdentity("me").withTimer(time).withWorkers(time));
    }

    @Test
    void anElectorGivesItsLeaseBackWhileItCan() {
        LeaderElector elector = elector();
        List<String> work = new ArrayList<>();
        elector.whileLeading(term -> Flux.never().doOnSubscribe(begin -> work.add("begun")).doOnCancel(() -> work.add("cancelled")))
                .subscribe(any -> { }, failure -> work.add("failed"), () -> work.add("end"));
        pass(Duration.ofSeconds(1));
        client.close();
        pass(Duration.ofSeconds(1));
        assertThat(work).containsExactly("begun", "cancelled", "end");
        assertThat(server.objects().get(ResourceType.of(V1Lease.class), LEASE).orElseThrow().at("/spec/holderIdentity").asString(""))
                .isEmpty();
        int requests = server.requests().all().size();
        pass(Duration.ofHours(1));
        assertThat(server.requests().all()).hasSize(requests);
        assertThat(warnings()).isEmpty();
    }

    @Test
    void anElectorThatBeginsTooLateFails() {
        client.close();
        List<Throwable> ends = new ArrayList<>();
        List<Leadership> states = new ArrayList<>();
        elector().leadership().subscribe(states::add, ends::add);
        pass(Duration.ofMinutes(5));
        assertThat(ends).singleElement().isInstanceOf(ClientClosedException.class);
        assertThat(warnings()).isEmpty();
    }

    @Test
    void aRecorderWritesWhatItHas() {
        EventRecorder events = EventRecorder.of(client, RecorderOptions.of("example.com/me").withTimer(time).withWorkers(time));
        events.record(Occurrence.normal(new ObjectReference("v1", "Pod", "default", "a", "u1", null, null), "Up", "Mirror", "it is up"));
        client.close();
        pass(Duration.ofSeconds(1));
        assertThat(server.requests().all()).singleElement().satisfies(request -> assertThat(request.verb()).isEqualTo(Verb.CREATE));
        assertThat(warnings()).isEmpty();
    }

    @Test
    void theLastThatCameEndsFirstAndAFailureKeepsNobodyFromEnding() {
        List<String> ends = new ArrayList<>();
        client.beforeClose(Mono.fromRunnable(() -> ends.add("first")));
        client.beforeClose(Mono.error(new IllegalStateException("a defect")));
        client.beforeClose(Mono.fromRunnable(() -> ends.add("taken back"))).dispose();
        client.beforeClose(Mono.fromRunnable(() -> ends.add("last")));
        client.close();
        client.close();
        assertThat(ends).containsExactly("last", "first");
        assertThat(warnings()).singleElement().asString().contains("a defect");
    }

    @Test
    void whatDoesNotEndIsNotWaitedForForLong() {
        client.beforeClose(Mono.never());
        List<String> disposed = new ArrayList<>();
        client.dispose().subscribe(nothing -> { }, failure -> { }, () -> disposed.add("disposed"));
        pass(Duration.ofMillis(4999));
        assertThat(disposed).isEmpty();
        pass(Duration.ofMillis(1));
        assertThat(disposed).containsExactly("disposed");
    }
}
