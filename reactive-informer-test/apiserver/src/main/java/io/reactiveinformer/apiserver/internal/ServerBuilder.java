package io.reactiveinformer.apiserver.internal;

import io.reactiveinformer.apiserver.internal.server.WatchTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * What can be said of a server before it is built, in one place for all that can build one.
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

    /** Runs every timer, and tells the time. The caller's to dispose. Unless this is called, real time. */
    public B scheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
        return self();
    }

    /** How many events of each type are remembered; a watch from before them is expired. */
    public B history(int events) {
        if (events < 1) {
            throw new IllegalArgumentException("history must be at least 1 event, was " + events);
        }
        this.history = events;
        return self();
    }

    /** Makes uids, generated names and random timeouts the same in each run. */
    public B seed(long seed) {
        this.seed = seed;
        return self();
    }

    /** Between one bookmark and the next; null: there are none but those that end a streaming list, as without a watch cache. */
    public B bookmarks(@Nullable Duration period) {
        this.bookmarks = period;
        return self();
    }

    /**
     * As with {@code --watch-cache=false}, and as types are served that have none: no bookmarks, a limit counts for resourceVersion 0 too, a version
     * from the future is refused at once, and one that is too old in other words.
     */
    public B withoutWatchCache() {
        this.cached = false;
        return bookmarks(null);
    }

    /** As with the feature gate {@code ShardedListAndWatch}, which 1.36 has off: {@code shardSelector} selects. Otherwise it is ignored. */
    public B shardSelectors() {
        this.shardSelectors = true;
        return self();
    }

    /**
     * As with the feature gate {@code WatchListCompression}, which is on from 1.37: who accepts gzip and asks over a socket gets a streaming list
     * compressed, each event as a gzip member of its own. They are sent in pieces that are cut anywhere. Other watches are not compressed.
     */
    public B compressedStreamingLists() {
        this.compressedStreamingLists = true;
        return self();
    }

    /** A watch that names no timeout is ended after a time between this and twice this. */
    public B watchTimeout(Duration shortest) {
        this.watchTimeout = shortest;
        return self();
    }

    /** How long a deleted pod that runs on a node takes to stop, at most its grace period; null: it stops only by force. */
    public B podShutdown(@Nullable Duration time) {
        this.podShutdown = time;
        return self();
    }

    /**
     * How long after its CustomResourceDefinition was made a custom type is served: until then it is 404, and the definition is not Established.
     * At once unless this says otherwise; the real server takes some tens of milliseconds.
     */
    public B establishing(Duration time) {
        this.establishing = time;
        return self();
    }

    /**
     * Puts objects into the cluster before anyone asks, and again after each reset of the server, where it can be reset: YAML or JSON text, trees or model
     * classes, in this order.
     */
    public B with(Object... objects) {
        first.addAll(List.of(objects));
        return self();
    }

    /** Listens with TLS, with a certificate of its own authority. */
    public B tls() {
        this.tls = true;
        return self();
    }

    /** This. */
    protected abstract B self();

    /** Puts the server together as it is described so far. */
    protected Engine engine() {
        return new Engine(this);
    }

    WatchTimes watchTimes() {
        return new WatchTimes(watchTimeout, bookmarks, cached, shardSelectors, new Random(seed));
    }
}
