package io.reactiveinformer.apiserver.internal;

import io.reactiveinformer.apiserver.internal.admission.WebhookClient;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Writes;
import io.reactiveinformer.apiserver.internal.server.ApiHandler;
import io.reactiveinformer.apiserver.internal.server.Authorizer;
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

/** The parts of a server: its cluster, its API, its certificates, and its port. Safe for use by several threads. */
public final class Engine implements AutoCloseable {

    private final Scheduler scheduler;
    private final boolean ownScheduler;
    private final Cluster cluster;
    private final Writes writes;
    private final WebhookClient webhooks;
    private final ApiHandler api;
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
        this.webhooks = new WebhookClient(cluster, scheduler);
        this.api = new ApiHandler(cluster, writes, webhooks, scheduler, settings.watchTimes());
        this.authority = settings.tls ? new CertificateAuthority() : null;
        long seed = settings.seed;
        this.compression = settings.compressedStreamingLists ? handler -> GzipMembers.around(handler, seed) : handler -> handler;
        this.first = List.copyOf(settings.first);
    }

    /** The scheduler that runs every timer and tells the time. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /** The state of the cluster. */
    public Cluster cluster() {
        return cluster;
    }

    /** The writes to the cluster. */
    public Writes writes() {
        return writes;
    }

    /** The calls of webhooks. */
    public WebhookClient webhooks() {
        return webhooks;
    }

    /** The handler of every request, without faults, recording and access control. */
    public RequestHandler api() {
        return api;
    }

    /** See {@link ApiHandler#reviewBy}. */
    public void reviewBy(Authorizer authorizer) {
        api.reviewBy(authorizer);
    }

    /** The objects that the cluster is to begin with, in the order of their creation. The facade creates them. */
    public List<Object> first() {
        return first;
    }

    /**
     * Listens on the loopback address. Blocks until it does. A second call changes nothing.
     *
     * @param port 0 for a free one
     * @param around wraps {@link #api} for requests from the port
     * @throws IllegalStateException if this was closed
     */
    public synchronized void listen(int port, UnaryOperator<RequestHandler> around) {
        if (closed) {
            throw new IllegalStateException("this server was closed; make another one");
        }
        if (shell == null) {
            shell = new HttpShell(compression.apply(around.apply(api)), port, authority);
        }
    }

    /**
     * The server's address, such as {@code http://127.0.0.1:49152}; {@code https} with TLS.
     *
     * @throws NullPointerException if it does not listen
     */
    public synchronized String url() {
        return Objects.requireNonNull(shell, "the server does not listen yet: call start()").url();
    }

    /** Resets all connections of the port. Does not take the lock, so it does not wait for {@link #close}. */
    public void resetConnections() {
        HttpShell listening = shell;
        if (listening != null) {
            listening.resetConnections();
        }
    }

    /**
     * The certificate of the server's authority, in PEM.
     *
     * @throws IllegalStateException without TLS
     */
    public String caCertificate() {
        return authority().certificatePem();
    }

    /**
     * Issues a certificate for a user in these groups.
     *
     * @throws IllegalStateException without TLS
     */
    public CertificateAuthority.Issued certificate(String user, String... groups) {
        return authority().user(user, List.of(groups));
    }

    /**
     * The text of a kubeconfig file for this user.
     *
     * @param token null for none; then, with TLS, the user gets a certificate
     * @throws NullPointerException if the server does not listen
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
