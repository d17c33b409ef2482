package io.reactiveinformer.internal;

import static org.assertj.core.api.Assertions.assertThat;

/** What the {@link Watchdog} does about a shortage of memory, without a shortage. */
public final class Shortage {

    private Shortage() {}

    /** A shortage has ended: timers are replaced, lost tasks scheduled anew, and all that is watched starts over. */
    public static void ends() {
        assertThat(Watchdog.doubt(Watchdog.watched)).isTrue();
    }
}
