package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.Change;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.StepVerifier;

/** A foreign client writes, and ours sees it, each over its own sockets. */
@Timeout(300)
class KubectlAndInformerTest {

    private final FakeApiServer server = FakeApiServer.create().start();
    private final KubernetesClient client = KubernetesClient.create(ClusterConfig.of(server.url()));
    private final InformerFactory informers = InformerFactory.create(client);
    private @TempDir Path home;

    @AfterEach
    void close() {
        informers.close();
        client.close();
        server.close();
    }

    @Test
    void anInformerSeesWhatKubectlDid() {
        var kubectl = new Kubectl(server, home);
        Informer<V1ConfigMap> settings = informers.of(ResourceType.of(V1ConfigMap.class), Namespaces.of("default"));
        informers.start();

        StepVerifier.create(settings.changes().map(KubectlAndInformerTest::text))
                .expectNext("synced")
                .then(() -> kubectl.run("create", "-f", kubectl.file("""
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: colours}
                        data: {sky: blue}
                        """)))
                .expectNext("added colours {sky=blue}")
                .then(() -> kubectl.run("apply", "-f", kubectl.file("""
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: shapes}
                        data: {moon: round}
                        """)))
                .expectNext("added shapes {moon=round}")
                .then(() -> kubectl.run("patch", "configmap", "colours", "-p", "{\"data\": {\"sky\": \"grey\"}}"))
                .expectNext("updated colours {sky=blue} to {sky=grey}")
                .then(() -> kubectl.run("delete", "configmap", "colours", "shapes"))
                .expectNext("deleted colours OBSERVED", "deleted shapes OBSERVED")
                .thenCancel()
                .verify(Duration.ofMinutes(4));
    }

    private static String text(Change<ObjectKey, V1ConfigMap> change) {
        return change.match(
                added -> "added " + added.key().name() + " " + added.object().getData(),
                updated -> "updated " + updated.key().name() + " " + updated.before().getData() + " to " + updated.after().getData(),
                deleted -> "deleted " + deleted.key().name() + " " + deleted.cause(),
                synced -> "synced");
    }
}
