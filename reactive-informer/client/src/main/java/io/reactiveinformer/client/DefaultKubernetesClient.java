package io.reactiveinformer.client;

import io.reactiveinformer.config.Cluster;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.internal.SecretHash;
import io.reactiveinformer.internal.codec.HasCodec;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.Transport;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Assembles the parts of a client. */
record DefaultKubernetesClient(
        ClosableTransport transport, RequestPipeline calls, Discovery discovery, Mono<String> server, Mono<Void> checkConfiguration)
        implements KubernetesClient, HasCodec {

    private static KubernetesClient of(
            Transport transport, ObjectCodec codec, ClientOptions options, Mono<String> server, Mono<Void> checkConfiguration) {
        var closable = new ClosableTransport(transport, options.transport().timer());
        RequestPipeline calls = RequestPipeline.of(closable, codec, options);
        SecretHash.prepare(); // not on an event loop, which must not block
        return new DefaultKubernetesClient(closable, calls, new ServerDiscovery(calls), server, checkConfiguration);
    }

    static KubernetesClient create(ClusterConfig config, ClientOptions options) {
        // a failure is not cached: the next request reads the files again, which may have been corrected
        Mono<Cluster> cluster = config.cluster(new OidcTokenEndpoints(options.transport())).cacheInvalidateIf(found -> false);
        Transport sockets = Transport.overSockets(cluster.flatMap(Cluster::endpoint), options.transport());
        ObjectCodec codec = codec(options, Schedulers.boundedElastic());
        var transport = new AuthenticatedTransport(sockets, cluster, options.transport().timer());
        return of(transport, codec, options, cluster.flatMap(ServerName::of), transport.checkConfiguration());
    }

    private static ObjectCodec codec(ClientOptions options, Scheduler loader) {
        return ObjectCodec.create(options.largestObject(), loader, options.managedFields(), options.protobuf());
    }

    static KubernetesClient over(Transport transport, ClientOptions options) {
        return of(transport, codec(options, Schedulers.immediate()), options, Mono.just("a server in memory"), Mono.empty());
    }

    @Override
    public <T> ResourceClient<T> resources(ResourceType<T> type) {
        calls.codec().check(type);
        return new DefaultResourceClient<>(calls, type);
    }

    @Override
    public KubernetesClient withManagedFields() {
        return codec().keepsManagedFields() ? this : new DefaultKubernetesClient(
                transport, calls.with(codec().managedFields(true)), discovery, server, checkConfiguration);
    }

    @Override
    public RawClient raw() {
        return new DefaultRawClient(calls);
    }

    @Override
    public ObjectCodec codec() {
        return calls.codec();
    }

    @Override
    public Flux<String> logs(ObjectKey pod, LogOptions options) {
        return new PodLogs(calls).lines(pod, options);
    }

    @Override
    public String toString() {
        return "KubernetesClient[" + transport + "]";
    }

    @Override
    public Disposable beforeClose(Mono<Void> end) {
        return transport.beforeClose(end);
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
