package io.reactiveinformer.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * The last line of defence: one daemon thread for the process while an informer runs, a candidate stands for election, a recorder is open
 * or a queue is worked on. Once a second it starts the repairs that are due, and checks whether memory is or was short. At rest it
 * allocates nothing, and it waits for nothing but time, so that no shortage can end or block it; a timer has no such guarantee.
 *
 * <p>When the heap is full, an OutOfMemoryError may hit any thread: an event loop, a timer, Reactor's own operators between two signals.
 * Tasks are lost, and connections stay open that no thread reads. No work that was in progress then is trusted, so everything that is
 * watched starts over.
 */
public final class Watchdog extends Thread {

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

    private static final long PERIOD_MILLIS = 1000;

    /** In bytes. An informer mostly needs less at once. */
    private static final int PROBE = 128 << 10;

    /** How many good probes in a row end a shortage; a single one may succeed in the middle of a shortage. */
    private static final int QUIET = 3;

    /** A part that is watched. Calls may come from any thread, at any time, also when memory is short. */
    public interface Watched {

        /** Whether a repair is due or in progress. Called once a second; must not allocate. By default never. */
        default boolean ails() {
            return false;
        }

        /** Starts the repair, unless another thread does. Called after {@link #ails} returned true. If it throws, it is called again. */
        default void look() {}

        /** Starts over, as memory was short and is not any more. If it throws, it is called again. */
        void doubt();
    }

    private static final Scheduler RETRIES = SparedTimer.named("reactive-informer-watchdog-starter");
    private static final Object LOCK = new Object();
    static volatile Watched[] watched = {}; // written under the lock
    static volatile @Nullable Watchdog current; // written under the lock
    private static byte @Nullable [] probe; // stored for a moment, or the compiler would remove the allocation

    private Watchdog() {
        super("reactive-informer-watchdog");
        setDaemon(true);
    }

    /**
     * Watches {@code one} until the returned {@code Disposable} is disposed of. The first call starts the thread; it ends when nothing is
     * watched any more. If no thread can be started, each later call tries again, as does a timer once a second.
     */
    public static Disposable watch(Watched one) {
        synchronized (LOCK) {
            List<Watched> more = new ArrayList<>(List.of(watched));
            more.add(one);
            watched = more.toArray(Watched[]::new);
        }
        begin();
        return () -> {
            synchronized (LOCK) {
                List<Watched> fewer = new ArrayList<>(List.of(watched));
                fewer.remove(one);
                watched = fewer.toArray(Watched[]::new);
                if (fewer.isEmpty()) {
                    current = null; // and it ends when it wakes
                }
            }
        };
    }

    static void begin() {
        synchronized (LOCK) {
            if (current != null || watched.length == 0) {
                return;
            }
            try {
                MemoryShortages.watch();
                var next = new Watchdog();
                current = next;
                next.start();
            } catch (Throwable noThread) { // memory may be short: a timer tries again
                current = null;
                retry();
            }
        }
    }

    private static void retry() {
        try {
            RETRIES.schedule(Watchdog::begin, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        } catch (Throwable noTimer) { // the next call of watch tries again
        }
    }

    @Override
    public void run() {
        Watched[] afflicted = null;
        int quiet = 0;
        while (current == this) {
            pause();
            if (isShort()) {
                afflicted = watched;
                quiet = 0;
            } else if (afflicted != null && ++quiet >= QUIET) {
                if (quiet == QUIET) {
                    MemoryShortages.end();
                }
                afflicted = doubt(afflicted) ? null : afflicted;
            }
            look();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PERIOD_MILLIS);
        } catch (InterruptedException nobodysBusiness) {
            // only this class has access to this thread
        }
    }

    static void look() {
        for (Watched one : watched) {
            try {
                if (one.ails()) {
                    one.look();
                }
            } catch (Throwable again) { // it is called again in a second, as it still ails
            }
        }
    }

    /** Called when a shortage has ended, until it returns true: then all have started over. */
    static boolean doubt(Watched[] all) {
        boolean done = true;
        try {
            LOG.warn("memory was short: connections and timers may have been lost, so all {} informers, candidacies, recorders and queues "
                    + "start over",
                    all.length);
            SparedTimer.resumeAll();
        } catch (Throwable failure) { // all start over nevertheless, and again in a second
            done = false;
        }
        for (Watched one : all) {
            try {
                one.doubt();
            } catch (Throwable failure) { // the others start over nevertheless
                done = false;
            }
        }
        return done;
    }

    /** Whether memory is short, or was since the last call. */
    private static boolean isShort() {
        try {
            probe = new byte[PROBE];
            return MemoryShortages.seen() || probe == null;
        } catch (Throwable none) { // an error that is thrown here is thrown elsewhere, too
            return true;
        } finally {
            probe = null;
        }
    }
}
