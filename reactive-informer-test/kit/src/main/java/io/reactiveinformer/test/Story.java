package io.reactiveinformer.test;

import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What a {@link ChangeVerifier} expects and what has come, for its failure messages. Any thread may use it. */
final class Story {

    private static final int KEPT = 40;

    private final List<String> expected = new ArrayList<>();
    private final Deque<String> seen = new ArrayDeque<>();
    private int fulfilled;
    private long came;

    /** Adds an expectation after those before. */
    synchronized void expects(String what) {
        expected.add(what);
    }

    /** Marks the earliest open expectation as fulfilled. */
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

    /** @param patience the time after which nothing more had come */
    synchronized String late(Duration patience) {
        String wanted = fulfilled < expected.size() ? expected.get(fulfilled) : "the end";
        return "expected: " + wanted + "; nothing like it came within " + patience;
    }

    /** The changes that came, the latest last. */
    synchronized String text() {
        if (came == 0) {
            return "\nno change came at all";
        }
        return "\nchanges that came" + (came > seen.size() ? " (the last " + seen.size() + " of " + came + ")" : "") + ":\n  "
                + String.join("\n  ", seen);
    }
}
