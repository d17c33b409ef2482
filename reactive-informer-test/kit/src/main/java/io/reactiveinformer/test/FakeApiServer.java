package io.reactiveinformer.test;

import io.reactiveinformer.test.cluster.Backup;
import io.reactiveinformer.test.cluster.Cluster;
import io.reactiveinformer.test.faults.Faults;
import io.reactiveinformer.test.server.ApiHandler;
import io.reactiveinformer.test.server.Breaks;
import io.reactiveinformer.test.server.CertificateAuthority;
import io.reactiveinformer.test.server.GzipMembers;
import io.reactiveinformer.test.server.HttpShell;
import io.reactiveinformer.test.server.MemoryTransport;
import io.reactiveinformer.test.server.RequestHandler;
import io.reactiveinformer.test.server.WatchTimes;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
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

    private final Scheduler scheduler;
    private final boolean ownScheduler;
    private final ClusterObjects objects;
    private final Disasters disasters;
    private final Faults faults;
    private final RecordedRequests requests = new RecordedRequests();
    private final AccessControl access = new AccessControl();
    private final ServerLog log;
    private final List<Object> first;
    private final RequestHandler handler;
    private final RequestHandler listening;
    private final @Nullable CertificateAuthority authority;
    private final MemoryTransport transport;
    private final Cluster cluster;
    private volatile @Nullable HttpShell shell;
    private boolean closed;

    private FakeApiServer(Builder builder) {
        Scheduler given = builder.scheduler;
        boolean virtual = VirtualTimeScheduler.isFactoryEnabled(); // then all schedulers of Reactor's are that clock, and it is not ours to dispose
        this.ownScheduler = given == null && !virtual;
        this.scheduler = given != null ? given : virtual ? VirtualTimeScheduler.get() : Schedulers.newParallel("fake-apiserver-timer", 2, true);
        this.cluster = new Cluster(builder.history, () -> Instant.ofEpochMilli(scheduler.now(TimeUnit.MILLISECONDS)), builder.seed);
        var writes = cluster.open(scheduler, builder.podShutdown, builder.establishing);
        this.objects = new ClusterObjects(cluster, writes);
        var breaks = new Breaks();
        this.log = new ServerLog(scheduler);
        this.disasters = new Disasters(cluster, breaks, log, this::resetConnections);
        this.faults = new Faults(scheduler, disasters);
        var times = new WatchTimes(builder.watchTimeout, builder.bookmarks, builder.cached, builder.shardSelectors, new Random(builder.seed));
        RequestHandler api = access.around(new ApiHandler(cluster, writes, scheduler, times));
        this.handler = requests.around(log.around(breaks.around(faults.around(api, occurrence -> log.note("fault: " + occurrence.fault())))));
        this.listening = builder.compressedStreamingLists ? GzipMembers.around(handler, builder.seed) : handler;
        this.authority = builder.tls ? new CertificateAuthority() : null;
        this.transport = new MemoryTransport(handler);
        this.first = List.copyOf(builder.first);
        first.forEach(objects::create);
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
    public synchronized FakeApiServer start(int port) {
        if (closed) {
            throw new IllegalStateException("this server was closed; make another one");
        }
        if (shell == null) {
            shell = HttpShell.listen(listening, port, authority);
        }
        return this;
    }

    /** Where the server listens: {@code http://127.0.0.1:49152}, {@code https} with TLS. */
    public synchronized String url() {
        return Objects.requireNonNull(shell, "the server does not listen yet: call start()").url();
    }

    /** Signs the server's certificate and those of its users, PEM. Only with TLS. */
    public String caCertificate() {
        return authority().certificatePem();
    }

    /** A certificate for a user, who is in these groups; of {@code system:masters} he may do everything. Only with TLS. */
    public ClientCertificate clientCertificate(String user, String... groups) {
        CertificateAuthority.Issued issued = authority().user(user, List.of(groups));
        return new ClientCertificate(issued.certificatePem(), issued.keyPem());
    }

    /** What a client needs to know of this server, for an administrator; to be written to a file. The server must have been started. */
    public String kubeconfig() {
        return kubeconfig("kubernetes-admin", "system:masters");
    }

    /** The same for a user: with the token that {@link #access} gave him, else, with TLS, with a certificate of his own. */
    public String kubeconfig(String user, String... groups) {
        String token = access.token(user).orElse(null);
        boolean secure = authority != null;
        return KubeconfigText.of(
                url(), secure ? caCertificate() : null, user, token, secure && token == null ? clientCertificate(user, groups) : null);
    }

    private CertificateAuthority authority() {
        if (authority == null) {
            throw new IllegalStateException("this server has no certificates: make it with FakeApiServer.builder().tls()");
        }
        return authority;
    }

    /** What is in the cluster, past the API: to set a test up, and to look at what came of it. */
    public ClusterObjects objects() {
        return objects;
    }

    /** Runs every timer of this server; a simulation's moves too. */
    public Scheduler scheduler() {
        return scheduler;
    }

    Cluster cluster() {
        return cluster;
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
            cluster.clear();
            first.forEach(objects::create);
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

    /** Without waiting for {@link #close}: faults do this on the threads that it waits for. */
    private void resetConnections() {
        HttpShell listening = shell;
        if (listening != null) {
            listening.resetConnections();
        }
    }

    /** What goes wrong, on command. */
    public Faults faults() {
        return faults;
    }

    /** The latest resourceVersion. */
    public String resourceVersion() {
        return Long.toString(cluster.version());
    }

    /** Forgets the history up to now: older versions and continue tokens are expired. Open watches go on. */
    public void compact() {
        disasters.compact();
    }

    /** Ends every connection and releases port and threads. Blocks until that is done. */
    @Override
    public synchronized void close() {
        closed = true;
        if (shell != null) {
            shell.close();
            shell = null;
        }
        transport.dispose().subscribe();
        if (ownScheduler) {
            scheduler.dispose();
        }
    }

    /** How a server is to be. */
    public static final class Builder {
        private @Nullable Scheduler scheduler;
        private int history = 4096;
        private long seed = 1;
        private @Nullable Duration bookmarks = Duration.ofMinutes(1);
        private Duration watchTimeout = Duration.ofMinutes(30);
        private @Nullable Duration podShutdown = Duration.ZERO;
        private boolean cached = true;
        private boolean shardSelectors;
        private boolean compressedStreamingLists;
        private Duration establishing = Duration.ZERO;
        private boolean tls;
        private final List<Object> first = new ArrayList<>();

        private Builder() {}

        /** Runs every timer, and tells the time. The caller's to dispose. Unless this is called, the {@link TestClock} that is in force, else real time. */
        public Builder scheduler(Scheduler scheduler) {
            this.scheduler = scheduler;
            return this;
        }

        /** How many events of each type are remembered; a watch from before them is expired. */
        public Builder history(int events) {
            if (events < 1) {
                throw new IllegalArgumentException("history must be at least 1 event, was " + events);
            }
            this.history = events;
            return this;
        }

        /** Makes uids, generated names and random timeouts the same in each run. */
        public Builder seed(long seed) {
            this.seed = seed;
            return this;
        }

        /** Between one bookmark and the next; null: there are none but those that end a streaming list, as without a watch cache. */
        public Builder bookmarks(@Nullable Duration period) {
            this.bookmarks = period;
            return this;
        }

        /**
         * As with {@code --watch-cache=false}, and as types are served that have none: no bookmarks, a limit counts for resourceVersion 0 too, a version
         * from the future is refused at once, and one that is too old in other words.
         */
        public Builder withoutWatchCache() {
            this.cached = false;
            return bookmarks(null);
        }

        /** As with the feature gate {@code ShardedListAndWatch}, which 1.36 has off: {@code shardSelector} selects. Otherwise it is ignored. */
        public Builder shardSelectors() {
            this.shardSelectors = true;
            return this;
        }

        /**
         * As with the feature gate {@code WatchListCompression}, which is on from 1.37: who accepts gzip and asks over a socket gets a streaming list
         * compressed, each event as a gzip member of its own. They are sent in pieces that are cut anywhere. Other watches are not compressed.
         */
        public Builder compressedStreamingLists() {
            this.compressedStreamingLists = true;
            return this;
        }

        /** A watch that names no timeout is ended after a time between this and twice this. */
        public Builder watchTimeout(Duration shortest) {
            this.watchTimeout = shortest;
            return this;
        }

        /** How long a deleted pod that runs on a node takes to stop, at most its grace period; null: it stops only by force. */
        public Builder podShutdown(@Nullable Duration time) {
            this.podShutdown = time;
            return this;
        }

        /**
         * How long after its CustomResourceDefinition was made a custom type is served: until then it is 404, and the definition is not Established.
         * At once unless this says otherwise; the real server takes some tens of milliseconds.
         */
        public Builder establishing(Duration time) {
            this.establishing = time;
            return this;
        }

        /**
         * Puts objects into the cluster before anyone asks, and again after each {@link FakeApiServer#reset}: YAML or JSON text, trees or model
         * classes, in this order.
         */
        public Builder with(Object... objects) {
            first.addAll(List.of(objects));
            return this;
        }

        /** Listens with TLS, with a certificate of its own authority; see {@link #kubeconfig} and {@link #caCertificate}. */
        public Builder tls() {
            this.tls = true;
            return this;
        }

        public FakeApiServer build() {
            return new FakeApiServer(this);
        }
    }
}
