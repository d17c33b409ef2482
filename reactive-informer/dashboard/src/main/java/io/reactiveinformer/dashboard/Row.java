package io.reactiveinformer.dashboard;

import java.util.List;
import java.util.Map;

/**
 * All that the page receives of one object, besides its key.
 *
 * @param created milliseconds since 1970; for an event, the time of its last occurrence; 0 if unknown
 * @param tone how normal the row's state is
 * @param cells in the order of the table's columns
 */
record Row(Map<String, String> labels, long created, Tone tone, List<String> cells) {

    /** The kinds of states. {@code BAD} is a problem, which the page counts and shows first. */
    enum Tone {
        GOOD, BUSY, BAD, OVER
    }

    Row {
        labels = Map.copyOf(labels);
        cells = List.copyOf(cells);
    }
}
