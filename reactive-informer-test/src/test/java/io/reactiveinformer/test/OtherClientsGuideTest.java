package io.reactiveinformer.test;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.ClientBuilder;
import io.reactiveinformer.test.junit.FakeCluster;
import org.junit.jupiter.api.Test;


/** The snippets of docs/guide/testing-other-clients.md. */
class OtherClientsGuideTest {

    @FakeCluster
    private FakeApiServer server;

    @Test
    void theOfficialClientWrites() throws Exception {
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
        ApiClient client = new ClientBuilder().setBasePath(server.url()).build();
        CoreV1Api api = new CoreV1Api(client);
        api.createNamespacedConfigMap("shop", new V1ConfigMap().metadata(new V1ObjectMeta().name("colours"))).execute();
        server.requests().verifyWrites("create configmaps in shop");
    }

    @Test
    void fabric8TriesAgain() {
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
        ConfigMap colours = new ConfigMapBuilder().withNewMetadata().withName("colours").endMetadata().build();
        Config config = new ConfigBuilder().withMasterUrl(server.url()).withNamespace("shop").build();
        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
            server.faults().on("create", "configmaps").internalError();
            client.configMaps().resource(colours).create();
        }
        server.requests().verifyWrites("create configmaps in shop", "create configmaps in shop");
    }
}
