package io.reactiveinformer.guide.refusals;

import io.kubernetes.client.openapi.models.V1CronJob;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.junit.FakeCluster;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The operator of docs/guide/what-the-fake-refuses.md, and what a server refuses of it. */
@Timeout(60)
class RefusalsGuideTest {

    private static final ResourceType<V1CronJob> CRON_JOBS = ResourceType.of(V1CronJob.class);
    private static final String BACKUPS = "/apis/guide.example.com/v1/namespaces/shop/backups";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Map<String, ?> FOREIGN_IMAGE = Map.of("apiVersion", "batch/v1", "kind", "CronJob", "metadata", Map.of("name", "probe"),
            "spec", Map.of("schedule", "@daily", "jobTemplate", Map.of("spec", Map.of("template", Map.of("spec", Map.of(
                    "restartPolicy", "Never", "containers", List.of(Map.of("name", "c", "image", "docker.io/i"))))))));

    @FakeCluster({"backups.yaml", "admission.yaml"})
    private FakeApiServer server;
    private KubernetesClient client;
    private InformerFactory informers;
    private Informer<Backup> backups;
    private BackupOperator operator;
    private BackupWebhook webhook;

    private static KeyStore keys;

    @BeforeAll
    static void certify(@TempDir Path directory) throws Exception {
        keys = BackupWebhook.keys(directory.resolve("webhook.p12"));
    }

    @BeforeEach
    void begin() throws Exception {
        client = KubernetesClient.over(server.transport());
        informers = InformerFactory.create(client);
        backups = informers.of(Backup.TYPE);
        operator = new BackupOperator(client, informers);
        webhook = new BackupWebhook(backups, keys);
        server.objects().create(webhook.configuration());
        operator.controller().start();
        informers.start();
        informers.synced().block(PATIENCE);
    }

    @AfterEach
    void end() {
        operator.controller().close();
        informers.close();
        client.close();
        webhook.close();
    }

    private Mono<JsonNode> create(String name, Map<String, ?> spec) {
        return client.raw().send("POST", BACKUPS, backup(name, spec));
    }

    private static Map<String, ?> backup(String name, Map<String, ?> spec) {
        return Map.of("apiVersion", "guide.example.com/v1", "kind", "Backup", "metadata", Map.of("name", name), "spec", spec);
    }

    /** A real server needs a second until a policy or a webhook is in effect. */
    private void untilRefused(String path, Object object, String by) {
        client.raw().send("POST", path + "?dryRun=All", object).delayElement(Duration.ofMillis(100)).repeat()
                .onErrorComplete(refusal -> refusal.getMessage().contains(by)).blockLast(PATIENCE);
    }

    @Test
    void theSchemaAndItsRules() {
        assertThatThrownBy(() -> create("a", Map.of("volume", "data", "keep", "many")).block())
                .hasMessageContaining("spec.schedule: Required value")
                .hasMessageContaining("spec.keep: Invalid value: \"string\": spec.keep in body must be of type integer: \"string\"");
        assertThatThrownBy(() -> create("a", Map.of("volume", "data", "schedule", "@daily", "keep", 40)).block())
                .hasMessageContaining("spec: Invalid value: of tier daily 30 copies are kept at most");
        create("a", Map.of("volume", "data", "schedule", "@daily")).block();
        assertThatThrownBy(() -> client.resources(Backup.TYPE)
                .patch(ObjectKey.of("shop", "a"), Patch.merge(Map.of("spec", Map.of("volume", "logs")))).block())
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("spec.volume: Invalid value: \"logs\": the volume of a backup cannot be changed");
    }

    @Test
    void theWebhook() {
        create("a", Map.of("volume", "data", "schedule", "@daily")).block();
        backups.await(ObjectKey.of("shop", "a"), backup -> true).block(PATIENCE);
        untilRefused(BACKUPS, backup("b", Map.of("volume", "data", "schedule", "@daily")), "has the backup");
        assertThatThrownBy(() -> create("b", Map.of("volume", "data", "schedule", "@weekly")).block())
                .hasMessageContaining("admission webhook \"backups.guide.example.com\" denied the request: data has the backup a");
    }

    @Test
    void theQuota() {
        create("a", Map.of("volume", "data", "schedule", "@daily")).block();
        create("b", Map.of("volume", "logs", "schedule", "@daily")).block();
        assertThatThrownBy(() -> create("c", Map.of("volume", "mail", "schedule", "@daily")).block())
                .hasMessageContaining("backups.guide.example.com \"c\" is forbidden: exceeded quota: few, requested:"
                        + " count/backups.guide.example.com=1, used: count/backups.guide.example.com=2,"
                        + " limited: count/backups.guide.example.com=2");
    }

    @Test
    void thePolicyAsTheOperatorReportsIt() {
        untilRefused("/apis/batch/v1/namespaces/shop/cronjobs", FOREIGN_IMAGE, "own-images");
        create("a", Map.of("volume", "data", "schedule", "@daily", "image", "docker.io/backup:1")).block();
        assertThat(message("a")).isEqualTo("cronjobs.batch \"a\" is forbidden: ValidatingAdmissionPolicy 'own-images' with binding"
                + " 'own-images' denied request: not of our registry: docker.io/backup:1");
        assertThat(server.objects().get(CRON_JOBS, ObjectKey.of("shop", "a"))).isEmpty();
    }

    @Test
    void aBuiltInTypeAsTheOperatorReportsIt() {
        create("a", Map.of("volume", "data", "schedule", "0 25 * * *")).block();
        assertThat(message("a")).isEqualTo("CronJob.batch \"a\" is invalid: spec.schedule: Invalid value: \"0 25 * * *\":"
                + " end of range (25) above maximum (23): 25");
    }

    @Test
    void whatTheTestWritesPassesPoliciesAndWebhooks() {
        server.requireMemory("what a test writes past policies and webhooks");
        create("a", Map.of("volume", "data", "schedule", "@daily")).block();
        backups.await(ObjectKey.of("shop", "a"), backup -> true).block(PATIENCE);
        server.objects().create("{apiVersion: guide.example.com/v1, kind: Backup, metadata: {name: b, namespace: shop},"
                + " spec: {volume: data, schedule: '@daily'}}");
        assertThatThrownBy(() -> server.objects().create("{apiVersion: guide.example.com/v1, kind: Backup,"
                + " metadata: {name: c, namespace: shop}, spec: {volume: data, schedule: '@daily'}}")).hasMessageContaining("exceeded quota");
    }

    @Test
    void whatIsNotRefused() {
        server.requireMemory("what a real server refuses");
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop},"
                + " spec: {priorityClassName: none, serviceAccountName: none, containers: [{name: c, image: i}]}}");
    }

    @Test
    void anEvictionThatIsRefusedAtFirst() {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop}, spec: {containers: [{name: c, image: i}]}}");
        server.faults().on("create", "pods/eviction").tooManyRequests(Duration.ofSeconds(1));
        String eviction = "/api/v1/namespaces/shop/pods/p/eviction";
        Map<String, ?> body = Map.of("apiVersion", "policy/v1", "kind", "Eviction", "metadata", Map.of("name", "p"));
        client.raw().send("POST", eviction, body).block();
        assertThat(server.requests().writes()).as("it was tried again").filteredOn(write -> "eviction".equals(write.subresource())).hasSize(2);
    }

    private String message(String name) {
        return backups.await(ObjectKey.of("shop", name), backup -> !backup.conditions().isEmpty())
                .map(backup -> backup.conditions().get(0).getMessage()).block(PATIENCE);
    }
}
