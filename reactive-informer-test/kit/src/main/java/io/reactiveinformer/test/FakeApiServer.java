package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.apiserver.ClientCertificate;
import io.reactiveinformer.apiserver.ClusterObjects;
import io.reactiveinformer.apiserver.internal.Engine;
import io.reactiveinformer.apiserver.internal.ServerBuilder;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Breaks;
import io.reactiveinformer.apiserver.internal.server.CertificateAuthority;
import io.reactiveinformer.apiserver.internal.server.MemoryTransport;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import io.reactiveinformer.test.faults.Faults;
import io.reactiveinformer.transport.Transport;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A Kubernetes API server in memory, for tests and demonstrations: with faults, access control, recorded requests and virtual time.
 *
 * <pre>{@code
 * FakeApiServer server = FakeApiServer.create();
 * server.objects().create(pod);                    // past the API, from YAML, JSON, a tree or a model class
 * server.transport();                              // for a client in the same process, in the server's time
 * server.start().url();                            // for any client, kubectl too
 * }</pre>
 *
 * <p>If the system property {@code cluster} is {@code real}, a server is a proxy to the cluster of a kubeconfig instead, so that the same
 * tests run there: {@code -Dcluster.kubeconfig=FILE} (or the variable {@code REAL_KUBECONFIG} or {@code KUBECONFIG}) and {@code
 * -Dcluster.context=NAME} are needed, and nothing is chosen silently. Then {@link #objects} sends requests, the namespaces that it names
 * are created and deleted with the test, users are impersonated, and {@link #faults} and {@link #requests} are about what passes the
 * proxy. Only what was created through this server is changed or deleted. What needs a server in memory, such as {@link #compact}, throws
 * the exception of a failed assumption, and so skips the test. See {@code docs/guide/testing.md}.
 *
 * <p>Every timer runs on one {@link Scheduler}; with a virtual one nothing that is due later happens until the test advances its time. Safe
 * for use by several threads.
 */
public final class FakeApiServer implements AutoCloseable {

    private final Engine engine;
    private final @Nullable Replay replay;
    private final ClusterObjects objects;
    private final Disasters disasters;
    private final Faults faults;
    private final @Nullable RealCluster real;
    private @Nullable String tooSpecial;
    private boolean filled;
    private final RecordedRequests requests = new RecordedRequests();
    private final AccessControl access;
    private final ServerLog log;
    private final RequestHandler handler;
    private final MemoryTransport transport;

    private FakeApiServer(Engine engine, @Nullable Replay replay, @Nullable RealCluster real) {
        this.engine = engine;
        this.replay = replay;
        this.real = real;
        this.objects = real == null ? ClusterObjects.of(engine) : new RealObjects(ClusterObjects.of(engine), real);
        var breaks = new Breaks();
        this.log = new ServerLog(engine.scheduler());
        // faults reset on the threads that close() waits for
        this.disasters = new Disasters(engine.cluster(), breaks, log, engine::resetConnections, real);
        Consumer<String> resources = real != null ? real.types()::require : resource -> engine.cluster().types().require(resource);
        this.faults = new Faults(engine.scheduler(), disasters, resources);
        this.access = new AccessControl(engine.cluster(), resources, real);
        engine.reviewBy(access.authorizer());
        RequestHandler api = replay != null ? replay : access.around(real != null ? real : engine.api());
        this.handler =
                requests.around(log.around(breaks.around(faults.around(api, occurrence -> log.note("fault: " + occurrence.fault())))));
        this.transport = new MemoryTransport(handler);
        if (real == null) {
            fill();
        }
    }

    /** Not by the constructor on a real cluster: what cannot be played there skips the test, and not the class's static fields. */
    private synchronized void fill() {
        if (real != null && tooSpecial != null) {
            throw real.skip(tooSpecial + " needs a server in memory");
        }
        if (!filled) {
            filled = true;
            engine.first().forEach(objects::load);
        }
    }

    /** A server with the defaults of the real one, which does not listen yet. */
    public static FakeApiServer create() {
        return builder().build();
    }

    /** A builder with the defaults of the real server. */
    public static Builder builder() {
        return new Builder();
    }

    /** A new transport for a client in this process: without sockets, in the server's own time. Needs no {@link #start}. */
    public Transport transport() {
        fill();
        return transport.branch();
    }

    /**
     * Listens on a free port of the loopback address. Blocks until it does. A second call changes nothing.
     *
     * @throws IllegalStateException if the server was closed
     */
    public FakeApiServer start() {
        return start(0);
    }

    /**
     * Listens on this port of the loopback address. Blocks until it does. A second call changes nothing.
     *
     * @param port 0 for a free one
     * @throws IllegalStateException if the server was closed
     */
    public FakeApiServer start(int port) {
        fill();
        engine.listen(port, api -> handler);
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
     * The certificate, in PEM, of the authority that signs the server's certificate and those of its users.
     *
     * @throws IllegalStateException without TLS
     */
    public String caCertificate() {
        return engine.caCertificate();
    }

    /**
     * Issues a client certificate for a user in these groups; a user in {@code system:masters} may do everything that {@link #access} does
     * not deny.
     *
     * @throws IllegalStateException without TLS
     */
    public ClientCertificate clientCertificate(String user, String... groups) {
        CertificateAuthority.Issued issued = engine.certificate(user, groups);
        return new ClientCertificate(issued.certificatePem(), issued.keyPem());
    }

    /**
     * The text of a kubeconfig file for an administrator, in the group {@code system:masters}.
     *
     * @throws NullPointerException before {@link #start}
     */
    public String kubeconfig() {
        return kubeconfig("kubernetes-admin", "system:masters");
    }

    /**
     * The text of a kubeconfig file for this user: with the token that {@link #access} knows for it; else, with TLS, with a new certificate
     * that names these groups.
     *
     * @throws NullPointerException before {@link #start}
     */
    public String kubeconfig(String user, String... groups) {
        return engine.kubeconfig(user, access.token(user).orElse(null), groups);
    }

    /** The objects of the cluster, read and written without requests: to set up a test and to check its outcome. */
    public ClusterObjects objects() {
        fill();
        return objects;
    }

    /** The scheduler that runs every timer of this server, and a simulation's moves. */
    public Scheduler scheduler() {
        return engine.scheduler();
    }

    /**
     * The namespace for a test that needs only one: objects that name none are in it. {@code default} in memory; on a real cluster one that
     * is made for this test.
     */
    public String namespace() {
        return real == null ? "default" : real.namespace();
    }

    /** Why the test cannot run on the real cluster that it runs on; empty if it can, and for a server in memory. */
    public Optional<String> obstacle() {
        return real == null ? Optional.empty() : real.obstacle();
    }

    /**
     * Skips the test on a real cluster.
     *
     * @param what needs a server in memory
     */
    public void requireMemory(String what) {
        disasters.requireStore(what);
    }

    Cluster cluster() {
        return engine.cluster();
    }

    /** The requests that this server received. */
    public RecordedRequests requests() {
        return requests;
    }

    /**
     * The log of this server, for people to read, oldest first and with the server's time: requests and their answers, faults, restarts.
     * Only the latest 1000 entries are kept; a first line then says how many are missing.
     */
    public List<String> log() {
        return log.lines();
    }

    /**
     * Restores the state of a new server, on the same port: without objects except the first namespaces and those of {@link Builder#with},
     * without faults, users, recorded requests and log. Watches end, exchanges that a fault delays are broken, and pending work of the
     * cluster is dropped. Resource versions continue.
     */
    public void reset() {
        faults.reset(() -> {
            access.clear();
            if (real != null) {
                real.clean();
            }
            engine.cluster().clear();
            filled = false;
            fill();
            if (replay != null) {
                replay.reset();
            }
            requests.clear();
            log.clear();
        });
    }

    /** The users of this server, and what each may do. */
    public AccessControl access() {
        return access;
    }

    /**
     * Restarts the server, as when its process is killed and a new one starts on the same store: every connection is reset, in the middle
     * of an answer too, and all history is forgotten. A client that reconnects, however fast, reaches the new process.
     */
    public void restart() {
        disasters.restart();
    }

    /**
     * Restarts the server, as when another API server of the cluster, which ran before, takes over: every connection is reset, and the
     * latest {@code events} of each type's history are kept. A watch that resumes from before them is expired; other watches go on and miss
     * nothing.
     *
     * @throws IllegalArgumentException if {@code events} is negative
     */
    public void restartKeeping(int events) {
        disasters.restartKeeping(events);
    }

    /** A copy of the current state of the store, for {@link #restore}. */
    public Backup backup() {
        return disasters.backup();
    }

    /**
     * Replaces the store with a backup: every connection is reset, and objects and resourceVersion are those of the backup, even if the
     * version decreases. A client that has seen a later version is answered that its version is from the future.
     */
    public void restore(Backup backup) {
        disasters.restore(backup);
    }

    /** The faults of this server; each is set by the test. */
    public Faults faults() {
        return faults;
    }

    /** The latest resourceVersion of the cluster. */
    public String resourceVersion() {
        return real == null ? Long.toString(engine.cluster().version())
                : Json.text(real.call("GET", "/api/v1/namespaces?limit=1", null), "metadata", "resourceVersion");
    }

    /** Forgets the history up to now: older resource versions and continue tokens are expired. Open watches go on. */
    public void compact() {
        disasters.compact();
    }

    /** Ends every connection and releases port and threads. Blocks until that is done. */
    @Override
    public void close() {
        transport.dispose().subscribe();
        engine.close();
        if (real != null) {
            real.close();
        }
    }

    /** Builds a server. While a {@link TestClock} is started, the server runs on it unless another scheduler is given. */
    public static final class Builder extends ServerBuilder<Builder> {

        /** Those that a real cluster has, too, or does not need. */
        private static final Set<String> ANYWHERE = Set.of("tls", "with", "seed");

        private final Set<String> settings = new TreeSet<>();
        private @Nullable Path recording;

        private Builder() {}

        /**
         * Answers requests as they were answered when a {@link Recorder} recorded them in this directory, instead of from objects: equal
         * requests, by method, path, query and form, in their order and each once. While a {@link TestClock} is started, or with another
         * virtual scheduler, answers and events take the time that they took; else they come at once. A watch that had no end, or that the
         * client ended, stays open, unless it was followed by another watch. What was not recorded is answered by 501 with the requests
         * that were. Faults, log and requests work as ever; {@link FakeApiServer#objects} has nothing to do with the answers.
         */
        public Builder replay(Path directory) {
            this.recording = directory;
            return self();
        }

        @Override
        protected Builder self() {
            settings.add(StackWalker.getInstance().walk(frames ->
                    frames.map(StackWalker.StackFrame::getMethodName).filter(name -> !name.equals("self")).findFirst().orElseThrow()));
            return this;
        }

        /**
         * A server as described so far, which contains the objects of {@link #with} and does not listen yet.
         *
         * @throws IllegalArgumentException if there is no recording in the directory of {@link #replay}, or it is malformed
         */
        public FakeApiServer build() {
            // All schedulers of Reactor are that clock then, and this server must not dispose of it.
            if (scheduler == null && VirtualTimeScheduler.isFactoryEnabled()) {
                scheduler(VirtualTimeScheduler.get());
            }
            Engine engine = engine();
            RealCluster real = RealCluster.chosen();
            var server = new FakeApiServer(engine, recording == null ? null : new Replay(recording, engine.scheduler()), real);
            settings.removeAll(ANYWHERE);
            server.tooSpecial = settings.isEmpty() ? null : "a server with " + settings;
            return server;
        }
    }
}
