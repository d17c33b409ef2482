package io.reactiveinformer.test.junit;

import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A server that begins with what {@code kubectl get -A -o yaml} has printed, as it is. */
class PrintedClusterTest {

    private static final ResourceType<JsonNode> PODS = ResourceType.dynamic("", "v1", "pods");
    private static final ResourceType<JsonNode> NAMESPACES = ResourceType.dynamic("", "v1", "namespaces");
    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");
    private static final ResourceType<JsonNode> DEPLOYMENTS = ResourceType.dynamic("apps", "v1", "deployments");
    private static final ResourceType<JsonNode> REPLICA_SETS = ResourceType.dynamic("apps", "v1", "replicasets");
    private static final ResourceType<JsonNode> SITES = ResourceType.dynamic("example.com", "v1", "sites");
    private static final ObjectKey WEB = ObjectKey.of("shop", "web");
    private static final ObjectKey WEB_POD = ObjectKey.of("shop", "web-5d9c6f7b8-x2x4z");
    private static final String POD = "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: shop, resourceVersion: '7', uid: u-1}}";

    @FakeCluster("all.yaml")
    private static FakeApiServer server;

    private static String text() throws IOException {
        try (InputStream stream = PrintedClusterTest.class.getResourceAsStream("all.yaml")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static JsonNode printed(String kind, String name) throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        YamlText.read(text()).forEach(document -> {
            objects.add(document);
            document.path("items").forEach(objects::add);
        });
        return objects.stream().filter(object -> object.path("kind").asString().equals(kind)
                && object.path("metadata").path("name").asString("").equals(name)).findFirst().orElseThrow();
    }

    @RepeatedTest(2) // the second time after a reset
    void hasEachObjectAsItWasPrinted() throws IOException {
        assertThat(server.objects().get(PODS, WEB_POD)).contains((ObjectNode) printed("Pod", WEB_POD.name()));
        assertThat(server.objects().get(PODS, ObjectKey.of("shop", "leaving"))).contains((ObjectNode) printed("Pod", "leaving"));
        assertThat(server.objects().get(DEPLOYMENTS, WEB)).contains((ObjectNode) printed("Deployment", "web"));
        assertThat(server.objects().get(SITES, ObjectKey.of("shop", "front"))).contains((ObjectNode) printed("Site", "front"));
        assertThat(server.objects().get(CONFIG_MAPS, ObjectKey.of("shop", "by-hand"))).isPresent();
        assertThat(server.objects().get(NAMESPACES, ObjectKey.clusterScoped("other"))).as("was not printed").isPresent();
        server.objects().edit(DEPLOYMENTS, WEB, tree -> {
            tree.withObject("spec").put("replicas", 9);
            return tree;
        });
    }

    @Test
    void goesOnWithHigherVersionsAndGenerations() {
        ObjectNode scaled = server.objects().edit(DEPLOYMENTS, WEB, tree -> {
            tree.withObject("spec").put("replicas", 2);
            return tree;
        });
        assertThat(scaled.path("metadata").path("generation").asInt()).isEqualTo(8);
        assertThat(scaled.path("metadata").path("uid").asString()).isEqualTo("1f0e2d3c-4b5a-4697-8877-665544332211");
        assertThat(Long.parseLong(scaled.path("metadata").path("resourceVersion").asString())).isGreaterThan(50_111);
        ObjectNode site = server.objects().create("{apiVersion: example.com/v1, kind: Site, metadata: {name: more, namespace: shop}}");
        assertThat(Long.parseLong(site.path("metadata").path("resourceVersion").asString())).isGreaterThan(50_111);
    }

    @Test
    void ownersOwnAndAnOwnerThatWasNotPrintedIsTakenToExist() throws IOException {
        try (TestClock clock = TestClock.start(); FakeApiServer inMemory = FakeApiServer.builder().with(text()).build()) {
            ObjectKey other = ObjectKey.of("other", "of-an-owner-that-was-not-printed");
            clock.advance(Duration.ofMinutes(10));
            assertThat(inMemory.objects().get(PODS, WEB_POD)).isPresent();
            assertThat(inMemory.objects().get(PODS, ObjectKey.of("shop", "leaving"))).as("its time is over").isPresent();
            inMemory.objects().edit(PODS, other, tree -> {
                tree.withObject("status").put("phase", "Failed");
                return tree;
            });
            inMemory.objects().delete(DEPLOYMENTS, WEB);
            clock.advance(Duration.ofMinutes(10));
            assertThat(inMemory.objects().list(REPLICA_SETS)).isEmpty();
            assertThat(inMemory.objects().get(PODS, WEB_POD)).isEmpty();
            assertThat(inMemory.objects().get(PODS, other)).isPresent();
            inMemory.objects().deleteNow(PODS, ObjectKey.of("shop", "leaving"));
            assertThat(inMemory.objects().list(PODS)).hasSize(1);
        }
    }

    @Test
    void takesJsonAndListsOfOneKind() {
        try (FakeApiServer other = FakeApiServer.create()) {
            other.objects().load("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"900\"},\"items\":["
                    + "{\"metadata\":{\"name\":\"a\",\"namespace\":\"shop\",\"resourceVersion\":\"7\",\"uid\":\"u-1\"}}]}");
            assertThat(other.objects().get(PODS, ObjectKey.of("shop", "a")).orElseThrow().path("metadata").path("uid").asString())
                    .isEqualTo("u-1");
            other.objects().load(POD.replace("u-1", "u-2"));
            assertThat(other.objects().list(PODS)).singleElement()
                    .satisfies(pod -> assertThat(pod.path("metadata").path("uid").asString()).isEqualTo("u-2"));
        }
    }

    @Test
    void refusesWhatItCannotKeep() {
        assertThatIllegalArgumentException().isThrownBy(() -> server.objects().load(POD.replace("'7'", "'x7'")))
                .withMessageContaining("a resourceVersion that is no number").withMessageContaining("remove its resourceVersion");
        assertThatIllegalArgumentException().isThrownBy(() -> server.objects().load(POD.replace("kind: Pod", "kind: Poe")))
                .withMessageContaining("object 1 of 1, a: the server has no type for apiVersion \"v1\", kind \"Poe\"")
                .withMessageContaining("add that to the text, or leave the object out");
        assertThatIllegalArgumentException().isThrownBy(() -> server.objects().load("# nothing"))
                .withMessageContaining("no object in the text");
    }
}
