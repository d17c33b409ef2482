package io.reactiveinformer.apiserver.internal.server;

import java.util.List;

/** The answers of {@code /readyz}, {@code /livez} and {@code /healthz}: always healthy. */
final class Health {

    /** The checks in the order of a server of 1.36. */
    private static final List<String> READY = List.of(
            "ping",
            "log",
            "informer-sync",
            "poststarthook/start-apiserver-admission-initializer",
            "poststarthook/generic-apiserver-start-informers",
            "poststarthook/priority-and-fairness-config-consumer",
            "poststarthook/priority-and-fairness-filter",
            "poststarthook/storage-object-count-tracker-hook",
            "poststarthook/start-apiextensions-informers",
            "poststarthook/start-apiextensions-controllers",
            "poststarthook/crd-informer-synced",
            "poststarthook/start-system-namespaces-controller",
            "poststarthook/peer-endpoint-reconciler-controller",
            "poststarthook/start-cluster-authentication-info-controller",
            "poststarthook/start-kube-apiserver-identity-lease-controller",
            "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
            "poststarthook/storage-readiness",
            "poststarthook/start-legacy-token-tracking-controller",
            "poststarthook/start-service-ip-repair-controllers",
            "poststarthook/rbac/bootstrap-roles",
            "poststarthook/scheduling/bootstrap-system-priority-classes",
            "poststarthook/priority-and-fairness-config-producer",
            "poststarthook/bootstrap-controller",
            "poststarthook/start-kubernetes-service-cidr-controller",
            "poststarthook/start-kube-aggregator-informers",
            "poststarthook/apiservice-status-local-available-controller",
            "poststarthook/apiservice-status-remote-available-controller",
            "poststarthook/apiservice-registration-controller",
            "poststarthook/apiservice-wait-for-first-sync",
            "poststarthook/apiservice-discovery-controller",
            "poststarthook/kube-apiserver-autoregistration",
            "autoregister-completion",
            "poststarthook/apiservice-openapi-controller",
            "poststarthook/apiservice-openapiv3-controller",
            "shutdown");

    private Health() {}

    /** @param path without a slash at its end */
    static String verbose(String path) {
        var parts = new StringBuilder();
        List<String> checks = path.equals("/readyz") ? READY : List.of("ping");
        checks.forEach(check -> parts.append("[+]").append(check).append(" ok\n"));
        return parts + path.substring(1) + " check passed\n";
    }
}
