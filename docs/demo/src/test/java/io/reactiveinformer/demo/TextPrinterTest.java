package io.reactiveinformer.demo;

import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TextPrinterTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Test
    void alignsWhatItPrints() {
        var printer = new TextPrinter(new Lines(bytes), false, 0);
        printer.change(new Change.Added<>(ObjectKey.of("a", "b"), pod("7", "Pending"), true));
        printer.change(new Change.Added<>(ObjectKey.of("default", "web"), deployment("8"), true));

        List<String> lines = lines();
        assertThat(lines.get(0)).matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  ADDED      a/b {35}Pending 1/2   at 7");
        assertThat(lines.get(1)).endsWith("1/3 ready     at 8");
        assertThat(lines.get(1).indexOf("1/3 ready")).isEqualTo(lines.get(0).indexOf("Pending"));
    }

    @Test
    void aLongNameMovesItsOwnLineOnly() {
        var printer = new TextPrinter(new Lines(bytes), false, 0);
        printer.change(new Change.Added<>(ObjectKey.of("a", "b".repeat(60)), pod("7", "Pending"), true));
        printer.change(new Change.Added<>(ObjectKey.of("a", "c"), pod("8", "Pending"), true));

        assertThat(lines().get(0)).endsWith("b".repeat(60) + "  Pending 1/2   at 7");
        assertThat(lines().get(1)).matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  ADDED      a/c {35}Pending 1/2   at 8");
    }

    @Test
    void aLineIsCutAtTheWidthOfTheTerminal() {
        var printer = new TextPrinter(new Lines(bytes), false, 40);
        printer.change(new Change.Added<>(ObjectKey.of("a", "b".repeat(60)), pod("7", "Pending"), true));
        printer.change(new Change.Synced<>("8", 1));

        assertThat(lines().get(0)).hasSize(40).endsWith("bbb…");
        assertThat(lines().get(1)).endsWith("SYNCED     1 objects  at 8");
    }

    @Test
    void aNarrowTerminalShowsWhatChanged() {
        var printer = new TextPrinter(new Lines(bytes), false, 80);
        ObjectKey key = ObjectKey.of("default", "web-7d4b9c6f5d-x2x9z");
        Versioned<V1Deployment> after = deployment("123456");
        after.object().metadata(new V1ObjectMeta().putLabelsItem("team", "shop"));
        printer.change(new Change.Added<>(key, pod("123456", "Pending"), true));
        printer.change(new Change.Updated<>(key, pod("123456", "Pending"), pod("123457", "Running")));
        printer.change(new Change.Updated<>(ObjectKey.of("kube-system", "coredns-5d78c9869d-abcde-12345"),
                pod("123456", "Pending"), pod("123457", "Running")));
        printer.change(new Change.Updated<>(key, deployment("1"), after));

        assertThat(lines().get(0)).matches("\\d\\d:.*ADDED {6}default/web-7d4b9c6f5d-x2x9z  Pending 1/2   at 123456");
        assertThat(lines().get(1)).endsWith("default/web-7d4b9c6f5d-x2x9z  Pending 1/2 → Running 1/2");
        assertThat(lines().get(2)).isEqualTo("UPDATED    kube-system/coredns-5d78c9869d-abcde-12345  Pending 1/2 → Running 1/2");
        assertThat(lines().get(3)).endsWith("1/3 ready, labels added");
        assertThat(lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    }

    @Test
    void aWideTerminalHasRoomForNames() {
        new TextPrinter(new Lines(bytes), false, 200).change(new Change.Added<>(ObjectKey.of("a", "b"), pod("7", "Pending"), true));

        assertThat(lines().get(0)).contains("a/b" + " ".repeat(55) + "Pending");
    }

    @Test
    void anUpdateShowsTheConditionBeforeAndAfter() {
        new TextPrinter(new Lines(bytes), false, 0)
                .change(new Change.Updated<>(ObjectKey.of("a", "b"), pod("7", "Pending"), pod("8", "Running")));

        assertThat(lines().get(0)).contains("UPDATED").endsWith("  Pending 1/2 → Running 1/2  at 8");
    }

    @Test
    void anUpdateNamesAPhaseThatStaysOnce() {
        Versioned<V1Pod> after = pod("8", "Running");
        after.object().getStatus().getContainerStatuses().forEach(status -> status.ready(true));
        new TextPrinter(new Lines(bytes), false, 0).change(new Change.Updated<>(ObjectKey.of("a", "b"), pod("7", "Running"), after));

        assertThat(lines().get(0)).endsWith("  Running 1/2 → 2/2  at 8");
    }

    @Test
    void anUpdateShowsRestartsBesideTheCondition() {
        Versioned<V1Pod> before = pod("7", "Running");
        Versioned<V1Pod> after = pod("8", "Failed");
        nameContainers(before, 0);
        nameContainers(after, 3);
        new TextPrinter(new Lines(bytes), false, 0).change(new Change.Updated<>(ObjectKey.of("a", "b"), before, after));

        assertThat(lines().get(0)).endsWith("  Running 1/2 → Failed 1/2, app restarts 0 → 3, log restarts 0 → 3  at 8");
    }

    @Test
    void anUpdateOfOtherFieldsShowsThemBehindTheCondition() {
        Versioned<V1Deployment> after = deployment("9");
        after.object().metadata(new V1ObjectMeta().putLabelsItem("team", "shop"));
        new TextPrinter(new Lines(bytes), false, 0).change(new Change.Updated<>(ObjectKey.of("a", "b"), deployment("8"), after));

        assertThat(lines().get(0)).endsWith("  1/3 ready, labels added  at 9");
    }

    @Test
    void coloursOnlyOnATerminal() {
        Change<ObjectKey, V1Pod> gone = new Change.Deleted<>(ObjectKey.of("a", "b"), pod("7", "Running"), DeletionCause.INFERRED, "9");
        new TextPrinter(new Lines(bytes), false, 0).change(gone);
        assertThat(lines().get(0)).endsWith("at 9  gone when listed again").doesNotContain("\u001b");

        bytes.reset();
        new TextPrinter(new Lines(bytes), true, 0).change(gone);
        assertThat(lines().get(0)).startsWith("\u001b[31m").endsWith("\u001b[0m");
    }

    @Test
    void tellsWhyAndWhenTheNextTryIs() {
        new TextPrinter(new Lines(bytes), false, 0).status(new InformerStatus(State.DISRUPTED, Instant.EPOCH, false,
                new TransportException("nobody there", null), 2, Duration.ofMillis(1500), Map.of(), Map.of()));

        assertThat(lines().get(0)).endsWith("DISRUPTED  nobody there; failed tries: 2; next in 1500 ms");
    }

    @Test
    void beginsWithWhatThereIsToTell() {
        var printer = new TextPrinter(new Lines(bytes), false, 0);
        printer.status(new InformerStatus(State.STOPPED, Instant.EPOCH, false, null, 1, null, Map.of(), Map.of()));
        printer.status(new InformerStatus(State.LISTING, Instant.EPOCH, false, null, 0, null, Map.of(), Map.of()));

        assertThat(lines().get(0)).endsWith("STOPPED    failed tries: 1");
        assertThat(lines().get(1)).endsWith("LISTING");
    }

    @Test
    void obeysNoControlCharactersOfTheServer() {
        new TextPrinter(new Lines(bytes), true, 0).status(new InformerStatus(State.DISRUPTED, Instant.EPOCH, false,
                new TransportException("one\nADDED two\u001b[2J\u009b2J", null), 1, null, Map.of(), Map.of()));

        assertThat(lines()).singleElement().asString().contains("one ADDED two [2J 2J");
    }

    private static void nameContainers(Versioned<V1Pod> pod, int restarts) {
        pod.object().getStatus().getContainerStatuses()
                .forEach(status -> status.name(status.getReady() ? "app" : "log").restartCount(restarts));
    }

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static Versioned<V1Pod> pod(String version, String phase) {
        var containers = List.of(new V1ContainerStatus().ready(true), new V1ContainerStatus().ready(false));
        return new Versioned<>("u", version, new V1Pod().status(new V1PodStatus().phase(phase).containerStatuses(containers)));
    }

    private static Versioned<V1Deployment> deployment(String version) {
        return new Versioned<>("u", version, new V1Deployment()
                .spec(new V1DeploymentSpec().replicas(3)).status(new V1DeploymentStatus().readyReplicas(1)));
    }
}
