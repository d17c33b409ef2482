package io.reactiveinformer.guide;

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
import io.kubernetes.client.util.KubeConfig;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.junit.FakeCluster;
import java.io.StringReader;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;


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
            server.faults().on("create", "configmaps").internalError();                // the first try fails
            client.configMaps().resource(colours).create();                             // and fabric8 tries again
        }
        server.requests().verifyWrites("create configmaps in shop", "create configmaps in shop");
    }

    @Test
    void theOfficialClientComesAsAnAdministratorOverTls() throws Exception {
        try (FakeApiServer server = FakeApiServer.builder().tls().build().start()) {
            ApiClient client = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build();
            assertThat(new CoreV1Api(client).listNamespace().execute().getItems()).hasSize(4);
        }
    }

    @Test
    void fabric8ComesAsAnAdministratorOverTls() {
        try (FakeApiServer server = FakeApiServer.builder().tls().build().start();
                KubernetesClient client = new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(server.kubeconfig())).build()) {
            assertThat(client.namespaces().list().getItems()).hasSize(4);
        }
    }
}
