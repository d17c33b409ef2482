package io.reactiveinformer.test;

import io.reactiveinformer.OnDemandScheduler;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.util.RaceTestUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What was under way in a store when it was saved goes on where it is restored, in the same server and in another. */
class RestoredDeletionsTest {

    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");
    private static final ResourceType<JsonNode> SECRETS = ResourceType.dynamic("", "v1", "secrets");
    private static final ResourceType<JsonNode> PODS = ResourceType.dynamic("", "v1", "pods");
    private static final ResourceType<JsonNode> NAMESPACES = ResourceType.dynamic("", "v1", "namespaces");
    private static final ObjectKey OWNER = ObjectKey.of("t", "owner");

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final FakeApiServer server = server();
    private final FakeApiServer other = server();

    private FakeApiServer server() {
        return FakeApiServer.builder().scheduler(clock).podShutdown(Duration.ofSeconds(10)).establishing(Duration.ofMinutes(1)).build();
    }

    @AfterEach
    void close() {
        server.close();
        other.close();
    }

    private static void createOwnerAndDependent(FakeApiServer server) {
        ObjectNode owner = server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: owner, namespace: t}}");
        server.objects()
                .create("{apiVersion: v1, kind: Secret, metadata: {name: dependent, namespace: t, ownerReferences: [{apiVersion: v1, "
                + "kind: ConfigMap, name: owner, blockOwnerDeletion: true, uid: " + owner.path("metadata").path("uid").asString() + "}]}}");
    }

    private void restoreInAnother() {
        other.restore(Backup.parse(server.backup().text()));
    }

    /** As if the server had been saved in the instant between the request to delete an object and what comes of it. */
    private void restoreInAnotherWhileDeleted(String type, String name, String... finalizers) {
        JsonNode saved = Json.read(server.backup().text().getBytes(StandardCharsets.UTF_8));
        for (JsonNode object : saved.path("objects")) {
            ObjectNode metadata = (ObjectNode) object.path("object").path("metadata");
            if (object.path("type").asString().equals(type) && metadata.path("name").asString().equals(name)) {
                metadata.put("deletionTimestamp", "1970-01-01T00:00:00Z");
                for (String finalizer : finalizers) {
                    metadata.withArray("finalizers").add(finalizer);
                }
            }
        }
        other.restore(Backup.parse(saved.toString()));
    }

    @Test
    void dependentsGoWithTheirOwner() {
        createOwnerAndDependent(server);
        restoreInAnother();
        other.objects().delete(CONFIG_MAPS, OWNER);
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(other.objects().list(SECRETS)).isEmpty();
    }

    /** The owner is gone from the store that is saved, and only the saved store knows that its dependents were to follow. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void dependentsOfAnOwnerThatIsGoneFollowIt(boolean asText) {
        try (FakeApiServer manual = FakeApiServer.builder().scheduler(new OnDemandScheduler()).build()) {
            createOwnerAndDependent(manual);
            manual.objects()
                    .create("{apiVersion: v1, kind: Secret, metadata: {name: stranger, namespace: t, ownerReferences: ["
                    + "{apiVersion: no.such/v1, kind: Pod, name: p, uid: made-up}]}}");
            manual.objects().delete(CONFIG_MAPS, OWNER);
            Backup backup = manual.backup();
            other.restore(asText ? Backup.parse(backup.text()) : backup);
        }
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(other.objects().list(SECRETS)).extracting(secret -> secret.path("metadata").path("name").asString())
                .containsExactly("stranger");
    }

    @Test
    void anOwnerThatWaitsForItsDependentsGoesAfterThem() {
        createOwnerAndDependent(server);
        restoreInAnotherWhileDeleted("configmaps", "owner", "foregroundDeletion");
        assertThat(other.objects().list(SECRETS)).isEmpty();
        assertThat(other.objects().list(CONFIG_MAPS)).isEmpty();
    }

    @Test
    void aPodStopsWhenTheRestOfItsGracePeriodIsOver() {
        server.objects()
                .create("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: t}, spec: {nodeName: n, "
                + "terminationGracePeriodSeconds: 5, containers: [{name: c, image: i}]}}");
        server.objects().delete(PODS, ObjectKey.of("t", "p"));
        clock.advanceTimeBy(Duration.ofSeconds(3));
        restoreInAnother();
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(other.objects().list(PODS)).hasSize(1);
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(other.objects().list(PODS)).isEmpty();
    }

    @Test
    void aNamespaceThatGoesTakesWhatIsInItAlong() {
        createOwnerAndDependent(server);
        restoreInAnotherWhileDeleted("namespaces", "t");
        assertThat(other.objects().list(CONFIG_MAPS)).isEmpty();
        assertThat(other.objects().get(NAMESPACES, ObjectKey.of(null, "t"))).isEmpty();
    }

    @Test
    void aDefinitionIsEstablishedInTheEnd() {
        server.objects().create(Widgets.DEFINITION);
        restoreInAnother();
        var requests = new Requests(other.transport());
        assertThat(requests.get("/apis/example.com/v1/widgets").status()).isEqualTo(404);
        clock.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(requests.get("/apis/example.com/v1/widgets").status()).isEqualTo(200);
    }

    /** Whichever comes first: the owner is there again, and so are its dependents. */
    @Test
    void aRestoreAndADeletionThatIsUnderWayDoNotMix() {
        var timers = new OnDemandScheduler();
        try (FakeApiServer manual = FakeApiServer.builder().scheduler(timers).build()) {
            createOwnerAndDependent(manual);
            Backup backup = manual.backup();
            for (int round = 0; round < 500; round++) {
                manual.objects().delete(CONFIG_MAPS, OWNER);
                RaceTestUtils.race(timers::runAll, () -> manual.restore(backup));
                timers.runAll();
                assertThat(manual.objects().list(SECRETS)).as("round %d", round).hasSize(1);
            }
        }
    }

    @Test
    void timersOfBeforeAreThoseOfTheRestoredStore() {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: t}, spec: {nodeName: n,"
                + " containers: [{name: c, image: i}]}}");
        server.objects().delete(PODS, ObjectKey.of("t", "p"));
        clock.advanceTimeBy(Duration.ofSeconds(8));
        Backup backup = server.backup();
        server.restore(backup);
        server.objects().delete(PODS, ObjectKey.of("t", "p"));
        clock.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(server.objects().list(PODS)).hasSize(1);
        clock.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(server.objects().list(PODS)).isEmpty();
    }
}
