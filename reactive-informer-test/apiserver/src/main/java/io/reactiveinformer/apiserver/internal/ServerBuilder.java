package io.reactiveinformer.apiserver.internal;

import io.reactiveinformer.apiserver.internal.server.WatchTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The settings of a server, shared by all builders of one.
 *
 * @param <B> the builder itself
 */
public abstract class ServerBuilder<B extends ServerBuilder<B>> {

    protected @Nullable Scheduler scheduler;
    int history = 4096;
    long seed = 1;
    @Nullable Duration bookmarks = Duration.ofMinutes(1);
    Duration watchTimeout = Duration.ofMinutes(30);
    @Nullable Duration podShutdown = Duration.ZERO;
    boolean cached = true;
    boolean shardSelectors;
    boolean compressedStreamingLists;
    Duration establishing = Duration.ZERO;
    boolean tls;
    final List<Object> first = new ArrayList<>();

    /**
     * The scheduler that runs every timer and tells the time. The server does not dispose it. By default the server has one of its own, in
     * real time.
     */
    public B scheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
        return self();
    }

    /**
     * The number of events that are kept for each type; a watch from a version before them is expired. 4096 by default.
     *
     * @throws IllegalArgumentException if {@code events} is less than 1
     */
    public B history(int events) {
        if (events < 1) {
            throw new IllegalArgumentException("history must be at least 1 event, was " + events);
        }
        this.history = events;
        return self();
    }

    /** The seed of uids, generated names and random timeouts, which are the same in each run. 1 by default. */
    public B seed(long seed) {
        this.seed = seed;
        return self();
    }

    /**
     * The time between bookmarks, 1 minute by default. With null there are only those that end a streaming list, as without a watch cache.
     */
    public B bookmarks(@Nullable Duration period) {
        this.bookmarks = period;
        return self();
    }

    /**
     * Behaves as with {@code --watch-cache=false}, and as types that have no watch cache: no bookmarks, a limit applies to resourceVersion
     * 0 too, a version from the future is refused at once, and one that is too old is refused with another message.
     */
    public B withoutWatchCache() {
        this.cached = false;
        return bookmarks(null);
    }

    /**
     * Behaves as with the feature gate {@code ShardedListAndWatch}, which is off in 1.36: {@code shardSelector} selects. By default it is
     * ignored.
     */
    public B shardSelectors() {
        this.shardSelectors = true;
        return self();
    }

    /**
     * Behaves as with the feature gate {@code WatchListCompression}, which is on from 1.37: a client that accepts gzip gets streaming lists
     * over a socket compressed, each event as a gzip member of its own. The bytes are sent in pieces that are cut anywhere. Other watches
     * are not compressed.
     */
    public B compressedStreamingLists() {
        this.compressedStreamingLists = true;
        return self();
    }

    /**
     * The shortest lifetime of a watch that names no timeout: it ends after a random time between this and twice this. 30 minutes by
     * default.
     */
    public B watchTimeout(Duration shortest) {
        this.watchTimeout = shortest;
        return self();
    }

    /** The time that a deleted pod on a node takes to stop, at most its grace period; null: it stops only by force. Zero by default. */
    public B podShutdown(@Nullable Duration time) {
        this.podShutdown = time;
        return self();
    }

    /**
     * The time from the creation of a CustomResourceDefinition until its type is served: until then requests are answered with 404, and the
     * definition is not Established. Zero by default; the real server takes some tens of milliseconds.
     */
    public B establishing(Duration time) {
        this.establishing = time;
        return self();
    }

    /**
     * Adds objects that are created when the server is built, and again after each reset of a server that can be reset: YAML or JSON text,
     * trees or model classes, in this order.
     */
    public B with(Object... objects) {
        first.addAll(List.of(objects));
        return self();
    }

    /** Makes the server listen with TLS, with a certificate of an authority of its own. */
    public B tls() {
        this.tls = true;
        return self();
    }

    /** This builder. */
    protected abstract B self();

    /** A new engine with the settings so far. */
    protected Engine engine() {
        return new Engine(this);
    }

    WatchTimes watchTimes() {
        return new WatchTimes(watchTimeout, bookmarks, cached, shardSelectors, new Random(seed));
    }
}
