package io.reactiveinformer.client;

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
 * A client of one API server, with connections and event loops of its own, which keep a plain {@code main} alive until {@link #close}.
 * Creating a client sends nothing and never blocks.
 */
public interface KubernetesClient extends AutoCloseable {

    /** As {@link #create(ClusterConfig, ClientOptions)}, with {@link ClientOptions#defaults}. */
    static KubernetesClient create(ClusterConfig config) {
        return create(config, ClientOptions.defaults());
    }

    /** As {@link #create(ClusterConfig, ClientOptions)}, with default options but for connections and time limits. */
    static KubernetesClient create(ClusterConfig config, TransportOptions options) {
        return create(config, ClientOptions.defaults().withTransport(options));
    }

    /**
     * A client of the API server that {@code config} describes. The configuration is read at the first request, or by
     * {@link #checkConfiguration}; if that fails, it is read again at the next one.
     */
    static KubernetesClient create(ClusterConfig config, ClientOptions options) {
        return DefaultKubernetesClient.create(config, options);
    }

    /**
     * A client over a transport that has its own server and credentials, such as a fake server in memory, without limits of writes and
     * lists. Everything stays on the threads of the transport, so that virtual time works. The transport is disposed of with this client.
     */
    static KubernetesClient over(Transport transport) {
        return over(transport, ClientOptions.defaults().withWriteLimit(0, 1).withListsAtOnce(0));
    }

    /** As {@link #over(Transport)}, with options. Of the options' transport only the timer is used. */
    static KubernetesClient over(Transport transport, ClientOptions options) {
        return DefaultKubernetesClient.over(transport, options);
    }

    /**
     * Requests about objects of {@code type}. Sends nothing by itself.
     *
     * @throws IllegalArgumentException if the class of its objects has a malformed {@link io.reactiveinformer.resource.FieldPath}, or two
     *     that overlap; or if Jackson can make no objects of the class, or of that of a property: the message says why, and what helps
     */
    <T> ResourceClient<T> resources(ResourceType<T> type);

    /**
     * This client, but objects keep their {@code metadata.managedFields}, which are dropped otherwise: for single objects whose managers
     * matter. Connections and limits are shared; closing either closes both.
     */
    KubernetesClient withManagedFields();

    /** The resources of the server. The same instance each time, which caches what it has found. */
    Discovery discovery();

    /** Requests to any path of the server, without types. */
    RawClient raw();

    /**
     * A name of the server, the same in each process, for data that is stored: its address, and a fingerprint of the authorities that
     * verify its certificate, if these were configured. Reads the configuration and sends nothing to the server.
     */
    Mono<String> server();

    /**
     * Reads the configuration and fetches the credential, as the first request would, but sends nothing to the server. Fails with
     * {@link ConfigException} if something is wrong there, so that a program can fail at its start instead of at its first request. Later
     * requests use what was read and fetched.
     */
    Mono<Void> checkConfiguration();

    /**
     * The output of a container of {@code pod}, line by line without line ends, as it is requested. A line of more than a mebibyte comes in
     * pieces. Completes when the log ends; with {@link LogOptions#follow}, that is when the container ends. The server may end it earlier.
     */
    Flux<String> logs(ObjectKey pod, LogOptions options);

    /**
     * Registers {@code end}, which is subscribed to when this client is closed, while it still sends requests, so that a dependent can end
     * in order: release a lease, or write its last events. The last registered dependent ends first. All together have five seconds; a
     * failure is logged.
     *
     * @return cancels the registration, for a dependent that has ended before
     */
    Disposable beforeClose(Mono<Void> end);

    /**
     * Ends the dependents of this client, then the requests in progress, and releases connections and threads, in the background. Informers
     * stop, with {@link ClientClosedException} as the cause in their status; electors resign; recorders write what they have. Requests
     * after that fail with {@link ClientClosedException}. Closing again does nothing.
     */
    @Override
    void close();

    /** As {@link #close}, on subscription; completes when everything is released. */
    Mono<Void> dispose();
}
