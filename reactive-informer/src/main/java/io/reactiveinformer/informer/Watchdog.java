package io.reactiveinformer.informer;

import io.reactiveinformer.internal.MemoryShortages;
import io.reactiveinformer.transport.TransportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;

/**
 * The last line of defence, one for the process: sees to it that a repair which is due is done, and notices that memory is short.
 *
 * <pre>
 *  at rest     a task on a timer that exists anyway looks each second whether memory can be had, and whether it was short meanwhile
 *  trouble     a thread of its own, which has been made before and allocates nothing, takes over: until every repair is done and memory can be
 *              had again; then everyone who was there is told that it was short
 * </pre>
 *
 * <p>When the heap is full, an OutOfMemoryError may hit anybody: an event loop, a timer, Reactor's own operators between two signals. Who is hit there
 * tells nobody; tasks are lost, connections are open that nobody reads. Nothing of what was under way then is trusted, so those who are told
 * start over.
 */
final class Watchdog extends Thread {

    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    private static final long PERIOD_MILLIS = 1000;

    /** Whoever needs more at once than this must bear that it is not there; what an informer needs is mostly less. */
    private static final int PROBE = 128 << 10;

    /** So many good probes in a row end a shortage; one may go well between two others. */
    private static final int QUIET = 3;

    /** What is watched. Calls come from any thread, at any time, also when memory is short. */
    interface Watched {

        /** Whether a repair is due, or under way. Must not allocate. */
        boolean ails();

        /** Has the repair done if nobody else will. May throw: it is asked again. */
        void look();

        /** Memory was short, and is not any more. May throw: it is asked again. */
        void doubt();
    }

    private static final Object LOCK = new Object();
    private static volatile Watched[] watched = {};
    private static volatile @Nullable Object looking; // the chain of looks that goes on; written under the lock
    private static volatile boolean alert;
    private static volatile boolean suspected;
    private static volatile Watchdog reserve = new Watchdog();
    private static byte @Nullable [] probe; // kept for a moment, or the compiler would leave it out

    private Watchdog() {
        super("reactive-informer-watchdog");
        setDaemon(true);
    }

    /** Until that is disposed of. */
    static Disposable watch(Watched one) {
        synchronized (LOCK) {
            List<Watched> more = new ArrayList<>(List.of(watched));
            more.add(one);
            watched = more.toArray(Watched[]::new);
            if (looking == null) {
                MemoryShortages.onLostThread(Watchdog::alarm);
                MemoryShortages.watch();
                beginToLook();
            }
        }
        return () -> {
            synchronized (LOCK) {
                List<Watched> fewer = new ArrayList<>(List.of(watched));
                fewer.remove(one);
                watched = fewer.toArray(Watched[]::new);
                if (fewer.isEmpty()) {
                    looking = null;
                }
            }
        };
    }

    /** On a timer that others need. After a shortage anew, for that timer may have lost what it had to do, and even cancelling there may never end. */
    private static void beginToLook() {
        var chain = new Object();
        looking = chain;
        lookIn(chain);
    }

    private static void lookIn(Object chain) {
        TransportOptions.defaults().timer().schedule(() -> {
            if (looking == chain) {
                lookOnce(chain);
            }
        }, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static void lookOnce(Object chain) {
        try {
            if (isShort()) {
                suspected = true;
                alarm();
            }
            lookIn(chain);
        } catch (Throwable failure) {
            suspected = true;
            alarm(); // which begins anew
        }
    }

    /** Something is wrong that may need more than one look. Allocates nothing, and returns at once. */
    static void alarm() {
        synchronized (LOCK) {
            if (!alert) {
                reserve.start();
                alert = true;
            }
        }
    }

    @Override
    public void run() {
        Watched[] afflicted = null;
        int quiet = 0;
        do {
            pause();
            if (isShort() || suspected) {
                suspected = false;
                afflicted = watched;
                quiet = 0;
            } else if (++quiet >= QUIET && afflicted != null) {
                MemoryShortages.end();
                afflicted = doubt(afflicted) ? null : afflicted;
            }
        } while (look() || afflicted != null || quiet < QUIET || !standDown());
    }

    private static void pause() {
        try {
            Thread.sleep(PERIOD_MILLIS);
        } catch (InterruptedException nobodysBusiness) {
            // nobody has this thread in hand but this class
        }
    }

    /** Returns whether somebody is to be looked after again. */
    private static boolean look() {
        boolean again = false;
        for (Watched one : watched) {
            try {
                one.look();
                again |= one.ails();
            } catch (Throwable failure) {
                again = true;
            }
        }
        return again;
    }

    /** Returns whether all have been told. */
    private static boolean doubt(Watched[] all) {
        try {
            synchronized (LOCK) {
                if (looking != null) {
                    beginToLook();
                }
            }
            LOG.warn("memory was short: connections and timers may have been lost without a word, so all {} informers start over", all.length);
            for (Watched one : all) {
                one.doubt();
            }
            return true;
        } catch (Throwable failure) {
            return false;
        }
    }

    private static boolean standDown() {
        try {
            var next = new Watchdog();
            synchronized (LOCK) {
                for (Watched one : watched) {
                    if (one.ails()) {
                        return false; // whoever sounded the alarm for it found this one at work
                    }
                }
                reserve = next;
                alert = false;
                return true;
            }
        } catch (VirtualMachineError none) {
            return false;
        }
    }

    /** Or was, since this was asked last. Whatever the virtual machine throws here, it will throw elsewhere. */
    private static boolean isShort() {
        try {
            probe = new byte[PROBE];
            return MemoryShortages.seen() || probe == null;
        } catch (VirtualMachineError none) {
            return true;
        } finally {
            probe = null;
        }
    }
}
