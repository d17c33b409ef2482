package io.reactiveinformer.guide.probes;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.netty.DisposableServer;

import static org.assertj.core.api.Assertions.assertThat;

/** The probes and the manifest of docs/guide/operating.md. */
@Timeout(60)
class ProbesGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FakeApiServer server = FakeApiServer.create();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);

    @AfterEach
    void end() {
        informers.close();
        client.close();
        server.close();
    }

    @Test
    void isReadyOnceTheInformerIsSynced() throws Exception {
        server.access().deny("list", "pods");
        Informer<V1Pod> pods = informers.of(ResourceType.of(V1Pod.class));
        DisposableServer probes = Probes.serve(0, pods).block(PATIENCE);
        try {
            pods.start();
            pods.status().filter(status -> status.cause() != null).next().block(PATIENCE);
            assertThat(get(probes, "/livez").statusCode()).isEqualTo(200);
            HttpResponse<String> refused = get(probes, "/readyz");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).startsWith("pods.v1").contains("DISRUPTED, 403 Forbidden: cannot list pods");
            server.access().clear();
            pods.synced(PATIENCE).block();
            assertThat(get(probes, "/readyz").body()).isEqualTo("ok");
        } finally {
            probes.disposeNow();
        }
    }

    private static HttpResponse<String> get(DisposableServer probes, String path) throws Exception {
        return HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + probes.port() + path)).build(), BodyHandlers.ofString());
    }

    @Test
    void theManifestIsAccepted() throws Exception {
        String page = Files.readString(Path.of("operating.md"));
        for (String document : page.split("```yaml\n", -1)[1].split("```", -1)[0].split("\n---\n", -1)) {
            server.objects().create(document);
        }
        V1Deployment deployment = client.resources(ResourceType.of(V1Deployment.class)).get(ObjectKey.of("shop", "shop")).block(PATIENCE);
        assertThat(deployment.getSpec().getTemplate().getSpec().getContainers().get(0).getStartupProbe().getHttpGet().getPath())
                .isEqualTo("/readyz");
    }
}
