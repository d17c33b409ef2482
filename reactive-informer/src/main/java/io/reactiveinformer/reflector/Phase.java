package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.ResourceVersionTooLargeException;
import io.reactiveinformer.resource.StatusException;

/**
 * Where a reflector stands, and where each outcome of what it asks there takes it.
 *
 * <pre>
 *                  ┌── refused, no end ──▶ paged ─── page lost ───▶ whole       closed: again at once, from the
 *  Listing:    streamed                      │                         │         last event or bookmark; too soon
 *                  └─────────────────────────┴───────────┬─────────────┘         or failed: again, after a pause
 *                                                        │                             ┌─────┐
 *    ▲  failed: again, after a pause                     └──────── complete ─────▶ Watching ◀┘
 *    │  expired, from the future: most recent, at once                                 │
 *    └──────────────────────────────── expired, from the future, in doubt ─────────────┘
 * </pre>
 *
 * <p>Pure: what was heard and where in the server's history that was is {@link Position}'s.
 */
sealed interface Phase {

    /** How a listing is asked for. */
    enum How {
        /** As a streaming list where the server can, else in pages. */
        STREAMED,
        /** In pages. */
        PAGED,
        /** In one answer, after a page was gone before we came to it. */
        WHOLE
    }

    /** How fresh a listing must be. */
    enum Freshness {
        /** Whatever the server has at hand. Only before anything was seen, so that nothing travels back in time. */
        ANY,
        /** Not older than what was seen. */
        NOT_OLDER,
        /** As it is now, whatever was seen before. */
        MOST_RECENT
    }

    /**
     * How often in a row one way may fail before another one is tried: resuming, where what is refused could lie in the version that we
     * resume from, and streaming lists. Once may be chance and twice bad luck, such as a rolling restart of two servers; with the pauses between,
     * the third is at least two seconds after the first.
     */
    int STUBBORN = 3;

    /** @param attempt how many tries in a row have failed, this one included if it did */
    Step after(Outcome outcome, int attempt);

    /**
     * Asking for the complete state.
     *
     * @param failedStreams how many streaming lists have failed since this began. Not the tries that the pauses grow by: those start over
     *     after a try that went on for long, as an endless one does
     */
    record Listing(How how, Freshness freshness, String reason, int failedStreams) implements Phase {

        Listing(How how, Freshness freshness, String reason) {
            this(how, freshness, reason, 0);
        }

        @Override
        public Step after(Outcome outcome, int attempt) {
            if (outcome instanceof Outcome.Complete) {
                return Step.now(new Watching());
            }
            if (isNoStream(outcome)) {
                return Step.now(inPages());
            }
            if (freshness == Freshness.NOT_OLDER && isInvalid(outcome)) {
                return Step.later(new Listing(how, Freshness.MOST_RECENT, reason, failedStreams)); // it may be our version that it cannot read
            }
            if (outcome instanceof Outcome.PageLost && how != How.WHOLE) {
                return Step.now(new Listing(How.WHOLE, freshness, reason));
            }
            if (outcome instanceof Outcome.Failed failed && isOutOfRange(failed.cause())) {
                var mostRecent = new Listing(how, Freshness.MOST_RECENT, String.valueOf(failed.cause().getMessage()), failedStreams);
                return freshness == Freshness.MOST_RECENT ? Step.later(mostRecent) : Step.now(mostRecent);
            }
            if (outcome instanceof Outcome.Doubtful doubtful) {
                return Step.later(new Listing(how, Freshness.MOST_RECENT, doubtful.reason()).inPages());
            }
            return Step.later(how == How.STREAMED ? afterFailedStream() : this);
        }

        private Listing afterFailedStream() {
            int failed = failedStreams + 1;
            return new Listing(failed < STUBBORN ? How.STREAMED : How.PAGED, freshness, reason, failed);
        }

        /** The same without a stream. */
        Listing inPages() {
            return how == How.STREAMED ? new Listing(How.PAGED, freshness, reason, failedStreams) : this;
        }

        /** Whether a streaming list did not even begin, or would not end. Another way of asking may do. */
        private boolean isNoStream(Outcome outcome) {
            return how == How.STREAMED && (outcome instanceof Outcome.Overdue || isInvalid(outcome));
        }

        /** Whether {@code outcome} shows, if pages do better, that the server does not do streaming lists. */
        boolean speaksAgainstStreams(Outcome outcome) {
            boolean unheard = outcome instanceof Outcome.Overdue overdue && !overdue.begun();
            return isNoStream(outcome) && !unheard || how == How.STREAMED && outcome instanceof Outcome.BrokenOff && failedStreams + 1 >= STUBBORN;
        }

        static boolean isInvalid(Outcome outcome) {
            return outcome instanceof Outcome.Failed failed && failed.cause() instanceof InvalidRequestException;
        }
    }

    /** Hearing of changes as they happen. */
    record Watching() implements Phase {

        @Override
        public Step after(Outcome outcome, int attempt) {
            if (outcome instanceof Outcome.Ended || outcome instanceof Outcome.Complete) {
                return Step.now(this);
            }
            if (outcome instanceof Outcome.Unproven unproven) {
                return Step.now(listing(unproven.reason()));
            }
            if (outcome instanceof Outcome.Doubtful doubtful) {
                return Step.later(listing(doubtful.reason()));
            }
            if (outcome instanceof Outcome.Failed failed && (isOutOfRange(failed.cause()) || isStubborn(failed.cause(), attempt))) {
                return Step.later(listing(String.valueOf(failed.cause().getMessage())));
            }
            return Step.later(this);
        }

        private static Listing listing(String reason) {
            return new Listing(How.STREAMED, Freshness.NOT_OLDER, reason);
        }

        /** An object that the server itself cannot read fails each watch that comes by it (500): only a list gets past it. */
        private static boolean isStubborn(KubernetesException cause, int attempt) {
            return attempt >= STUBBORN
                    && cause instanceof StatusException refusal
                    && (refusal.code() == 500 || refusal instanceof InvalidRequestException);
        }
    }

    private static boolean isOutOfRange(KubernetesException cause) {
        return cause instanceof ResourceVersionExpiredException || cause instanceof ResourceVersionTooLargeException;
    }

    /** Where to go, and whether to wait before. */
    record Step(Phase phase, boolean paused) {

        static Step now(Phase phase) {
            return new Step(phase, false);
        }

        static Step later(Phase phase) {
            return new Step(phase, true);
        }
    }
}
