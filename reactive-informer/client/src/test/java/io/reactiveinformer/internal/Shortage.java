package io.reactiveinformer.internal;

/** What the {@link Watchdog} does, without a shortage of memory, and at once. */
public final class Shortage {

    private Shortage() {}

    /** A shortage has ended: timers are replaced, lost tasks scheduled anew, and all that is watched starts over. */
    public static void ends() {
        MemoryShortages.end();
        endsInVirtualTime();
    }

    /** As {@link #ends}, but timers stay. */
    public static void endsInVirtualTime() {
        Watchdog.doubt(Watchdog.watched);
    }

    /** A second has passed. */
    public static void isLookedFor() {
        Watchdog.look();
    }
}
