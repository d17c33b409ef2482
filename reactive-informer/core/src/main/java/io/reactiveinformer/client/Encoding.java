package io.reactiveinformer.client;

import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/**
 * Whether to request protocol buffers. After an answer that was not understood the client requests JSON for a while, since something on the
 * way may damage bytes that are no text, or drop the header that says what they are: for a minute, then twice as long each time, at most a
 * day.
 */
final class Encoding {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesClient.class);

    private static final Duration LONGEST = Duration.ofDays(1);

    private final boolean protobuf;
    private final Scheduler timer;
    private Duration pause = Duration.ofMinutes(1);
    private long resumesAt = Long.MIN_VALUE;

    Encoding(boolean protobuf, Scheduler timer) {
        this.protobuf = protobuf;
        this.timer = timer;
    }

    synchronized boolean isProtobuf() {
        return protobuf && timer.now(TimeUnit.MILLISECONDS) >= resumesAt;
    }

    /** Other answers of the same time may also not be understood; they count as one. */
    synchronized void notUnderstood(UnexpectedAnswerException failure) {
        if (isProtobuf()) {
            LOG.warn("an answer was not understood; JSON is requested instead of protocol buffers for {} min: {}",
                    pause.toMinutes(), failure.getMessage());
            resumesAt = timer.now(TimeUnit.MILLISECONDS) + pause.toMillis();
            pause = pause.compareTo(LONGEST.dividedBy(2)) < 0 ? pause.multipliedBy(2) : LONGEST;
        }
    }
}
