package io.reactiveinformer.client;

import io.reactiveinformer.codec.ObjectCodec;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.resource.ClientClosedException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One server, and us there. Creating a client sends nothing and never blocks. It has connections and threads of its own, which keep a plain
 * {@code main} alive until {@link #close}.
 */
public interface KubernetesClient extends AutoCloseable {

    static KubernetesClient create(ClusterConfig config) {
        return create(config, ClientOptions.defaults());
    }

    static KubernetesClient create(ClusterConfig config, TransportOptions options) {
        return create(config, ClientOptions.defaults().withTransport(options));
    }

    static KubernetesClient create(ClusterConfig config, ClientOptions options) {
        return DefaultKubernetesClient.create(config, options);
    }

    /**
     * Over a transport that knows its server and credentials, such as a fake server in memory, without limits of rate. Nothing leaves the
     * threads of the transport, so that virtual time works. It is disposed of with this client.
     */
    static KubernetesClient over(Transport transport) {
        return over(transport, ClientOptions.defaults().withWriteLimit(0, 1).withListsAtOnce(0));
    }

    /** As {@link #over(Transport)}; of the options' transport only the timer counts. */
    static KubernetesClient over(Transport transport, ClientOptions options) {
        return DefaultKubernetesClient.over(transport, options);
    }

    <T> ResourceClient<T> resources(ResourceType<T> type);

    Discovery discovery();

    /** Requests to any path. */
    RawClient raw();

    /** How objects are read and written here. Who keeps objects of this client's shares their equal parts by reading with it. */
    ObjectCodec codec();

    /**
     * Names the server, for what is kept longer than this process lives: its address, and a fingerprint of the authorities that it is believed
     * by, where these were configured. Reads the configuration and asks the server nothing.
     */
    Mono<String> server();

    /**
     * Reads the configuration and fetches the credential, as the first request would, and sends the server nothing. Fails with
     * {@link ConfigException} if something is wrong there: a program that says so at its start need not wait for the first request to fail. What
     * was read and fetched serves the requests, too.
     */
    Mono<Void> checkConfiguration();

    /**
     * What a container of {@code pod} writes, line by line without their ends, as it is requested. A line of more than a mebibyte comes in
     * pieces. Completes when the log ends, which with {@link LogOptions#follow} is when the container does; the server may also cut
     * it off earlier.
     */
    Flux<String> logs(ObjectKey pod, LogOptions options);

    /**
     * Has {@code end} subscribed to when this client is closed, while requests still go out, so that what depends on the client ends in order: leases are
     * given back and events written. The last that was said comes first. Together they have five seconds.
     *
     * @return what takes it back, for who has ended before
     */
    Disposable beforeClose(Mono<Void> end);

    /**
     * Ends what depends on this client, then what is under way, and releases connections and threads, in the background. Informers stop, with
     * {@link ClientClosedException} as the cause in their status; electors resign; recorders write what they have. Requests after that fail with
     * {@link ClientClosedException}.
     */
    @Override
    void close();

    /** As {@link #close}; completes when all is released. */
    Mono<Void> dispose();
}
