package io.reactiveinformer.apiserver.internal;

import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Writes;
import io.reactiveinformer.apiserver.internal.server.ApiHandler;
import io.reactiveinformer.apiserver.internal.server.CertificateAuthority;
import io.reactiveinformer.apiserver.internal.server.GzipMembers;
import io.reactiveinformer.apiserver.internal.server.HttpShell;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A server put together: its cluster, its API, its certificates, and its port. Safe for use by several threads. */
public final class Engine implements AutoCloseable {

    private final Scheduler scheduler;
    private final boolean ownScheduler;
    private final Cluster cluster;
    private final Writes writes;
    private final RequestHandler api;
    private final @Nullable CertificateAuthority authority;
    private final UnaryOperator<RequestHandler> compression;
    private final List<Object> first;
    private volatile @Nullable HttpShell shell;
    private boolean closed;

    Engine(ServerBuilder<?> settings) {
        this.ownScheduler = settings.scheduler == null;
        this.scheduler = settings.scheduler != null ? settings.scheduler : Schedulers.newParallel("fake-apiserver-timer", 2, true);
        this.cluster = new Cluster(settings.history, () -> Instant.ofEpochMilli(scheduler.now(TimeUnit.MILLISECONDS)), settings.seed);
        this.writes = cluster.open(scheduler, settings.podShutdown, settings.establishing);
        this.api = new ApiHandler(cluster, writes, scheduler, settings.watchTimes());
        this.authority = settings.tls ? new CertificateAuthority() : null;
        long seed = settings.seed;
        this.compression = settings.compressedStreamingLists ? handler -> GzipMembers.around(handler, seed) : handler -> handler;
        this.first = List.copyOf(settings.first);
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public Cluster cluster() {
        return cluster;
    }

    public Writes writes() {
        return writes;
    }

    /** Answers every request, with nothing around it. */
    public RequestHandler api() {
        return api;
    }

    /** The objects that the cluster begins with. */
    public List<Object> first() {
        return first;
    }

    /**
     * Begins to listen on the loopback address, once. Blocks until it does.
     *
     * @param port 0 for one that is free
     * @param around what stands between the port and {@link #api}
     */
    public synchronized void listen(int port, UnaryOperator<RequestHandler> around) {
        if (closed) {
            throw new IllegalStateException("this server was closed; make another one");
        }
        if (shell == null) {
            shell = HttpShell.listen(compression.apply(around.apply(api)), port, authority);
        }
    }

    /** Where it listens, such as {@code http://127.0.0.1:49152}. */
    public synchronized String url() {
        return Objects.requireNonNull(shell, "the server does not listen yet: call start()").url();
    }

    /** Without waiting for {@link #close}. */
    public void resetConnections() {
        HttpShell listening = shell;
        if (listening != null) {
            listening.resetConnections();
        }
    }

    /** In PEM. Only with TLS. */
    public String caCertificate() {
        return authority().certificatePem();
    }

    /** A certificate for a user of these groups. Only with TLS. */
    public CertificateAuthority.Issued certificate(String user, String... groups) {
        return authority().user(user, List.of(groups));
    }

    /**
     * For a user of this server, which must listen.
     *
     * @param token null for none; then, with TLS, the user gets a certificate
     */
    public String kubeconfig(String user, @Nullable String token, String... groups) {
        boolean secure = authority != null;
        CertificateAuthority.Issued certificate = secure && token == null ? certificate(user, groups) : null;
        return KubeconfigText.of(url(), secure ? caCertificate() : null, user, token, certificate);
    }

    private CertificateAuthority authority() {
        if (authority == null) {
            throw new IllegalStateException("this server has no certificates: build it with tls()");
        }
        return authority;
    }

    /** Ends every connection and releases port and threads. Blocks until that is done. */
    @Override
    public synchronized void close() {
        closed = true;
        if (shell != null) {
            shell.close();
            shell = null;
        }
        if (ownScheduler) {
            scheduler.dispose();
        }
    }
}
