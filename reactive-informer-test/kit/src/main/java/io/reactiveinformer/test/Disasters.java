package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.server.Breaks;
import io.reactiveinformer.test.faults.Faults;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Disruptions of the whole server. The cluster is changed before connections break, so that a client that reconnects finds the new state.
 */
final class Disasters implements Faults.Host {

    private final Cluster cluster;
    private final Breaks breaks;
    private final ServerLog log;
    private final Runnable resetConnections;
    private final @Nullable RealCluster real;

    /**
     * @param resetConnections resets all socket connections, idle ones too
     * @param real has a store of its own, which nothing here is for; null for a server in memory
     */
    Disasters(Cluster cluster, Breaks breaks, ServerLog log, Runnable resetConnections, @Nullable RealCluster real) {
        this.cluster = cluster;
        this.breaks = breaks;
        this.log = log;
        this.resetConnections = resetConnections;
        this.real = real;
    }

    @Override
    public boolean ownsStore() {
        return real == null;
    }

    @Override
    public void requireStore(String what) {
        if (real != null) {
            throw real.skip(what + " needs a server in memory");
        }
    }

    @Override
    public void compact() {
        requireStore("compaction");
        log.note("compacted");
        cluster.compact();
    }

    @Override
    public void restart() {
        interrupt("restarted", cluster::restart);
    }

    @Override
    public void restartKeeping(int events) {
        if (events < 0) {
            throw new IllegalArgumentException("a server can keep 0 or more events, was " + events);
        }
        interrupt("restarted, with the last " + events + " events of each type", () -> cluster.restartKeeping(events));
    }

    @Override
    public Backup backup() {
        requireStore("a backup");
        return cluster.backup();
    }

    @Override
    public void restore(Backup backup) {
        Objects.requireNonNull(backup, "backup");
        interrupt("restored to version " + backup.version(), () -> cluster.restore(backup));
    }

    private void interrupt(String what, Runnable change) {
        requireStore("a restart or restore");
        log.note(what);
        breaks.breakAll(() -> {
            change.run();
            resetConnections.run();
        });
    }
}
