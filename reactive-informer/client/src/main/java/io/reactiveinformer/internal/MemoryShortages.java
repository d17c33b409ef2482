package io.reactiveinformer.internal;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Detects and counts the process's shortages of memory. An OutOfMemoryError may hit any thread, and most threads swallow it or end, so it
 * need not reach this library. Work that was in progress then may have been lost silently, in another library or in a timer: a class that
 * keeps such a resource compares {@link #ended}, and makes the resource again when the number has changed.
 *
 * <p>A soft reference shows a shortage: the virtual machine clears all of them before it throws. A reference whose object was read lately
 * is not cleared before, unless the machine is configured to clear them early.
 */
public final class MemoryShortages {

    /** With fewer milliseconds for each free megabyte, soft references are cleared without need. */
    private static final long PATIENT = 1000;

    private static final AtomicInteger ENDED = new AtomicInteger();
    private static volatile SoftReference<Object> canary = new SoftReference<>(new Object());
    private static @Nullable Boolean patient; // computed at the first suspicion

    private MemoryShortages() {}

    /** The number of shortages that have ended so far. Any thread may call. Allocates nothing. */
    public static int ended() {
        return ENDED.get();
    }

    /** Counts one more shortage that has ended. Allocates nothing. */
    public static void end() {
        ENDED.incrementAndGet();
    }

    /**
     * Begins to watch. From then on {@link #seen} must be called each second: a soft reference that was not read lately is cleared before
     * memory is short.
     */
    public static void watch() {
        canary = new SoftReference<>(new Object());
    }

    /**
     * Whether there was a shortage since the last call; always false if the virtual machine is configured to clear soft references early.
     * To be called each second, by one thread at a time.
     */
    public static boolean seen() {
        if (canary.get() != null) {
            return false;
        }
        canary = new SoftReference<>(new Object());
        return isPatient();
    }

    private static synchronized boolean isPatient() {
        if (patient == null) {
            patient = millisPerFreeMegabyte() >= PATIENT;
        }
        return patient;
    }

    private static long millisPerFreeMegabyte() {
        HotSpotDiagnosticMXBean machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            return machine == null ? PATIENT : Long.parseLong(machine.getVMOption("SoftRefLRUPolicyMSPerMB").getValue());
        } catch (IllegalArgumentException otherMachine) { // it has no such option
            return PATIENT;
        }
    }
}
