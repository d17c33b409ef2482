package io.reactiveinformer.demo;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

class WatchTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);

    private static final String WIDGETS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              scope: Cluster
              names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
              versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
                x-kubernetes-preserve-unknown-fields: true}}}]
            """;

    private final FakeApiServer server = FakeApiServer.create().start();
    private final Console console = new Console();

    @AfterEach
    void closeServer() {
        console.requestEnd();
        server.close();
    }

    @Test
    void printsWhatIsThereThenSyncedThenWhatHappens() throws Exception {
        JsonNode a = server.objects().create(configMap("prod", "a"));
        server.objects().create(configMap("test", "b"));
        CompletableFuture<Integer> run = start("configmaps", "--count", "5");
        console.awaitOut("SYNCED");
        label(CONFIG_MAPS, "a", "changed");
        console.awaitOut("UPDATED");
        server.objects().create(configMap("prod", "c"));
        console.awaitOut("\"c\"");
        server.objects().delete(CONFIG_MAPS, ObjectKey.of("prod", "a"));

        assertThat(run.get()).isZero();
        List<JsonNode> lines = lines();
        assertThat(types()).startsWith("STATUS").filteredOn(type -> !type.equals("STATUS"))
                .containsExactly("ADDED", "ADDED", "SYNCED", "UPDATED", "ADDED", "DELETED");
        assertThat(only("ADDED")).extracting(line -> line.get("initial").asBoolean()).containsExactly(true, true, false);
        assertThat(only("SYNCED").get(0).get("count").asInt()).isEqualTo(2);
        JsonNode deleted = only("DELETED").get(0);
        assertThat(deleted.get("resourceVersion").asString()).isEqualTo(server.resourceVersion());
        assertThat(deleted.get("uid")).isEqualTo(a.at("/metadata/uid"));
        assertThat(deleted.get("inferred").asBoolean()).isFalse();
        assertThat(lines.get(0).get("state").asString()).isEqualTo("LISTING");
        assertThat(only("STATUS")).extracting(line -> line.get("state").asString()).containsExactly("LISTING", "LIVE", "STOPPED");
        assertThat(console.err()).isEmpty();
    }

    @Test
    void endsItsTimeWithASnapshotThatTheLinesReplayTo() throws Exception {
        for (int i = 0; i < 20; i++) {
            server.objects().create(configMap(i % 2 == 0 ? "prod" : "test", "map-" + i));
        }
        CompletableFuture<Integer> run = start("configmaps", "--snapshot");
        console.awaitOut("SYNCED");
        for (int i = 0; i < 10; i++) {
            server.objects().delete(CONFIG_MAPS, ObjectKey.of(i % 2 == 0 ? "prod" : "test", "map-" + i));
        }
        label(CONFIG_MAPS, "map-10", "changed");
        String last = server.resourceVersion();
        console.awaitOut(line -> line.contains("UPDATED") && line.contains(last));
        console.requestEnd();

        assertThat(run.get()).isZero();
        List<JsonNode> lines = lines();
        JsonNode snapshot = lines.get(lines.size() - 1);
        assertThat(snapshot.get("type").asString()).isEqualTo("SNAPSHOT");
        assertThat(snapshot.get("resourceVersion").asString()).isEqualTo(last);
        assertThat(snapshot.get("objects")).containsExactlyElementsOf(replay(lines)).hasSize(10);
    }

    @Test
    void endsAfterItsDuration() {
        server.objects().create(pod("prod", "a"));

        int exitCode = -1;
        for (int seconds = 1; seconds <= 16 && !types().contains("SYNCED"); seconds *= 2) { // until it is long enough beside other work
            long begun = System.nanoTime();
            exitCode = run("--duration", seconds + "s", "--snapshot");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(seconds));
            assertThat(types()).endsWith("SNAPSHOT");
        }
        assertThat(exitCode).isZero();
        assertThat(types()).contains("SYNCED");
    }

    @Test
    void endsAfterItsCountEvenBeforeAllWasEmitted() {
        for (int i = 0; i < 5; i++) {
            server.objects().create(pod("prod", "pod-" + i));
        }

        assertThat(run("--count", "3", "--snapshot")).isZero();
        assertThat(only("ADDED")).hasSize(3);
        assertThat(only("SYNCED")).isEmpty();
        assertThat(only("SNAPSHOT").get(0).get("objects")).containsExactlyElementsOf(replay(lines())).hasSize(3);
        assertThat(only("SNAPSHOT").get(0).get("resourceVersion").isNull()).as("nothing was complete").isTrue();
    }

    @Test
    void watchesWhatWasAskedForOnly() throws Exception {
        server.objects().create(pod("prod", "a"));
        server.objects().create(pod("test", "b"));
        server.objects().create(pod("test", "c"));
        server.objects().edit(PODS, ObjectKey.of("test", "b"), tree -> {
            tree.withObject("/metadata/labels").put("app", "web");
            return tree;
        });

        CompletableFuture<Integer> run = start("pods", "-n", "test", "-l", "app=web", "--field-selector", "metadata.name=b");
        console.awaitOut("SYNCED");
        console.requestEnd();
        assertThat(run.get()).isZero();
        assertThat(only("ADDED")).extracting(line -> line.get("name").asString()).containsExactly("b");
    }

    @Test
    void looksUpWhatTheTableLacks() throws Exception {
        server.objects().create(WIDGETS);
        server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {size: 1}}");

        for (String name : List.of("widgets", "widgets.example.com", "widgets.v1.example.com", "widget", "wd")) {
            var one = new Console();
            assertThat(one.run(name, "-o", "json", "--count", "1", "--server", server.url())).as("%s: %s", name, one.err()).isZero();
            assertThat(one.out()).anyMatch(line -> line.startsWith("{\"type\":\"ADDED\",\"namespace\":null,\"name\":\"w\","));
        }
    }

    @Test
    void waitsForADefinitionIfAskedTo() throws Exception {
        CompletableFuture<Integer> run = console.start("widgets.example.com", "--wait", "--count", "1", "--server", server.url());
        assertThat(console.awaitOut("DISRUPTED")).endsWith("the server does not have the resource 'widgets.example.com' yet");
        server.objects().create(WIDGETS);
        server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}, spec: {size: 1}}");

        assertThat(run.get()).isZero();
        assertThat(console.out()).filteredOn(line -> line.contains("DISRUPTED")).hasSize(1);
        assertThat(console.out()).anyMatch(line -> line.matches(".*ADDED +w .*"));
    }

    @Test
    void findsAModelClassByAnyOfItsNames() throws Exception {
        server.objects().create("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec: {replicas: 3, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, \
                spec: {containers: [{name: a, image: b}]}}}
                """);

        for (String name : List.of("deployments", "deploy", "deployments.apps", "deployments.v1.apps")) {
            var one = new Console();
            assertThat(one.run(name, "--count", "1", "--server", server.url())).as("%s: %s", name, one.err()).isZero();
            assertThat(one.out()).as("only a model class shows its condition").anyMatch(line -> line.contains("0/3 ready"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            podz                 | did you mean pods?
            deployment.app       | did you mean deployments.apps?
            podz.v1.example.com  | kubectl api-resources
            """)
    void saysWhatToWriteInsteadOfAResourceThatIsUnknown(String name, String instead) {
        assertThat(run(name)).isEqualTo(2);
        assertThat(console.err()).singleElement().asString().contains("no resource '" + name + "'", instead);
        assertThat(types()).isSubsetOf("STATUS");
    }

    @Test
    void endsQuietlyWhenNobodyReadsAnyMore() throws Exception {
        CompletableFuture<Integer> run = start();
        console.awaitOut("SYNCED");
        console.closeOut();
        server.objects().create(pod("prod", "a"));

        assertThat(run.get()).isZero();
        assertThat(console.err()).isEmpty();
    }

    @Test
    void printsForPeopleUnlessAskedOtherwise() throws Exception {
        server.objects().create(pod("prod", "a"));
        CompletableFuture<Integer> run = console.start("--server", server.url());
        console.awaitOut("SYNCED     1 objects");
        console.requestEnd();

        assertThat(run.get()).isZero();
        assertThat(console.out()).anyMatch(line -> line.contains("ADDED      prod/a "));
    }

    private int run(String... args) {
        return console.run(withServer(args));
    }

    private CompletableFuture<Integer> start(String... args) {
        return console.start(withServer(args));
    }

    private String[] withServer(String... args) {
        var all = new ArrayList<>(List.of(args));
        all.addAll(List.of("-o", "json", "--server", server.url()));
        return all.toArray(String[]::new);
    }

    private void label(ResourceType<?> type, String name, String value) {
        server.objects().edit(type, ObjectKey.of("prod", name), tree -> {
            tree.withObject("/metadata/labels").put("app", value);
            return tree;
        });
    }

    private List<JsonNode> lines() {
        return console.out().stream().map(line -> JsonMapper.shared().readTree(line)).toList();
    }

    private List<String> types() {
        return lines().stream().map(line -> line.get("type").asString()).toList();
    }

    private List<JsonNode> only(String type) {
        return lines().stream().filter(line -> line.get("type").asString().equals(type)).toList();
    }

    /** What SNAPSHOT has to say, by the lines alone. */
    private static List<JsonNode> replay(List<JsonNode> lines) {
        var objects = new TreeMap<ObjectKey, JsonNode>();
        for (JsonNode line : lines) {
            if (List.of("ADDED", "UPDATED", "DELETED").contains(line.get("type").asString())) {
                ObjectKey key = ObjectKey.of(line.get("namespace").asString(), line.get("name").asString());
                objects.put(key, line);
                if (line.get("type").asString().equals("DELETED")) {
                    objects.remove(key);
                }
            }
        }
        return objects.values().stream()
                .<JsonNode>map(line -> ((ObjectNode) line.deepCopy()).remove(List.of("type", "initial", "inferred")))
                .toList();
    }

    private static String configMap(String namespace, String name) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: %s, name: %s}}".formatted(namespace, name);
    }

    static String pod(String namespace, String name) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %s, name: %s}
                spec: {containers: [{name: main, image: nginx}]}
                """.formatted(namespace, name);
    }
}
