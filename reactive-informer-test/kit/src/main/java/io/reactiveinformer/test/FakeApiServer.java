package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ClientCertificate;
import io.reactiveinformer.apiserver.ClusterObjects;
import io.reactiveinformer.apiserver.internal.Engine;
import io.reactiveinformer.apiserver.internal.ServerBuilder;
import io.reactiveinformer.apiserver.internal.cluster.Backup;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.server.Breaks;
import io.reactiveinformer.apiserver.internal.server.CertificateAuthority;
import io.reactiveinformer.apiserver.internal.server.MemoryTransport;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import io.reactiveinformer.test.faults.Faults;
import io.reactiveinformer.transport.Transport;
import java.util.List;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A Kubernetes API server in memory, for tests and demonstrations.
 *
 * <pre>{@code
 * FakeApiServer server = FakeApiServer.create();
 * server.objects().create(pod);                    // past the API, from YAML, JSON, a tree or a model class
 * server.transport();                              // for a client in the same process, in the server's time
 * server.start().url();                            // for any client, kubectl too
 * }</pre>
 *
 * <p>Every timer runs on one {@link Scheduler}, so that with a virtual one nothing happens until the test lets time pass. Safe for use by several
 * threads.
 */
public final class FakeApiServer implements AutoCloseable {

    private final Engine engine;
    private final ClusterObjects objects;
    private final Disasters disasters;
    private final Faults faults;
    private final RecordedRequests requests = new RecordedRequests();
    private final AccessControl access = new AccessControl();
    private final ServerLog log;
    private final RequestHandler handler;
    private final MemoryTransport transport;

    private FakeApiServer(Engine engine) {
        this.engine = engine;
        this.objects = ClusterObjects.of(engine);
        var breaks = new Breaks();
        this.log = new ServerLog(engine.scheduler());
        this.disasters = new Disasters(engine.cluster(), breaks, log, engine::resetConnections); // faults reset on the threads that close() waits for
        this.faults = new Faults(engine.scheduler(), disasters);
        RequestHandler api = access.around(engine.api());
        this.handler = requests.around(log.around(breaks.around(faults.around(api, occurrence -> log.note("fault: " + occurrence.fault())))));
        this.transport = new MemoryTransport(handler);
        engine.first().forEach(objects::create);
    }

    /** With the defaults of the real server. */
    public static FakeApiServer create() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** For a client in this process: no sockets, the server's own time. */
    public Transport transport() {
        return transport;
    }

    /** Begins to listen on a free port of the loopback address, once. Blocks until it does. */
    public FakeApiServer start() {
        return start(0);
    }

    /** The same, on a port of the caller's choice. */
    public FakeApiServer start(int port) {
        engine.listen(port, api -> handler);
        return this;
    }

    /** Where the server listens: {@code http://127.0.0.1:49152}, {@code https} with TLS. */
    public String url() {
        return engine.url();
    }

    /** Signs the server's certificate and those of its users, PEM. Only with TLS. */
    public String caCertificate() {
        return engine.caCertificate();
    }

    /** A certificate for a user, who is in these groups; of {@code system:masters} he may do everything. Only with TLS. */
    public ClientCertificate clientCertificate(String user, String... groups) {
        CertificateAuthority.Issued issued = engine.certificate(user, groups);
        return new ClientCertificate(issued.certificatePem(), issued.keyPem());
    }

    /** What a client needs to know of this server, for an administrator; to be written to a file. The server must have been started. */
    public String kubeconfig() {
        return kubeconfig("kubernetes-admin", "system:masters");
    }

    /** The same for a user: with the token that {@link #access} gave him, else, with TLS, with a certificate of his own. */
    public String kubeconfig(String user, String... groups) {
        return engine.kubeconfig(user, access.token(user).orElse(null), groups);
    }

    /** What is in the cluster, past the API: to set a test up, and to look at what came of it. */
    public ClusterObjects objects() {
        return objects;
    }

    /** Runs every timer of this server; a simulation's moves too. */
    public Scheduler scheduler() {
        return engine.scheduler();
    }

    Cluster cluster() {
        return engine.cluster();
    }

    /** What was asked of this server. */
    public RecordedRequests requests() {
        return requests;
    }

    /**
     * What happened, in order and in the server's time, for people to read: requests and how they were answered, faults, restarts. The latest thousand
     * lines.
     */
    public List<String> log() {
        return log.lines();
    }

    /**
     * As when it was new, on the same port: no objects but the first namespaces and what {@link Builder#with} put there, no faults, no users, no recorded
     * requests. Watches end, what a fault holds up is broken, and what the cluster was about to do it does not; versions go on.
     */
    public void reset() {
        faults.reset(() -> {
            access.clear();
            engine.cluster().clear();
            engine.first().forEach(objects::create);
            requests.clear();
            log.clear();
        });
    }

    /** Who may do what. */
    public AccessControl access() {
        return access;
    }

    /**
     * As when the server's process is killed and begins anew over the same store: every connection is reset, in the middle of what it carries, and
     * all history is forgotten. Whoever comes back, however fast, finds the new process.
     */
    public void restart() {
        disasters.restart();
    }

    /**
     * As when another API server of the cluster takes over, who was there before: every connection is reset, and of each type's history the latest
     * {@code events} are there. Whoever resumes from before them is expired; others go on and miss nothing.
     */
    public void restartKeeping(int events) {
        disasters.restartKeeping(events);
    }

    /** The present, for {@link #restore}. */
    public Backup backup() {
        return disasters.backup();
    }

    /**
     * As when the store is replaced by a backup: every connection is reset, objects are what they were then, and so is the resourceVersion, which falls
     * if it must. Clients that have seen more than that find that their version is from this server's future.
     */
    public void restore(Backup backup) {
        disasters.restore(backup);
    }

    /** What goes wrong, on command. */
    public Faults faults() {
        return faults;
    }

    /** The latest resourceVersion. */
    public String resourceVersion() {
        return Long.toString(engine.cluster().version());
    }

    /** Forgets the history up to now: older versions and continue tokens are expired. Open watches go on. */
    public void compact() {
        disasters.compact();
    }

    /** Ends every connection and releases port and threads. Blocks until that is done. */
    @Override
    public void close() {
        transport.dispose().subscribe();
        engine.close();
    }

    /** How a server is to be. In a test whose clock is virtual, the server runs on that clock unless it is given another. */
    public static final class Builder extends ServerBuilder<Builder> {

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        public FakeApiServer build() {
            if (scheduler == null && VirtualTimeScheduler.isFactoryEnabled()) { // then all schedulers of Reactor's are that clock, and it is not ours to dispose
                scheduler(VirtualTimeScheduler.get());
            }
            return new FakeApiServer(engine());
        }
    }
}
