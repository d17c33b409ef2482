package io.reactiveinformer.client;

import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.transport.Transport;

final class DefaultKubernetesClient {
    private DefaultKubernetesClient() {}

    @SuppressWarnings("DoNotCallSuggester") // not built yet
    static KubernetesClient create(ClusterConfig config) {
        throw new UnsupportedOperationException(config.server().toString());
    }

    @SuppressWarnings("DoNotCallSuggester") // not built yet
    static KubernetesClient over(Transport transport) {
        throw new UnsupportedOperationException(transport.toString());
    }
}
