package io.reactiveinformer.internal;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets the watchdog forget what a test has left running: thousands of informers and electors with virtual clocks, which nobody stops, would
 * otherwise fill the heap of the run. Applies to all tests of Jupiter.
 */
public final class UnwatchedAfterTests implements BeforeEachCallback, AfterEachCallback {

    private Watchdog.Watched[] before = {};

    @Override
    public void beforeEach(ExtensionContext context) {
        before = Watchdog.watched;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        List<Watchdog.Watched> now = List.of(Watchdog.watched);
        Watchdog.watched = Arrays.stream(before).filter(now::contains).toArray(Watchdog.Watched[]::new);
    }
}
