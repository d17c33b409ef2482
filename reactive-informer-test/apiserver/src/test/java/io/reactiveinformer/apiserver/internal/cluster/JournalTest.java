package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.OnDemandScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a later server finds in the directory of an earlier one, which ended without a word. */
class JournalTest {

    @TempDir
    private Path directory;

    /** One server on the directory; closing it only releases the directory, as the end of a process does. */
    private final class Life implements AutoCloseable {
        private final OnDemandScheduler scheduler = new OnDemandScheduler();
        private final Cluster cluster = new Cluster(100, () -> Instant.EPOCH, System.nanoTime());
        private final Writes writes = cluster.open(scheduler, Duration.ZERO, Duration.ZERO);
        private final Journal journal;
        private boolean begun;

        Life() throws IOException {
            journal = Journal.keep(cluster, directory, () -> begun = true);
        }

        ResourceDefinition type(String plural) {
            return cluster.types().all().stream().filter(type -> type.qualified().equals(plural)).findFirst().orElseThrow();
        }

        StoredObject create(String plural, String json) {
            return writes.create(type(plural), "shop", (ObjectNode) Json.read(json), WriteOptions.TRUSTED).object();
        }

        List<String> names(String plural) {
            return cluster.list(type(plural), Selection.all(), null).objects().stream().map(StoredObject::name).toList();
        }

        @Override
        public void close() throws IOException {
            journal.close();
        }
    }

    private static String dependentOf(String name, String uid) {
        return """
                {"metadata":{"name":"%s","ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":"%s"}]}}
                """.formatted(name, uid);
    }

    private Path file() {
        return directory.resolve("cluster.jsonl");
    }

    @Test
    void continuesWithObjectsTypesAndVersions() throws IOException {
        StoredObject kept;
        long version;
        try (Life first = new Life()) {
            assertThat(first.begun).isTrue();
            first.create("customresourcedefinitions.apiextensions.k8s.io", """
                    {"metadata":{"name":"widgets.example.com"},
                     "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
                      "versions":[{"name":"v1","served":true,"storage":true,
                       "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}""");
            first.scheduler.runAll();
            first.create("widgets.example.com", "{\"metadata\":{\"name\":\"round\"},\"spec\":{\"size\":4}}");
            kept = first.create("configmaps", "{\"metadata\":{\"name\":\"kept\"},\"data\":{\"a\":\"ä\\n\"}}");
            first.create("configmaps", "{\"metadata\":{\"name\":\"deleted\"}}");
            first.writes.delete(first.type("configmaps"), "shop", "deleted", DeleteOptions.DEFAULT);
            version = first.cluster.version();
        }
        try (Life second = new Life()) {
            assertThat(second.begun).isFalse();
            assertThat(second.names("configmaps")).containsExactly("kept");
            assertThat(second.names("widgets.example.com")).containsExactly("round");
            assertThat(second.cluster.get(second.type("configmaps"), "shop", "kept").storedTree()).isEqualTo(kept.storedTree());
            assertThat(second.cluster.version()).isEqualTo(version);
            assertThatThrownBy(() -> second.cluster.follow(second.type("configmaps"), Selection.all(), version - 1, () -> { }))
                    .hasMessageStartingWith("too old resource version");
        }
    }

    @Test
    void aChangeThatWasCutOffIsIgnored() throws IOException {
        try (Life first = new Life()) {
            first.create("configmaps", "{\"metadata\":{\"name\":\"whole\"}}");
        }
        Files.writeString(file(), "{\"type\":\"configmaps\",\"object\":{\"kind\":\"Con", StandardOpenOption.APPEND);
        try (Life second = new Life()) {
            assertThat(second.names("configmaps")).containsExactly("whole");
            second.create("configmaps", "{\"metadata\":{\"name\":\"later\"}}");
        }
        try (Life third = new Life()) {
            assertThat(third.names("configmaps")).containsExactly("later", "whole");
        }
    }

    @Test
    void aDamagedLineIsNamed() throws IOException {
        new Life().close();
        Files.writeString(file(), "{\"type\":\n{}\n", StandardOpenOption.APPEND);
        int line = Files.readAllLines(file()).size() - 1;
        assertThatThrownBy(Life::new).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file() + ", line " + line + ": not a change of the cluster")
                .hasMessageEndingWith("remove the line, or choose another directory");
    }

    @Test
    void twoServersDoNotShareADirectory() throws IOException {
        Life first = new Life();
        assertThatThrownBy(Life::new)
                .hasMessage("another server keeps its cluster in " + directory + "; stop it, or choose another directory");
        first.close();
        new Life().close();
    }

    @Test
    void dependentsOfADeletedOwnerGoInTheNextLife() throws IOException {
        try (Life first = new Life()) {
            String uid = first.create("configmaps", "{\"metadata\":{\"name\":\"owner\"}}").uid();
            first.create("secrets", dependentOf("dependent", uid));
            first.writes.delete(first.type("configmaps"), "shop", "owner", DeleteOptions.DEFAULT);
            assertThat(first.names("secrets")).containsExactly("dependent"); // the collector did not run
        }
        try (Life second = new Life()) {
            second.scheduler.runAll();
            assertThat(second.names("secrets")).isEmpty();
        }
    }

    @Test
    void dependentsOfAnOwnerElsewhereStay() throws IOException {
        try (Life first = new Life()) {
            String printed = "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"namespace\":\"shop\",\"resourceVersion\":\"7\","
                    + dependentOf("dependent", "an-owner-of-another-cluster").strip().substring("{\"metadata\":{".length());
            PrintedObjects.load(first.cluster, List.of((ObjectNode) Json.read(printed)));
        }
        try (Life second = new Life()) {
            second.scheduler.runAll();
            assertThat(second.names("secrets")).containsExactly("dependent");
        }
    }

    @Test
    void aClusterThatWasReplacedIsKeptAsItIsThen() throws IOException {
        try (Life first = new Life()) {
            first.create("configmaps", "{\"metadata\":{\"name\":\"earlier\"}}");
            StoredState state = first.cluster.backup();
            first.cluster.clear();
            first.create("configmaps", "{\"metadata\":{\"name\":\"between\"}}");
            first.cluster.restore(state);
            first.create("configmaps", "{\"metadata\":{\"name\":\"later\"}}");
        }
        try (Life second = new Life()) {
            assertThat(second.names("configmaps")).containsExactly("earlier", "later");
        }
    }

    /** Nothing is removed from a file of changes; it would grow for ever. */
    @Test
    void aLongFileIsReplacedByTheState() throws IOException {
        String large = "x".repeat(900_000);
        try (Life first = new Life()) {
            first.create("configmaps", "{\"metadata\":{\"name\":\"large\"},\"data\":{\"a\":\"" + large + "\"}}");
            for (int i = 0; i < 100; i++) {
                String changed = i + large;
                first.writes.update(Writes.Target.of(first.type("configmaps"), "shop", "large"), old -> {
                    old.putObject("data").put("a", changed);
                    return old;
                }, WriteOptions.TRUSTED);
            }
        }
        assertThat(Files.size(file())).isBetween(900_000L, 40_000_000L);
        try (Life second = new Life()) {
            assertThat(second.cluster.get(second.type("configmaps"), "shop", "large").tree().at("/data/a").asString()).startsWith("99x");
        }
    }
}
