package io.reactiveinformer.apiserver;

import io.reactiveinformer.apiserver.internal.Engine;
import io.reactiveinformer.apiserver.internal.ServerBuilder;

/**
 * A Kubernetes API server in memory, on a port of the loopback address. Any client can use it, kubectl too.
 *
 * <pre>{@code
 * try (ApiServer server = ApiServer.builder().with(pod).build().start(0)) {
 *     Files.writeString(Path.of("kubeconfig"), server.kubeconfig());
 * }
 * }</pre>
 *
 * <p>Tests of informers use {@code FakeApiServer} of the test kit, which is the same server with faults, recorded requests and virtual
 * time. Safe for use by several threads.
 */
public final class ApiServer implements AutoCloseable {

    private final Engine engine;
    private final ClusterObjects objects;

    private ApiServer(Engine engine) {
        this.engine = engine;
        this.objects = ClusterObjects.of(engine);
        engine.first().forEach(objects::load);
    }

    /** A builder with the defaults of the real server. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Listens on the loopback address. Blocks until it does. A second call changes nothing.
     *
     * @param port 0 for a free one
     * @throws IllegalStateException if the server was closed
     */
    public ApiServer start(int port) {
        engine.listen(port, api -> api);
        return this;
    }

    /**
     * The server's address, such as {@code http://127.0.0.1:49152}; {@code https} with TLS.
     *
     * @throws NullPointerException before {@link #start}
     */
    public String url() {
        return engine.url();
    }

    /**
     * The text of a kubeconfig file for an administrator; with TLS, with a new client certificate.
     *
     * @throws NullPointerException before {@link #start}
     */
    public String kubeconfig() {
        return engine.kubeconfig("kubernetes-admin", null, "system:masters");
    }

    /** The objects of the cluster, read and written without requests. */
    public ClusterObjects objects() {
        return objects;
    }

    /** Ends every connection and releases port and threads. Blocks until that is done. */
    @Override
    public void close() {
        engine.close();
    }

    /** Builds a server. The defaults are those of the real one. */
    public static final class Builder extends ServerBuilder<Builder> {

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /** A server as described so far, with the objects of {@link #with}, which does not listen yet. */
        public ApiServer build() {
            return new ApiServer(engine());
        }
    }
}
