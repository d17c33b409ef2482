package io.reactiveinformer.client;

import io.reactiveinformer.codec.ObjectCodec;
import io.reactiveinformer.config.Cluster;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import reactor.core.publisher.Mono;

/** Puts the parts together. */
final class DefaultKubernetesClient implements KubernetesClient {

    private final Transport transport;
    private final Calls calls;
    private final Discovery discovery;

    private DefaultKubernetesClient(Transport transport) {
        this.transport = transport;
        this.calls = new Calls(transport, ObjectCodec.create());
        this.discovery = new ServerDiscovery(calls);
    }

    static KubernetesClient create(ClusterConfig config, TransportOptions options) {
        Mono<Cluster> cluster = config.cluster(new OidcTokenEndpoints(options)).cacheInvalidateIf(found -> false); // a failure is not kept: files may be mended
        Transport sockets = Transport.overSockets(cluster.flatMap(Cluster::endpoint), options);
        return over(new AuthenticatedTransport(sockets, cluster));
    }

    static KubernetesClient over(Transport transport) {
        return new DefaultKubernetesClient(new UserAgent(transport));
    }

    @Override
    public <T> ResourceClient<T> resources(ResourceType<T> type) {
        return new DefaultResourceClient<>(calls, type);
    }

    @Override
    public Discovery discovery() {
        return discovery;
    }

    @Override
    public void close() {
        dispose().subscribe();
    }

    @Override
    public Mono<Void> dispose() {
        return transport.dispose();
    }
}
