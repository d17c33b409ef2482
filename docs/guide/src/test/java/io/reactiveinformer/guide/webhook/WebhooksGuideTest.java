package io.reactiveinformer.guide.webhook;

import io.kubernetes.client.openapi.models.V1Ingress;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The webhook of docs/guide/webhooks.md, with reviews as an API server sends them. */
@Timeout(60)
class WebhooksGuideTest {

    private final FakeApiServer server = FakeApiServer.create();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);
    private final Informer<V1Ingress> ingresses = informers.of(ResourceType.of(V1Ingress.class));
    private HostWebhook webhook;

    @BeforeEach
    void begin() {
        server.objects().create("""
                {apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: shop, namespace: shop},
                 spec: {rules: [{host: shop.example.com}, {http: {paths: [
                   {pathType: Prefix, path: /, backend: {service: {name: s, port: {number: 80}}}}]}}]}}""");
        webhook = new HostWebhook(ingresses);
        informers.start();
        ingresses.synced(Duration.ofSeconds(20)).block();
    }

    @AfterEach
    void end() {
        informers.close();
        client.close();
        server.close();
    }

    private Map<?, ?> response(String namespace, String host) {
        return (Map<?, ?>) webhook.validate(JsonMapper.shared().readTree("""
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u-1", "namespace": "%s",
                 "object": {"spec": {"rules": [{"http": {}}, {"host": "%s"}]}}}}""".formatted(namespace, host))).get("response");
    }

    @Test
    void refusesAHostOfAnotherNamespace() {
        assertThat(response("shop", "shop.example.com").get("allowed")).isEqualTo(true);
        assertThat(response("bank", "bank.example.com").get("allowed")).isEqualTo(true);
        Map<?, ?> refusal = response("bank", "shop.example.com");
        assertThat(refusal.get("allowed")).isEqualTo(false);
        assertThat(refusal.get("uid")).isEqualTo("u-1");
        assertThat(refusal.get("status")).isEqualTo(Map.of("message", "the host shop.example.com is in use in another namespace"));
    }
}
