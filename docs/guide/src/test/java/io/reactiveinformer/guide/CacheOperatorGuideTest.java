package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.guide.operator.Cache;
import io.reactiveinformer.guide.operator.CacheOperator;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The operator with dependents, status and finalizer of the page about controllers, in virtual time. */
class CacheOperatorGuideTest {

    private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
    private static final ObjectKey RED = ObjectKey.of("shop", "red");

    private final TestClock clock = TestClock.start();
    private final FakeApiServer server = FakeApiServer.create();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);
    private final List<ObjectKey> dropped = new ArrayList<>();
    private final CacheOperator operator = new CacheOperator(client, informers, key -> Mono.fromRunnable(() -> dropped.add(key)));

    @BeforeEach
    void begin() {
        server.objects().create("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: caches.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: caches, singular: cache, kind: Cache}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}}
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """);
        server.objects().create("{apiVersion: example.com/v1, kind: Cache, metadata: {name: red, namespace: shop}, spec: {replicas: 2}}");
        operator.controller().start();
        informers.start();
        advance();
    }

    @AfterEach
    void end() {
        operator.controller().drain(Duration.ofSeconds(1)).block();
        informers.close();
        client.close();
        server.close();
        clock.close();
    }

    private void advance() {
        clock.advance(Duration.ofSeconds(10));
    }

    private V1Condition ready() {
        return client.resources(Cache.TYPE).get(RED).block().status().conditions().get(0);
    }

    private void setReady(int replicas) {
        server.objects().edit(DEPLOYMENTS, RED, deployment -> {
            deployment.withObject("status").put("readyReplicas", replicas).put("updatedReplicas", replicas)
                    .set("observedGeneration", deployment.at("/metadata/generation"));
            return deployment;
        });
        advance();
    }

    @Test
    void isReadyWhenItsDeploymentIs() {
        assertThat(ready()).returns("False", V1Condition::getStatus).returns("Starting", V1Condition::getReason)
                .returns("0 of 2", V1Condition::getMessage);
        setReady(2);
        assertThat(ready()).returns("True", V1Condition::getStatus).returns("2 of 2", V1Condition::getMessage);
        server.requests().clear();
        clock.advance(Duration.ofHours(1));
        assertThat(server.requests().writes()).as("at rest").isEmpty();
    }

    @Test
    void isNotReadyByTheStatusOfAnOlderState() {
        setReady(2);
        server.objects().edit(DEPLOYMENTS, RED, deployment -> {
            deployment.withObject("spec").withObject("template").withObject("metadata").withObject("annotations").put("restarted", "now");
            return deployment;
        });
        advance();
        assertThat(ready()).returns("False", V1Condition::getStatus).returns("Starting", V1Condition::getReason);
        setReady(2);
        assertThat(ready()).returns("True", V1Condition::getStatus);
    }

    @Test
    void reportsAFailureOnceAndThatItIsOver() {
        server.faults().on("patch", "deployments").always().internalError();
        server.objects().edit(Cache.TYPE, RED, cache -> {
            cache.withObject("spec").put("replicas", 3);
            return cache;
        });
        clock.advance(Duration.ofMinutes(1));
        assertThat(ready()).returns("Failed", V1Condition::getReason);
        assertThat(server.requests().writes())
                .filteredOn(request -> request.verb() == Verb.PATCH && request.path().endsWith("caches/red/status"))
                .as("one when it started, one when it failed").hasSize(2);
        server.faults().clear();
        clock.advance(Duration.ofMinutes(20));
        assertThat(ready()).returns("Starting", V1Condition::getReason).returns("0 of 3", V1Condition::getMessage);
    }

    @Test
    void cleansUpBeforeItGoes() {
        client.resources(Cache.TYPE).delete(RED).block();
        advance();
        assertThat(dropped).containsExactly(RED);
        assertThatThrownBy(() -> client.resources(Cache.TYPE).get(RED).block()).isInstanceOf(NotFoundException.class);
    }
}
