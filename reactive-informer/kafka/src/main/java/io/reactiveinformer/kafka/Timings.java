package io.reactiveinformer.kafka;

import java.time.Duration;

/**
 * The times that publishers and readers of a topic agree on.
 *
 * @param heartbeat how often a publisher writes that its rows are complete
 * @param silence after how long without any record a reader considers itself stale
 * @param deletionsKept how long the topic keeps the record of a deletion, at least
 * @param pause after the first failed try of a publisher; grows to 30 s
 */
record Timings(Duration heartbeat, Duration silence, Duration deletionsKept, Duration pause) {

    static final Timings DEFAULTS =
            new Timings(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofHours(24), Duration.ofSeconds(1));

    /** How long a reader may lag behind the topic's end without a chance that it has missed a deletion: with a wide margin. */
    Duration mostLag() {
        return deletionsKept.dividedBy(2);
    }
}
