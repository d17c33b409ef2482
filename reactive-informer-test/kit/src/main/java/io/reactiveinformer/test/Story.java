package io.reactiveinformer.test;

import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What a {@link ChangeVerifier} waits for, and what has come; told when it fails. Any thread. */
final class Story {

    private static final int KEPT = 40;

    private final List<String> expected = new ArrayList<>();
    private final Deque<String> seen = new ArrayDeque<>();
    private int fulfilled;
    private long came;

    /** One more expectation, after those before. */
    synchronized void expects(String what) {
        expected.add(what);
    }

    /** The earliest expectation that was open is no longer. */
    synchronized void fulfilled() {
        fulfilled++;
    }

    synchronized void came(Change<?, ?> change) {
        came++;
        if (seen.size() == KEPT) {
            seen.removeFirst();
        }
        seen.addLast(ChangeVerifier.describe(change));
    }

    synchronized long came() {
        return came;
    }

    synchronized String last() {
        return seen.isEmpty() ? "nothing" : seen.getLast();
    }

    /** @param patience after which nothing more had come */
    synchronized String late(Duration patience) {
        String wanted = fulfilled < expected.size() ? expected.get(fulfilled) : "the end";
        return "expected: " + wanted + "; nothing like it came within " + patience;
    }

    /** What came, the latest last. */
    synchronized String told() {
        if (came == 0) {
            return "\nno change came at all";
        }
        return "\nchanges that came" + (came > seen.size() ? " (the last " + seen.size() + " of " + came + ")" : "") + ":\n  "
                + String.join("\n  ", seen);
    }
}
