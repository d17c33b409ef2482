package io.reactiveinformer.guide.refusals;

import io.kubernetes.client.openapi.models.V1CronJob;
import io.kubernetes.client.openapi.models.V1Service;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.junit.FakeCluster;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The operator of docs/guide/what-the-fake-refuses.md, and what a server refuses of it. */
@Timeout(60)
class RefusalsGuideTest {

    private static final ResourceType<V1Service> SERVICES = ResourceType.of(V1Service.class);
    private static final ResourceType<V1CronJob> CRON_JOBS = ResourceType.of(V1CronJob.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @FakeCluster({"backups.yaml", "admission.yaml"})
    private FakeApiServer server;
    private KubernetesClient client;
    private InformerFactory informers;
    private Informer<Backup> backups;
    private BackupOperator operator;
    private DisposableServer webhook;

    @BeforeEach
    void begin() {
        client = KubernetesClient.over(server.transport());
        informers = InformerFactory.create(client);
        backups = informers.of(Backup.TYPE);
        operator = new BackupOperator(client, informers);
        webhook = new BackupWebhook(backups).listen();
        server.objects().edit(SERVICES, ObjectKey.of("shop", "backup-operator"), service -> {
            service.withObject("/metadata/annotations")
                    .put("simulation.reactiveinformer.io/address", "http://127.0.0.1:" + webhook.port());
            return service;
        });
        operator.controller().start();
        informers.start();
        informers.synced().block(PATIENCE);
    }

    @AfterEach
    void end() {
        operator.controller().close();
        informers.close();
        client.close();
        webhook.disposeNow();
    }

    private Mono<JsonNode> create(String name, Map<String, ?> spec) {
        return client.raw().send("POST", "/apis/guide.example.com/v1/namespaces/shop/backups", Map.of(
                "apiVersion", "guide.example.com/v1", "kind", "Backup", "metadata", Map.of("name", name), "spec", spec));
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
        create("a", Map.of("volume", "data", "schedule", "@daily")).block();
        backups.await(ObjectKey.of("shop", "a"), backup -> true).block(PATIENCE);
        server.objects().create("{apiVersion: guide.example.com/v1, kind: Backup, metadata: {name: b, namespace: shop},"
                + " spec: {volume: data, schedule: '@daily'}}");
        assertThatThrownBy(() -> server.objects().create("{apiVersion: guide.example.com/v1, kind: Backup,"
                + " metadata: {name: c, namespace: shop}, spec: {volume: data, schedule: '@daily'}}")).hasMessageContaining("exceeded quota");
    }

    @Test
    void whatIsNotRefused() {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop, labels: {a: b}},"
                + " spec: {priorityClassName: none, serviceAccountName: none, containers: [{name: c, image: i}]}}");
        server.objects().create("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: p, namespace: shop},"
                + " spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}}");
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
