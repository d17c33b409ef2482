package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.ResourceVersionTooLargeException;

/**
 * The states of a reflector, and the transitions on the outcomes of its requests.
 *
 * <pre>
 *                  ┌── refused, no end ──▶ paged ─── page lost ───▶ whole       closed: again at once, from the
 *  Listing:    streamed                      │                         │         last event or bookmark; too soon
 *                  └─────────────────────────┴───────────┬─────────────┘         or failed: again, after a pause
 *                                                        │                             ┌─────┐
 *    ▲  failed: again, after a pause                     └──────── complete ─────▶ Watching ◀┘
 *    │  expired, from the future: most recent, at once                                 │
 *    └─────────────────────────────── expired, from the future, in doubt ──────────────┘
 *                                            another history: most recent
 * </pre>
 *
 * <p>Pure. What was received, and its position in the server's history, is kept by {@link Position}.
 */
sealed interface Phase {

    /** How a listing is requested. */
    enum How {
        /** As a streaming list if the server supports it, else in pages. */
        STREAMED,
        /** In pages. */
        PAGED,
        /** In one answer, after a page had expired before it was requested. */
        WHOLE
    }

    /** How fresh a listing must be. */
    enum Freshness {
        /** Any state that the server has at hand. Only before anything was received, so that no state goes back in time. */
        ANY,
        /** Not older than what was received. */
        NOT_OLDER,
        /** The most recent state, whatever was received before. */
        MOST_RECENT
    }

    /**
     * How often in a row one way may fail before another one is tried: resuming from a version and listing in one freshness, where the
     * failure may lie in the request; streaming lists and lists in one answer, whatever the failure. One failure may be chance and two bad
     * luck, such as a rolling restart of two servers; with the pauses between, the third is at least two seconds after the first.
     */
    int STUBBORN = 3;

    /** @param attempt how many watches in a row have failed from where this one began, this one included if it did */
    Step after(Outcome outcome, int attempt);

    /**
     * Requests the complete state.
     *
     * @param wanted how fresh it has to be; {@code freshness} is that, or {@link Freshness#MOST_RECENT} if that fails
     * @param failed how often it has failed in this way. Not the tries that the pauses grow by: those start over after a try that went on
     *     for long, as an endless one does
     */
    record Listing(How how, Freshness freshness, Freshness wanted, String reason, int failed) implements Phase {

        Listing(How how, Freshness freshness, String reason) {
            this(how, freshness, freshness, reason, 0);
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
                return Step.later(mostRecent(reason)); // it may be the version that the server cannot read
            }
            if (outcome instanceof Outcome.PageLost && how != How.WHOLE) {
                return Step.now(new Listing(How.WHOLE, freshness, wanted, reason, 0));
            }
            if (outcome instanceof Outcome.Failed failed && isOutOfRange(failed.cause())) {
                Listing mostRecent = mostRecent(String.valueOf(failed.cause().getMessage()));
                return freshness == Freshness.MOST_RECENT ? Step.later(mostRecent) : Step.now(mostRecent);
            }
            if (outcome instanceof Outcome.Doubtful doubtful) {
                return Step.later(mostRecent(doubtful.reason()).inPages());
            }
            return Step.later(afterFailure(outcome));
        }

        /** The same again, or after too many failures another way. No way is given up for good: what fails today may work tomorrow. */
        private Listing afterFailure(Outcome outcome) {
            if (failed + 1 < STUBBORN) {
                return new Listing(how, freshness, wanted, reason, failed + 1);
            }
            if (how != How.PAGED) {
                return new Listing(How.PAGED, freshness, wanted, reason, 0);
            }
            boolean otherwise = outcome instanceof Outcome.Failed failure && failure.mayLieInTheRequest();
            Freshness next = otherwise && freshness != Freshness.MOST_RECENT ? Freshness.MOST_RECENT : wanted;
            return new Listing(how, otherwise ? next : freshness, wanted, reason, 0);
        }

        /** The most recent state, whatever was received before. */
        Listing mostRecent(String why) {
            return new Listing(how, Freshness.MOST_RECENT, wanted, why, failed);
        }

        /** The same without a stream. */
        Listing inPages() {
            return how == How.STREAMED ? new Listing(How.PAGED, freshness, wanted, reason, 0) : this;
        }

        /** Whether a streaming list did not even begin, or would not end. Another way may work. */
        private boolean isNoStream(Outcome outcome) {
            return how == How.STREAMED && (outcome instanceof Outcome.Overdue || isInvalid(outcome));
        }

        /** Whether {@code outcome} shows, if a list in pages succeeds, that the server does not support streaming lists. */
        boolean speaksAgainstStreams(Outcome outcome) {
            boolean unheard = outcome instanceof Outcome.Overdue overdue && !overdue.begun();
            return isNoStream(outcome) && !unheard || how == How.STREAMED && outcome instanceof Outcome.BrokenOff && failed + 1 >= STUBBORN;
        }

        static boolean isInvalid(Outcome outcome) {
            return outcome instanceof Outcome.Failed failed && failed.cause() instanceof InvalidRequestException;
        }
    }

    /** Receives changes as they happen. */
    record Watching() implements Phase {

        @Override
        public Step after(Outcome outcome, int attempt) {
            if (outcome instanceof Outcome.Ended || outcome instanceof Outcome.Complete) {
                return Step.now(this);
            }
            if (outcome instanceof Outcome.Unproven unproven) {
                return Step.now(listing(unproven.reason()));
            }
            if (outcome instanceof Outcome.OtherHistory other) {
                return Step.now(new Listing(How.STREAMED, Freshness.MOST_RECENT, other.reason()));
            }
            if (outcome instanceof Outcome.Doubtful doubtful) {
                return Step.later(listing(doubtful.reason()));
            }
            if (outcome instanceof Outcome.Fault fault && isToBeListed(fault, attempt)) {
                Listing next = listing(String.valueOf(fault.cause().getMessage()));
                boolean fromTheFuture = fault.cause() instanceof ResourceVersionTooLargeException; // so would be a list that is not older
                return Step.later(fromTheFuture ? next.mostRecent(next.reason()) : next);
            }
            return Step.later(this);
        }

        private static Listing listing(String reason) {
            return new Listing(How.STREAMED, Freshness.NOT_OLDER, reason);
        }

        /**
         * Whether to list after {@code fault}. An object that the server itself cannot read fails each watch that reaches it (500): only a
         * list gets past it.
         */
        private static boolean isToBeListed(Outcome.Fault fault, int attempt) {
            return fault instanceof Outcome.Persistent
                    || fault instanceof Outcome.Failed failed
                            && (isOutOfRange(failed.cause()) || attempt >= STUBBORN && failed.mayLieInTheRequest());
        }
    }

    /** Whether the server is healthy, but does not have the requested history. */
    static boolean isOutOfRange(Throwable cause) {
        return cause instanceof ResourceVersionExpiredException || cause instanceof ResourceVersionTooLargeException;
    }

    /** The next phase, and whether to pause before it. */
    record Step(Phase phase, boolean paused) {

        static Step now(Phase phase) {
            return new Step(phase, false);
        }

        static Step later(Phase phase) {
            return new Step(phase, true);
        }
    }
}
