package io.reactiveinformer.internal;

import static org.assertj.core.api.Assertions.assertThat;

/** What the {@link Watchdog} does, without a shortage of memory, and at once. */
public final class Shortage {

    private Shortage() {}

    /** A shortage has ended: timers are replaced, lost tasks scheduled anew, and all that is watched starts over. */
    public static void ends() {
        assertThat(Watchdog.doubt(Watchdog.watched)).isTrue();
    }

    /** As {@link #ends}, but timers stay: for virtual time. */
    public static void endsInVirtualTime() {
        SparedTimer.resumeAll();
        for (Watchdog.Watched one : Watchdog.watched) {
            one.doubt();
        }
    }

    /** A second has passed. */
    public static void isLookedFor() {
        Watchdog.look();
    }
}
