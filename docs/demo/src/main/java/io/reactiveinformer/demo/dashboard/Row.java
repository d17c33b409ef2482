package io.reactiveinformer.demo.dashboard;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows of one object, and all that it gets of it.
 *
 * @param namespace null for what is in none
 * @param created in milliseconds since 1970, or for an event when it was seen last; 0 where that is not known
 * @param tone how the row is to be seen at a glance
 * @param cells in the order of the table's columns
 */
record Row(@Nullable String namespace, String name, Map<String, String> labels, long created, Tone tone, List<String> cells) {

    /** What colour a state has. */
    enum Tone {
        GOOD, BUSY, BAD, OVER
    }

    Row {
        labels = Map.copyOf(labels);
        cells = List.copyOf(cells);
    }
}
