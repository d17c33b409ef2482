package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.ResourceVersionTooLargeException;
import org.jspecify.annotations.Nullable;

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
 * <p>Pure: the time is an argument. What was received, and its position in the server's history, is kept by {@link Position}.
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

    /**
     * The next phase.
     *
     * @param now the time in nanoseconds
     * @param patience for how many nanoseconds watches from one version may fail before a list is tried, whatever the failure is
     */
    Step after(Outcome outcome, long now, long patience);

    /**
     * Requests the complete state.
     *
     * @param wanted how fresh it has to be; {@code freshness} is that, or {@link Freshness#MOST_RECENT} if that fails
     * @param failed how often it has failed in this way. Not the tries that the pauses grow by: those start over after a try that went on
     *     for long, as an endless one does
     * @param streamRefused whether the server seems not to support streaming lists. One that sends the same in pages does not; one that
     *     refuses both may have another reason
     * @param streamFailure why this is not a streaming list any more; null if it has never been one, or still is
     */
    record Listing(
            How how, Freshness freshness, Freshness wanted, String reason, int failed, boolean streamRefused,
            @Nullable Outcome streamFailure)
            implements Phase {

        Listing(How how, Freshness freshness, String reason) {
            this(how, freshness, freshness, reason, 0, false, null);
        }

        @Override
        public Step after(Outcome outcome, long now, long patience) {
            Step step = next(outcome);
            if (!(step.phase() instanceof Listing next)) {
                return step;
            }
            boolean refused = speaksAgainstStreams(outcome) || streamRefused && !isInvalid(outcome);
            Outcome failure = how == How.STREAMED && next.how != How.STREAMED ? outcome : streamFailure;
            return new Step(new Listing(next.how, next.freshness, wanted, next.reason, next.failed, refused, failure), step.pause());
        }

        /** Leaves it to {@link #after} what is known of streaming lists. */
        private Step next(Outcome outcome) {
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
                return Step.now(in(How.WHOLE, freshness, 0));
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
                return in(how, freshness, failed + 1);
            }
            if (how != How.PAGED) {
                return in(How.PAGED, freshness, 0);
            }
            boolean otherwise = outcome instanceof Outcome.Failed failure && failure.mayLieInTheRequest();
            Freshness next = otherwise && freshness != Freshness.MOST_RECENT ? Freshness.MOST_RECENT : wanted;
            return in(how, otherwise ? next : freshness, 0);
        }

        private Listing in(How way, Freshness other, int failures) {
            return new Listing(way, other, wanted, reason, failures, streamRefused, streamFailure);
        }

        /** The most recent state, whatever was received before. */
        Listing mostRecent(String why) {
            return new Listing(how, Freshness.MOST_RECENT, wanted, why, failed, streamRefused, streamFailure);
        }

        /** The same without a stream. */
        Listing inPages() {
            return how == How.STREAMED ? in(How.PAGED, freshness, 0) : this;
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

        /** Whether the end of this listing shows that the server does not support streaming lists. */
        boolean showsNoStreams() {
            return streamRefused && how != How.STREAMED;
        }

        private static boolean isInvalid(Outcome outcome) {
            return outcome instanceof Outcome.Failed failed && failed.cause() instanceof InvalidRequestException;
        }
    }

    /**
     * Receives changes as they happen.
     *
     * @param failed how many watches in a row have failed from one version
     * @param failingSince the time of the first of these failures, in nanoseconds
     */
    record Watching(int failed, long failingSince) implements Phase {

        Watching() {
            this(0, 0);
        }

        @Override
        public Step after(Outcome outcome, long now, long patience) {
            if (outcome instanceof Outcome.Complete || outcome instanceof Outcome.Progress) {
                return Step.now(new Watching());
            }
            if (outcome instanceof Outcome.Unproven unproven) {
                return Step.now(listing(unproven.reason()));
            }
            if (outcome instanceof Outcome.OtherHistory other) {
                return Step.now(new Listing(How.STREAMED, Freshness.MOST_RECENT, other.reason()));
            }
            if (outcome instanceof Outcome.Doubtful doubtful) {
                return new Step(listing(doubtful.reason()), Pause.RELIST);
            }
            if (outcome instanceof Outcome.Fault fault) {
                return new Watching(failed + 1, failed == 0 ? now : failingSince).afterFault(fault, now, patience);
            }
            return outcome instanceof Outcome.Ended ? Step.now(this) : Step.later(this);
        }

        /**
         * A watch does not fail from one version forever: whatever the failure is, a list is tried in the end; soon, if it may lie in the
         * request. An object that the server itself cannot read fails each watch that reaches it (500): only a list gets past it.
         */
        private Step afterFault(Outcome.Fault fault, long now, long patience) {
            boolean persistent = failed >= STUBBORN && now - failingSince >= patience;
            boolean outOfRange = fault instanceof Outcome.Failed && isOutOfRange(fault.cause());
            boolean inTheRequest = failed >= STUBBORN && fault instanceof Outcome.Failed failure && failure.mayLieInTheRequest();
            if (!persistent && !outOfRange && !inTheRequest) {
                return Step.later(this);
            }
            Listing next = listing(String.valueOf(fault.cause().getMessage()));
            boolean fromTheFuture = fault.cause() instanceof ResourceVersionTooLargeException; // so would be a list that is not older
            return new Step(fromTheFuture ? next.mostRecent(next.reason()) : next,
                    outOfRange && !persistent ? Pause.RELIST : Pause.RELIST_AFTER_REFUSAL);
        }

        private static Listing listing(String reason) {
            return new Listing(How.STREAMED, Freshness.NOT_OLDER, reason);
        }
    }

    /** Whether the server is healthy, but does not have the requested history. */
    static boolean isOutOfRange(Throwable cause) {
        return cause instanceof ResourceVersionExpiredException || cause instanceof ResourceVersionTooLargeException;
    }

    /** Whether to pause before the next request, and by which rule of {@link Pace}. */
    enum Pause {
        NONE,
        /** After a failure. */
        RETRY,
        /** Before a list that follows from what a watch said. */
        RELIST,
        /** The same, where the watch was refused or could not be read, so that the next one may be, too. */
        RELIST_AFTER_REFUSAL
    }

    /** The next phase, and the pause before it. */
    record Step(Phase phase, Pause pause) {

        static Step now(Phase phase) {
            return new Step(phase, Pause.NONE);
        }

        static Step later(Phase phase) {
            return new Step(phase, Pause.RETRY);
        }

        boolean paused() {
            return pause != Pause.NONE;
        }
    }
}
