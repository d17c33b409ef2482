package io.reactiveinformer.guide.webhook;

import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1IngressRule;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.store.Index;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Refuses an ingress whose host is in use in another namespace. */
@RestController
class HostWebhook {

    static final Index<V1Ingress, String> BY_HOST = Index.ofMany("host", HostWebhook::hosts);

    private final Informer<V1Ingress> ingresses;

    HostWebhook(Informer<V1Ingress> ingresses) {
        this.ingresses = ingresses;
        ingresses.addIndex(BY_HOST).subscribe();
    }

    @PostMapping("/validate-ingress")
    Map<String, Object> validate(@RequestBody JsonNode review) {
        JsonNode request = review.at("/request");
        Optional<String> reason = request.at("/object/spec/rules").valueStream()
                .map(rule -> rule.path("host").asString(""))
                .filter(host -> isElsewhere(host, request.path("namespace").asString()))
                .findFirst()
                .map(host -> "the host " + host + " is in use in another namespace");
        return Map.of("apiVersion", "admission.k8s.io/v1", "kind", "AdmissionReview", "response", Map.of(
                "uid", request.path("uid").asString(),
                "allowed", reason.isEmpty(),
                "status", Map.of("message", reason.orElse(""))));
    }

    private boolean isElsewhere(String host, String namespace) {
        return ingresses.lister().by(BY_HOST, host).list().stream()
                .anyMatch(other -> !other.getMetadata().getNamespace().equals(namespace));
    }

    private static List<String> hosts(V1Ingress ingress) {
        return ingress.getSpec().getRules().stream().map(V1IngressRule::getHost).filter(Objects::nonNull).toList();
    }
}
