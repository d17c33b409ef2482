package io.reactiveinformer.demo.dashboard;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.dashboard.Dashboard;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.InformerStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class DashboardTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);

    private final RunningDashboard running = new RunningDashboard();

    @AfterEach
    void close() {
        running.close();
    }

    @Test
    void rowsAppearChangeAndVanish() throws Exception {
        try (Events events = running.browser("")) {
            events.awaitSynced("Pods");
            running.createPod("shop", "a", "web");
            events.await(event -> event.isRow("Pods", "shop/a") && event.cell(0).equals("Pending"));
            label("shop", "a", "phase", "two");
            events.await(event -> event.isRow("Pods", "shop/a") && event.data().at("/row/labels/phase").asString().equals("two"));
            running.server.objects().deleteNow(PODS, ObjectKey.of("shop", "a"));
            events.await(event -> event.isGone("Pods", "shop/a"));
        }
    }

    @Test
    void aLateBrowserReceivesWhatIsThereFirst() throws Exception {
        running.createPod("shop", "a", "web");
        try (Events events = running.browser("")) {
            events.awaitSynced("Pods");
            assertThat(events.soFar().get(0).name()).isEqualTo("hello");
            assertThat(events.await(event -> event.isRow("Pods", "shop/a")).data().path("initial").asBoolean()).isTrue();
        }
    }

    @Test
    void whatDoesNotShowIsNotSent() throws Exception {
        running.createPod("shop", "a", "web");
        try (Events events = running.browser("")) {
            events.awaitSynced("Pods");
            running.server.objects().edit(PODS, ObjectKey.of("shop", "a"), changed -> {
                ((ObjectNode) changed.path("metadata")).putObject("annotations").put("note", "unseen");
                return changed;
            });
            running.createPod("shop", "b", "web");
            events.await(event -> event.isRow("Pods", "shop/b"));
            assertThat(events.soFar()).filteredOn(event -> event.isRow("Pods", "shop/a")).hasSize(1);
        }
    }

    @Test
    void showsOfSelectedRowsThatTheyLeave() throws Exception {
        running.createPod("shop", "a", "web");
        running.createPod("shop", "b", "cart");
        running.createPod("other", "c", "web");
        try (Events events = running.browser("?namespace=shop&labels=app%3Dweb,app!%3Dcart")) {
            events.awaitSynced("Pods");
            assertThat(events.soFar()).filteredOn(event -> event.name().equals("row"))
                    .extracting(event -> event.data().path("key").asString())
                    .containsExactly("shop/a");
            label("shop", "a", "app", "cart");
            JsonNode gone = events.await(event -> event.isGone("Pods", "shop/a")).data();
            assertThat(gone.path("cause").asString()).isEqualTo("LEFT");
            label("shop", "b", "app", "web");
            events.await(event -> event.isRow("Pods", "shop/b"));
        }
    }

    @Test
    void whatIsInNoNamespaceIsSeenFromEach() throws Exception {
        running.server.objects().create("{apiVersion: v1, kind: Node, metadata: {name: node-1}}");
        try (Events events = running.browser("?namespace=shop")) {
            events.await(event -> event.isRow("Nodes", "node-1"));
        }
    }

    @Test
    void aCutIsFollowedByResumes() throws Exception {
        try (Events events = running.browser("")) {
            events.pulse(pulse -> all(pulse, "state", "LIVE"));
            assertThat(running.press("cut")).isEqualTo(204);
            JsonNode after = events.pulse(pulse -> pulse.path("informers").valueStream()
                    .allMatch(each -> each.path("resumes").asInt() > 0));
            assertThat(after.path("informers").valueStream()).allMatch(each -> each.path("relists").asInt() == 0);
        }
    }

    @Test
    void whereTheHistoryIsGoneAllIsListedAgain() throws Exception {
        running.createPod("shop", "a", "web");
        try (Events events = running.browser("")) {
            events.pulse(pulse -> all(pulse, "state", "LIVE"));
            assertThat(running.press("expire")).isEqualTo(204);
            events.pulse(pulse -> all(pulse, "state", "LIVE")
                    && pulse.path("informers").valueStream().allMatch(each -> each.path("relists").asInt() > 0));
            assertThat(events.soFar()).as("a list that finds nothing new").filteredOn(event -> event.isRow("Pods", "shop/a")).hasSize(1);
        }
    }

    @Test
    void whileNobodyIsLetInItTellsWhy() throws Exception {
        try (Events events = running.browser("")) {
            events.pulse(pulse -> all(pulse, "state", "LIVE"));
            assertThat(running.press("pause")).isEqualTo(204);
            JsonNode paused = events.pulse(pulse -> all(pulse, "state", "DISRUPTED")
                    && Events.informer(pulse, "Pods").path("attempt").asInt() > 0);
            assertThat(paused.path("faults").toString()).contains("resume");
            assertThat(Events.informer(paused, "Pods").path("cause").asString()).isNotEmpty();
            running.createPod("shop", "meanwhile", "web");
            assertThat(running.press("resume")).isEqualTo(204);
            events.await(event -> event.isRow("Pods", "shop/meanwhile"));
            events.pulse(pulse -> all(pulse, "state", "LIVE") && pulse.path("faults").toString().contains("pause"));
        }
    }

    @Test
    void theFirstListIsNoChange() throws Exception {
        for (int i = 0; i < 100; i++) {
            running.createPod("shop", "pod-" + i, "web");
        }
        try (InformerFactory others = InformerFactory.create(running.client);
                DashboardServer late = DashboardServer.start(others, null, "a test", 0);
                Events events = Events.of(running.http, late.url(), "")) {
            events.pulse(pulse -> all(pulse, "state", "IDLE"));
            others.start();
            events.pulse(pulse -> all(pulse, "state", "LIVE") && Events.informer(pulse, "Pods").path("objects").asInt() == 100);
            events.pulse(pulse -> true);
            events.awaitSynced("Pods");
            assertThat(events.soFar()).filteredOn(event -> event.name().equals("row")).hasSize(100)
                    .allMatch(row -> row.data().path("initial").asBoolean());
            assertThat(events.soFar()).filteredOn(event -> event.name().equals("pulse"))
                    .allMatch(pulse -> pulse.data().path("changes").asLong() == 0);
        }
    }

    @Test
    void whatHappenedWhileNobodyLookedIsNoChange() throws Exception {
        running.sync();
        running.createPod("shop", "a", "web");
        while (running.dashboard.changes() == 0) {
            Thread.onSpinWait();
        }
        try (Events events = running.browser("")) {
            assertThat(events.pulse(pulse -> true).path("changes").asLong()).isZero();
        }
    }

    @Test
    void aBrowserThatReadsNothingDelaysNobody() throws Exception {
        running.createPod("shop", "a", "web");
        try (Socket stalled = new Socket(); Events events = running.browser("")) {
            events.awaitSynced("Pods");
            String self = events.name();
            stalled.setReceiveBufferSize(1024);
            stalled.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), running.port()));
            RunningDashboard.write(stalled, "GET /ui/changes HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            String other = events.pulse(pulse -> pulse.path("browsers").size() == 2).path("browsers").valueStream()
                    .map(browser -> browser.path("name").asString()).filter(name -> !name.equals(self)).findFirst().orElseThrow();
            int first = 1 + 5; // the row, and that each table is complete
            events.pulse(pulse -> Events.browser(pulse, other).path("emitted").asLong() >= first);
            JsonNode stands = MissingNode.getInstance();
            for (int i = 0; stands.path("conflated").asLong() == 0 || stands.path("backlog").asLong() == 0; i++) {
                String turn = Integer.toString(i);
                running.server.objects().edit(PODS, ObjectKey.of("shop", "a"), pod -> padded(pod, turn));
                events.await(event -> event.isRow("Pods", "shop/a") && event.data().at("/row/labels/turn").asString().equals(turn));
                stands = events.soFar().stream().filter(event -> event.name().equals("pulse")).reduce((one, next) -> next)
                        .map(event -> Events.browser(event.data(), other)).orElseThrow();
            }
            assertThat(stands.path("backlog").asLong()).as("of one row, however often it changes").isEqualTo(1);
            events.pulse(pulse -> Events.browser(pulse, self).path("backlog").asLong() == 0);
        }
    }

    @Test
    void aSlowReaderReceivesTheLatest() throws Exception {
        running.createPod("shop", "a", "web");
        try (Events slow = running.browser("?slow=true"); Events events = running.browser("")) {
            slow.awaitSynced("Pods");
            events.awaitSynced("Pods");
            String name = slow.name();
            assertThat(Events.browser(events.pulse(pulse -> !Events.browser(pulse, name).isMissingNode()), name).path("slow").asBoolean())
                    .isTrue();
            for (int i = 1; i <= 50; i++) {
                String turn = Integer.toString(i);
                label("shop", "a", "turn", turn);
                events.await(event -> event.isRow("Pods", "shop/a") && event.data().at("/row/labels/turn").asString().equals(turn));
            }
            slow.await(event -> event.isRow("Pods", "shop/a") && event.data().at("/row/labels/turn").asString().equals("50"));
            events.pulse(pulse -> Events.browser(pulse, name).path("conflated").asLong() > 0);
            assertThat(slow.soFar()).filteredOn(event -> event.isRow("Pods", "shop/a")).hasSizeLessThan(50);
        }
    }

    @Test
    void whoLeavesIsForgotten() throws Exception {
        try (Events events = running.browser("")) {
            Events other = running.browser("");
            String name = other.name();
            events.pulse(pulse -> !Events.browser(pulse, name).isMissingNode());
            other.close();
            events.pulse(pulse -> Events.browser(pulse, name).isMissingNode());
        }
    }

    @Test
    void anInformerThatWasStoppedIsForgottenByTheNextPage() {
        var dashboard = Dashboard.of("a test", running.informers::informers);
        Disposable kept = dashboard.keep().subscribe();
        for (int i = 0; i < 2; i++) {
            Informer<V1ConfigMap> informer = running.informers.of(ResourceType.of(V1ConfigMap.class));
            informer.start();
            informer.status().filter(status -> status.state() == InformerStatus.State.LIVE).blockFirst();
            assertThat(tables(dashboard)).containsOnlyOnce("Configmaps");
            assertThat(stands(dashboard)).filteredOn(stand -> stand.path("table").asString().equals("Configmaps"))
                    .extracting(stand -> stand.path("state").asString()).containsExactly("LIVE");
            informer.stop();
            informer.status().filter(status -> status.state() == InformerStatus.State.STOPPED).blockFirst();
        }
        assertThat(tables(dashboard)).doesNotContain("Configmaps");
        assertThat(stands(dashboard)).extracting(stand -> stand.path("table").asString()).doesNotContain("Configmaps");
        kept.dispose();
    }

    @Test
    void sendsAllBrowsersHomeWhenItCloses() throws Exception {
        try (Events events = running.browser("")) {
            events.name();
            running.dashboard.close();
            events.awaitEnd();
        }
    }

    /** The names of the tables of a new page. */
    private static List<String> tables(Dashboard dashboard) {
        return first(dashboard, "hello").path("tables").valueStream().map(table -> table.path("name").asString()).toList();
    }

    /** The informers in the first pulse of a new page. */
    private static List<JsonNode> stands(Dashboard dashboard) {
        return first(dashboard, "pulse").path("informers").valueStream().toList();
    }

    private static JsonNode first(Dashboard dashboard, String event) {
        return JsonMapper.shared().readTree(Objects.requireNonNull(dashboard.events("", "", false)
                .filter(each -> each.name().equals(event)).blockFirst()).json());
    }

    private static boolean all(JsonNode pulse, String fact, String value) {
        return pulse.path("informers").valueStream().allMatch(each -> each.path(fact).asString().equals(value));
    }

    private void label(String namespace, String name, String label, String value) {
        running.server.objects().edit(PODS, ObjectKey.of(namespace, name), changed -> {
            ((ObjectNode) changed.at("/metadata/labels")).put(label, value);
            return changed;
        });
    }

    /** With labels that fill a connection soon. */
    private static ObjectNode padded(ObjectNode pod, String turn) {
        ObjectNode labels = (ObjectNode) pod.at("/metadata/labels");
        for (int i = 0; i < 40; i++) {
            labels.put("padding-" + i, "x".repeat(60));
        }
        labels.put("turn", turn);
        return pod;
    }
}
