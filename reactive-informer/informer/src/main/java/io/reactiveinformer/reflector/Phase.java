package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.ResourceVersionTooLargeException;
import java.time.Duration;
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
 * <p>Between the end of a request that is not as servers end them and what continues from our version, there is a {@link Proving}: it may
 * be another server by now, or another store. A {@link Pausing} stands before any other phase.
 *
 * <p>Pure: the time is an argument. What was received, and its position in the server's history, is kept by {@link EventTranslator}.
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

    /** The listing that this is, or leads to; null if it leads to a watch. */
    default @Nullable Listing listing() {
        return null;
    }

    /**
     * Requests the complete state.
     *
     * @param wanted how fresh it has to be; {@code freshness} is that, or {@link Freshness#MOST_RECENT} if that fails
     * @param failed how often it has failed in this way. Not the tries that the pauses grow by: those start over after a try that went on
     *     for long, as an endless one does
     * @param streamRefused whether the server seems not to support streaming lists. One that sends the same in pages does not; one that
     *     refuses both may have another reason
     * @param streamFailure why this is not a streaming list any more; null if it has never been one, or still is
     * @param mistakes how often in a row the source has refused it as what it never takes
     */
    record Listing(
            How how, Freshness freshness, Freshness wanted, String reason, int failed, boolean streamRefused,
            @Nullable Outcome streamFailure, int mistakes)
            implements Phase {

        Listing(How how, Freshness freshness, String reason) {
            this(how, freshness, freshness, reason, 0, false, null, 0);
        }

        @Override
        public Listing listing() {
            return this;
        }

        @Override
        public Step after(Outcome outcome, long now, long patience) {
            Step step = next(outcome);
            if (!(step.phase() instanceof Listing next)) {
                return step;
            }
            boolean refused = speaksAgainstStreams(outcome) || streamRefused && !isInvalid(outcome);
            Outcome failure = how == How.STREAMED && next.how != How.STREAMED ? outcome : streamFailure;
            boolean mistake = outcome instanceof Outcome.Failed failed && failed.mistake();
            int most = !step.paused() ? mistakes : mistake ? mistakes + 1 : 0;
            return new Step(new Listing(next.how, next.freshness, wanted, next.reason, next.failed, refused, failure, most), step.pause())
                    .proving();
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
            return new Listing(way, other, wanted, reason, failures, streamRefused, streamFailure, mistakes);
        }

        /** The most recent state, whatever was received before. */
        Listing mostRecent(String why) {
            return new Listing(how, Freshness.MOST_RECENT, wanted, why, failed, streamRefused, streamFailure, mistakes);
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
     * @param unproven whether the history must be proven again when this watch has ended, however it ends
     */
    record Watching(int failed, long failingSince, boolean unproven) implements Phase {

        Watching() {
            this(0, 0, false);
        }

        @Override
        public Step after(Outcome outcome, long now, long patience) {
            if (outcome instanceof Outcome.Complete) {
                return Step.now(new Watching());
            }
            if (outcome instanceof Outcome.Progress) {
                return Step.now(new Watching(0, 0, unproven));
            }
            boolean asServersEndThem = outcome instanceof Outcome.Ended ended && ended.asAsked() && !unproven;
            return asServersEndThem ? Step.now(this) : next(outcome, now, patience).proving();
        }

        private Step next(Outcome outcome, long now, long patience) {
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
                return new Watching(failed + 1, failed == 0 ? now : failingSince, unproven).afterFault(fault, now, patience);
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

    /**
     * Has the server prove that it has the history that the cached objects come from.
     *
     * @param next what follows then
     * @param failed how many requests for a proof have failed in a row
     */
    record Proving(Phase next, int failed) implements Phase {

        @Override
        public @Nullable Listing listing() {
            return next.listing();
        }

        /** A list not older than our version means something only in the same history: without a proof, the most recent state is listed. */
        @Override
        public Step after(Outcome outcome, long now, long patience) {
            boolean proven = outcome instanceof Outcome.Proven proof && proof.entirely();
            Listing listing = next.listing();
            if (listing != null) {
                String reason = outcome instanceof Outcome.OtherHistory other ? other.reason() : listing.reason();
                return Step.now(proven ? listing : listing.mostRecent(reason));
            }
            if (outcome instanceof Outcome.Proven && next instanceof Watching watching) {
                return Step.now(new Watching(watching.failed(), watching.failingSince(), !proven));
            }
            Step step = next.after(outcome, now, patience);
            return step.phase() instanceof Proving again ? new Step(new Proving(again.next, failed + 1), step.pause()) : step;
        }
    }

    /**
     * Waits.
     *
     * @param next what follows then
     * @param cause what has failed; null between two watches that ended in order
     * @param logged whether the log has a line about that already
     */
    record Pausing(Phase next, Duration pause, @Nullable KubernetesException cause, boolean logged) implements Phase {

        @Override
        public @Nullable Listing listing() {
            return next.listing();
        }

        @Override
        public Step after(Outcome outcome, long now, long patience) {
            return Step.now(next);
        }
    }

    /** No request follows: the stream fails with {@code cause}. */
    record Over(RuntimeException cause) implements Phase {

        @Override
        public Step after(Outcome outcome, long now, long patience) {
            return Step.now(this);
        }
    }

    /** Whether the server is healthy, but does not have the requested history. */
    static boolean isOutOfRange(Throwable cause) {
        return cause instanceof ResourceVersionExpiredException || cause instanceof ResourceVersionTooLargeException;
    }

    /** Whether to pause before the next request, and by which rule of {@link RetryPauses}. */
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

        /** With a proof before what continues from our version. */
        private Step proving() {
            Listing listing = phase.listing();
            boolean continues = listing == null || listing.freshness() == Freshness.NOT_OLDER;
            return continues ? new Step(new Proving(phase, 0), pause) : this;
        }
    }
}
