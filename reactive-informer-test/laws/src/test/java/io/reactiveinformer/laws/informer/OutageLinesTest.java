package io.reactiveinformer.laws.informer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.recorder.RecorderOptions;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.atIndex;

/** The log of outages, as an engineer reads it at night: what happened, since when, until when. */
@Timeout(60)
class OutageLinesTest {

    private static final ResourceType<V1ConfigMap> NOTES = ResourceType.of(V1ConfigMap.class);

    private static final String SILENT = "WARN NOTES: the server was silent for 15 s; the connection is not trusted any more";
    private static final String NO_JSON = "WARN NOTES: expected a list of configmaps.v1, but something else than JSON came";

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers =
            InformerFactory.create(client, ReflectorOptions.defaults().withTimer(time).withRandom(() -> 0.5));
    private final Logger log = (Logger) LoggerFactory.getLogger("io.reactiveinformer");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void readTheLog() {
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        log.setLevel(Level.INFO);
        log.addAppender(lines);
    }

    @AfterEach
    void close() {
        log.detachAppender(lines);
        log.setLevel(null);
        informers.close();
        client.close();
        server.close();
        time.dispose();
    }

    private List<String> logged() {
        List<String> all = lines.list.stream().map(line -> line.getLevel() + " " + line.getFormattedMessage()).toList();
        lines.list.clear();
        return all;
    }

    /** An outage of twelve minutes, from a restart of the server on, and its lines; how long tries take, and their pauses, is left out. */
    private List<String> outage(Supplier<Fault> cause) {
        Fault fault = cause.get();
        server.restartKeeping(1000);
        time.advanceTimeBy(Duration.ofMinutes(12));
        fault.disarm();
        time.advanceTimeBy(Duration.ofHours(3));
        return logged().stream().map(line -> line
                .replaceAll("GET [^:]*", "GET …")
                .replaceAll("after \\d[^,]*,", "after …,")
                .replaceAll("out since 1970-01-01T(\\S+) \\(\\d+ (h|min|s|ms)[^)]*\\), \\d+ tries", "since $1 (…)")
                .replace("configmaps.v1 in all namespaces", "NOTES")
                .replaceAll("\\d+ outages", "… outages")
                .replaceAll("; (resuming|listing again) .*", "; $1 …")).toList();
    }

    private Fault always(int code, String reason) {
        return server.faults().onAny().always().status(code, reason, "on command");
    }

