package io.reactiveinformer.demo.dashboard;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that the page receives of one object.
 *
 * @param namespace null for a cluster-scoped object
 * @param created milliseconds since 1970; for an event, the time of its last occurrence; 0 if unknown
 * @param tone the colour of the row's state
 * @param cells in the order of the table's columns
 */
record Row(@Nullable String namespace, String name, Map<String, String> labels, long created, Tone tone, List<String> cells) {

    /** The kinds of states, each with a colour of its own. */
    enum Tone {
        GOOD, BUSY, BAD, OVER
    }

    Row {
        labels = Map.copyOf(labels);
        cells = List.copyOf(cells);
    }
}
