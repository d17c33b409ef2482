package io.reactiveinformer.internal;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of its shortages of memory. An OutOfMemoryError may hit any thread, and most swallow it or end by it, so it need not reach us. What was
 * under way then may have been lost without a word, in a library or in a timer: whoever keeps such a thing compares {@link #ended}, and makes it anew.
 *
 * <p>A soft reference shows a shortage: the virtual machine clears all of them before it throws. One that was asked for its object lately is not cleared for less,
 * unless the machine was told to clear them early.
 */
public final class MemoryShortages {

    /** Fewer milliseconds a free megabyte, and soft references are cleared without need. */
    private static final long PATIENT = 1000;

    private static final AtomicInteger ENDED = new AtomicInteger();
    private static volatile SoftReference<Object> canary = new SoftReference<>(new Object());
    private static @Nullable Boolean patient; // asked for at the first suspicion

    private MemoryShortages() {}

    /** So many are over. */
    public static int ended() {
        return ENDED.get();
    }

    /** One is over. Allocates nothing. */
    public static void end() {
        ENDED.incrementAndGet();
    }

    /** From here on it is asked each second: a soft reference that nobody asks is cleared for less. */
    public static void watch() {
        canary = new SoftReference<>(new Object());
    }

    /** Whether there was one since this was asked last. Must be asked each second, by one thread at a time. */
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
        } catch (IllegalArgumentException otherMachine) { // which has no such option
            return PATIENT;
        }
    }
}
