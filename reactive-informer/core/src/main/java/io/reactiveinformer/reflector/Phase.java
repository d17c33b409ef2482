package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.ResourceVersionTooLargeException;

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
 *    └─────────────────────────────── expired, from the future, in doubt ──────────────┘
 *                                            another history: most recent
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
     * How often in a row one way may fail before another one is tried: resuming from a version and listing in that freshness, where the
     * failure may lie in what is asked for; streaming lists and lists in one answer, however they fail. Once may be chance and twice bad luck,
     * such as a rolling restart of two servers; with the pauses between, the third is at least two seconds after the first.
     */
    int STUBBORN = 3;

    /** @param attempt how many watches in a row have failed from where this one began, this one included if it did */
    Step after(Outcome outcome, int attempt);

    /**
     * Asking for the complete state.
     *
     * @param wanted how fresh it has to be; {@code freshness} is that, or {@link Freshness#MOST_RECENT} where that fails
     * @param failed how often it has failed in this way. Not the tries that the pauses grow by: those start over after a try that went on for
     *     long, as an endless one does
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
                return Step.later(mostRecent(reason)); // it may be our version that it cannot read
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

        /** The same again, or after too many failures in another way. No way is left for good: what fails today may do tomorrow. */
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

        /** As it is now, whatever was seen before. */
        Listing mostRecent(String why) {
            return new Listing(how, Freshness.MOST_RECENT, wanted, why, failed);
        }

        /** The same without a stream. */
        Listing inPages() {
            return how == How.STREAMED ? new Listing(How.PAGED, freshness, wanted, reason, 0) : this;
        }

        /** Whether a streaming list did not even begin, or would not end. Another way of asking may do. */
        private boolean isNoStream(Outcome outcome) {
            return how == How.STREAMED && (outcome instanceof Outcome.Overdue || isInvalid(outcome));
        }

        /** Whether {@code outcome} shows, if pages do better, that the server does not do streaming lists. */
        boolean speaksAgainstStreams(Outcome outcome) {
            boolean unheard = outcome instanceof Outcome.Overdue overdue && !overdue.begun();
            return isNoStream(outcome) && !unheard || how == How.STREAMED && outcome instanceof Outcome.BrokenOff && failed + 1 >= STUBBORN;
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
            if (outcome instanceof Outcome.OtherHistory other) {
                return Step.now(new Listing(How.STREAMED, Freshness.MOST_RECENT, other.reason()));
            }
            if (outcome instanceof Outcome.Doubtful doubtful) {
                return Step.later(listing(doubtful.reason()));
            }
            if (outcome instanceof Outcome.Fault fault && isToBeListed(fault, attempt)) {
                Listing next = listing(String.valueOf(fault.cause().getMessage()));
                boolean fromTheFuture = fault.cause() instanceof ResourceVersionTooLargeException; // so would be what is not older
                return Step.later(fromTheFuture ? next.mostRecent(next.reason()) : next);
            }
            return Step.later(this);
        }

        private static Listing listing(String reason) {
            return new Listing(How.STREAMED, Freshness.NOT_OLDER, reason);
        }

        /** An object that the server itself cannot read fails each watch that comes by it (500): only a list gets past it. */
        private static boolean isToBeListed(Outcome.Fault fault, int attempt) {
            return fault instanceof Outcome.Persistent
                    || fault instanceof Outcome.Failed failed
                            && (isOutOfRange(failed.cause()) || attempt >= STUBBORN && failed.mayLieInTheRequest());
        }
    }

    /** Whether the server is well, and does not have the history that was asked for. */
    static boolean isOutOfRange(KubernetesException cause) {
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