    @Test
    void aDayWithSixKindsOfOutage() {
        for (String name : List.of("a", "b", "c")) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: prod}}");
        }
        Informer<V1ConfigMap> notes = informers.of(NOTES);
        informers.start();
        time.advanceTimeBy(Duration.ofHours(1));
        assertThat(logged()).containsExactly(
                "INFO configmaps.v1 in all namespaces: live with 3 objects of a server in memory after 0 ms");

        assertThat(outage(() -> always(401, "Unauthorized"))).containsExactly(
                "WARN NOTES: GET …: the connection broke before the answer was complete; resuming …",
                "WARN 401 Unauthorized: cannot list NOTES: on command; since 01:00:00Z (…); resuming …",
                "WARN 401 Unauthorized: cannot list NOTES: on command; since 01:00:00Z (…); resuming …",
                "WARN 401 Unauthorized: cannot list NOTES: on command; since 01:00:00Z (…); resuming …",
                "INFO NOTES: live again after …, by resuming from version 108");
        assertThat(outage(() -> always(403, "Forbidden"))).containsExactly(
                "WARN NOTES: GET …: the connection broke before the answer was complete; listing again …",
                "WARN 403 Forbidden: cannot list NOTES: on command; since 04:12:00Z (…); listing again …",
                "WARN 403 Forbidden: cannot list NOTES: on command; since 04:12:00Z (…); listing again …",
                "WARN 403 Forbidden: cannot list NOTES: on command; since 04:12:00Z (…); listing again …",
                "INFO NOTES: live again after …, by a list of 3 objects");
        assertThat(outage(() -> server.faults().onAny().always().refuse())).containsExactly(
                "WARN NOTES: GET …: the connection broke before the answer was complete; resuming …",
                "WARN NOTES: GET …: the connection broke before the answer was complete; since 07:24:00Z (…); resuming …",
                "WARN NOTES: GET …: the connection broke before the answer was complete; since 07:24:00Z (…); resuming …",
                "INFO NOTES: live again after …, by resuming from version 108");
        assertThat(outage(() -> server.faults().onWatch("configmaps").always().expire())).containsExactly(
                "WARN NOTES: GET …: the connection broke before the answer was complete; listing again …",
                "INFO NOTES: live again after …, by a list of 3 objects",
                "WARN 410 Expired: cannot watch NOTES: too old resource version: 1 (2); listing again …",
                "INFO NOTES: live again after …, by a list of 3 objects",
                "WARN 410 Expired: cannot watch NOTES: too old resource version: 1 (2); listing again …",
                "INFO NOTES: live again after …, by a list of 3 objects",
                "WARN 410 Expired: cannot watch NOTES: too old resource version: 1 (2); … outages shortly before; listing again …",
                "INFO NOTES: live again after …, by a list of 3 objects",
                "WARN 410 Expired: cannot watch NOTES: too old resource version: 1 (2); … outages shortly before; listing again …",
                "INFO NOTES: live again after …, by a list of 3 objects");
        assertThat(outage(() -> server.faults().onAny().always().garble())).containsExactly(
                "WARN NOTES: GET …: the connection broke before the answer was complete; resuming …",
                "WARN protocol buffers were refused or not understood; JSON is requested instead for 1 min: "
                        + "expected a list of configmaps.v1, but something else than protocol buffers came",
                "WARN NOTES: expected a list of configmaps.v1, but something else than protocol buffers came; "
                        + "since 13:48:00Z (…); resuming …",
                NO_JSON + "; since 13:48:00Z (…); listing again …",
                NO_JSON + "; since 13:48:00Z (…); listing again …",
                NO_JSON + "; since 13:48:00Z (…); listing again …",
                "INFO NOTES: live again after …, by a list of 3 objects");
        assertThat(outage(() -> server.faults().onAny().always().stall())).containsExactly(
                "WARN NOTES: GET …: the connection broke before the answer was complete; resuming …",
                SILENT + "; since 17:00:00Z (…); resuming …",
                SILENT + "; since 17:00:00Z (…); resuming …",
                SILENT + "; since 17:00:00Z (…); resuming …",
                "INFO NOTES: live again after …, by resuming from version 108");
        assertThat(notes.status().blockFirst()).extracting(InformerStatus::state).isEqualTo(State.LIVE);
    }

    /** Two informers of one type cannot be confused. */
    @Test
    void aLineNamesTheInformerAsHealthAndMetersDo() {
        Informer<V1ConfigMap> some =
                informers.of(InformerSpec.of(NOTES).withNamespaces(Namespaces.of("prod")).withSelector(Selector.labels("app=web")));
        always(401, "Unauthorized");
        informers.start();
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(some.description()).isEqualTo("configmaps.v1 in namespace prod, labels \"app=web\"");
        assertThat(logged()).singleElement().asString().startsWith("WARN " + some.description() + ": 401 Unauthorized: ");
    }

    private List<String> linesOfAnHour(Fault fault) {
        time.advanceTimeBy(Duration.ofHours(1));
        fault.disarm();
        time.advanceTimeBy(Duration.ofMinutes(5));
        return logged();
    }

    @Test
    void anElection() {
        LeaderElector.of(client, ObjectKey.of("default", "lock"), ElectionOptions.defaults().withIdentity("me").withTimer(time)
                .withWorkers(time).withRandom(() -> 0.5)).leadership().subscribe();
        time.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(logged()).containsExactly("INFO lease default/lock: me leads, as term 0");

        List<String> seen = linesOfAnHour(always(403, "Forbidden"));
        assertThat(seen).hasSizeBetween(13, 16)
                .satisfies(line -> assertThat(line).startsWith("WARN lease default/lock: 403 Forbidden: cannot ")
                        .contains("; trying again in "), atIndex(0))
                .satisfies(line -> assertThat(line).contains("does not lead any more: it was not renewed in time"), atIndex(1))
                .satisfies(line -> assertThat(line).startsWith("WARN lease default/lock: 403 ").contains("; out since 1970-", " tries; "),
                        atIndex(2));
        assertThat(seen.subList(2, seen.size() - 2)).allMatch(line -> line.startsWith("WARN lease default/lock: 403 "));
        assertThat(seen.subList(seen.size() - 2, seen.size()))
                .satisfies(line -> assertThat(line).isEqualTo("INFO lease default/lock: me leads, as term 1"), atIndex(0))
                .satisfies(line -> assertThat(line).startsWith("INFO lease default/lock: read or written again after "), atIndex(1));
    }

    @Test
    void aRecorder() {
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: prod}}");
        var events = EventRecorder.of(client, RecorderOptions.of("example.com/mirror").withTimer(time).withWorkers(time));
        Fault fault = server.faults().onAny().always().refuse();
        events.normal(new V1Pod().metadata(new V1ObjectMeta().namespace("prod").name("web").uid("u")), "Mirrored", "Mirror", "done");
        time.advanceTimeBy(Duration.ofSeconds(50));
        fault.disarm();
        time.advanceTimeBy(Duration.ofMinutes(2));
        assertThat(logged()).hasSize(2)
                .satisfies(line -> assertThat(line).startsWith("WARN events of example.com/mirror: ").contains("; writing again in 10 s"),
                        atIndex(0))
                .satisfies(line -> assertThat(line).startsWith("INFO events of example.com/mirror: events are written again after "),
                        atIndex(1));
        events.close();
    }
}
