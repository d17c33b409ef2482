package io.reactiveinformer.demo;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JsonPrinterTest {

    private static final ObjectKey KEY = ObjectKey.of("prod", "web-1");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final JsonPrinter printer = new JsonPrinter(new Lines(bytes));

    @Test
    void writesWhatWasThereAlready() {
        printer.change(new Change.Added<>(KEY, entry("11"), true));

        assertPrinted(
                "{'type':'ADDED','namespace':'prod','name':'web-1','uid':'u-1','resourceVersion':'11','initial':true,'inferred':false}");
    }

    @Test
    void writesWhatWasAddedLater() {
        printer.change(new Change.Added<>(ObjectKey.clusterScoped("node-7"), entry("12"), false));

        assertPrinted(
                "{'type':'ADDED','namespace':null,'name':'node-7','uid':'u-1','resourceVersion':'12','initial':false,'inferred':false}");
    }

    @Test
    void writesAnUpdateWithItsNewVersion() {
        printer.change(new Change.Updated<>(KEY, entry("11"), entry("13")));

        assertPrinted(
                "{'type':'UPDATED','namespace':'prod','name':'web-1','uid':'u-1','resourceVersion':'13','initial':false,'inferred':false}");
    }

    @Test
    void writesADeletionWithTheVersionOfTheDeletion() {
        printer.change(new Change.Deleted<>(KEY, entry("13"), DeletionCause.OBSERVED, "14"));

        assertPrinted(
                "{'type':'DELETED','namespace':'prod','name':'web-1','uid':'u-1','resourceVersion':'14','initial':false,'inferred':false}");
    }

    @Test
    void writesADeletionThatTheServerDidNotTellAsInferred() {
        printer.change(new Change.Deleted<>(KEY, entry("13"), DeletionCause.INFERRED, "13"));
        printer.change(new Change.Deleted<>(KEY, entry("13"), DeletionCause.LEFT, "13"));

        String line = "{'type':'DELETED','namespace':'prod','name':'web-1','uid':'u-1','resourceVersion':'13','initial':false,"
                + "'inferred':true}";
        assertPrinted(line, line);
    }

    @Test
    void writesSynced() {
        printer.change(new Change.Synced<>("20", 3));
        printer.change(new Change.Synced<>(null, 0));

        assertPrinted("{'type':'SYNCED','resourceVersion':'20','count':3}", "{'type':'SYNCED','resourceVersion':null,'count':0}");
    }

    @Test
    void writesAStateWithNothingWrong() {
        printer.status(new InformerStatus(State.LISTING, Instant.EPOCH, false, null, 0, null, Map.of(), Map.of()));

        assertPrinted("{'type':'STATUS','state':'LISTING','cause':null,'attempt':0,'retryInMs':null}");
    }

    @Test
    void writesADisruptionWithItsCauseBeginningWithTheCode() {
        var forbidden = StatusException.of(Status.of(403, "Forbidden", "no \"pods\" for you\nat all"), "list pods.v1 in all namespaces");
        printer.status(new InformerStatus(State.DISRUPTED, Instant.EPOCH, false, forbidden,
                2, Duration.ofMillis(1600), Map.of(), Map.of()));

        assertPrinted("{'type':'STATUS','state':'DISRUPTED','cause':"
                + "'403 Forbidden: cannot list pods.v1 in all namespaces: no \\'pods\\' for you\\nat all','attempt':2,'retryInMs':1600}");
    }

    @Test
    void writesASnapshotInOrder() {
        var objects = new TreeMap<ObjectKey, Versioned<?>>();
        objects.put(ObjectKey.of("b", "a"), entry("1"));
        objects.put(ObjectKey.of("a", "z"), entry("3"));
        objects.put(ObjectKey.of("a", "b"), entry("2"));
        printer.snapshot("20", objects);
        printer.snapshot(null, new TreeMap<>());

        assertPrinted("{'type':'SNAPSHOT','resourceVersion':'20','objects':["
                        + "{'namespace':'a','name':'b','uid':'u-1','resourceVersion':'2'},"
                        + "{'namespace':'a','name':'z','uid':'u-1','resourceVersion':'3'},"
                        + "{'namespace':'b','name':'a','uid':'u-1','resourceVersion':'1'}]}",
                "{'type':'SNAPSHOT','resourceVersion':null,'objects':[]}");
    }

    private static Versioned<String> entry(String version) {
        return new Versioned<>("u-1", version, "object");
    }

    private void assertPrinted(String... lines) {
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo(String.join("\n", lines).replace('\'', '"') + "\n");
    }
}
