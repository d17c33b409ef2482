package io.reactiveinformer.reflector;

import io.reactiveinformer.reflector.Phase.Freshness;
import io.reactiveinformer.reflector.Phase.How;
import io.reactiveinformer.reflector.Phase.Listing;
import io.reactiveinformer.reflector.Phase.Step;
import io.reactiveinformer.reflector.Phase.Watching;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static io.reactiveinformer.reflector.Phase.Freshness.ANY;
import static io.reactiveinformer.reflector.Phase.Freshness.MOST_RECENT;
import static io.reactiveinformer.reflector.Phase.Freshness.NOT_OLDER;
import static io.reactiveinformer.reflector.Phase.How.PAGED;
import static io.reactiveinformer.reflector.Phase.How.STREAMED;
import static io.reactiveinformer.reflector.Phase.How.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

/** The table of {@link Phase}. Each row has a phase, an outcome, and the step that must follow. */
class PhaseTest {

    private static final long PATIENCE = Duration.ofMinutes(30).toNanos();
    private static final Watching WATCHING = new Watching();
    private static final Outcome.Failed BROKEN = new Outcome.Failed(new TransportException("planned", null));
    private static final Outcome.Failed DEFECT = Outcome.failed(new IllegalStateException("planned"), "things");

    static Stream<Arguments> transitions() {
        Outcome expired = refused(410, "Expired");
        Outcome tooLarge = new Outcome.Failed(StatusException.of(
                new Status(504, "Timeout", "Too large resource version: 9, current: 5", List.of(), null), "list"));
        return Stream.of(
                // the way that it should go
                row(listing(STREAMED, ANY), new Outcome.Complete(), 1, Step.now(WATCHING)),
                row(listing(PAGED, ANY), new Outcome.Complete(), 1, Step.now(WATCHING)),
                row(WATCHING, new Outcome.Ended(true, false), 1, Step.now(WATCHING)),
                row(WATCHING, new Outcome.Progress(), 3, Step.now(WATCHING)),

                // an end that is not as servers end watches: it may be another server by now
                row(WATCHING, new Outcome.Ended(false, false), 1, Step.now(proving(WATCHING))),
                row(new Watching(0, 0, true), new Outcome.Ended(true, false), 1, Step.now(proving(new Watching(0, 0, true)))),
                row(new Watching(0, 0, true), new Outcome.Progress(), 1, Step.now(new Watching(0, 0, true))),
                row(proving(WATCHING), new Outcome.Proven(true), 1, Step.now(WATCHING)),
                row(proving(WATCHING), new Outcome.Proven(false), 1, Step.now(new Watching(0, 0, true))),
                row(proving(new Watching(0, 0, true)), new Outcome.Proven(true), 1, Step.now(WATCHING)),
                row(proving(WATCHING), BROKEN, 1, Step.later(new Phase.Proving(WATCHING, 1))),
                row(new Phase.Proving(WATCHING, 1), BROKEN, 1, Step.later(new Phase.Proving(WATCHING, 2))),
                row(new Phase.Proving(WATCHING, 1), expired, 1, relist(new Phase.Proving(listing(STREAMED, NOT_OLDER), 2))),
                row(proving(WATCHING), Outcome.OtherHistory.shown("why"), 1, Step.now(listing(STREAMED, MOST_RECENT))),
                row(WATCHING, new Outcome.OtherHistory("why", false), 1, Step.now(listing(STREAMED, MOST_RECENT))),
                row(proving(listing(PAGED, NOT_OLDER)), new Outcome.Proven(true), 1, Step.now(listing(PAGED, NOT_OLDER))),
                row(proving(listing(PAGED, NOT_OLDER)), new Outcome.Proven(false), 1, Step.now(listing(PAGED, MOST_RECENT))),
                row(proving(listing(PAGED, NOT_OLDER)), BROKEN, 1, Step.now(listing(PAGED, MOST_RECENT))),
                row(proving(listing(STREAMED, NOT_OLDER)), Outcome.OtherHistory.shown("why"), 1, Step.now(listing(STREAMED, MOST_RECENT))),

                // streaming lists, and what to do without
                row(listing(STREAMED, ANY), refused(422, "Invalid"), 1, Step.now(listing(PAGED, ANY))),
                row(listing(STREAMED, ANY), refused(400, "BadRequest"), 1, Step.now(listing(PAGED, ANY))),
                row(listing(STREAMED, ANY), new Outcome.Overdue(true), 1, Step.now(listing(PAGED, ANY))),
                row(listing(STREAMED, ANY), BROKEN, 1, Step.later(listing(STREAMED, ANY))),
                row(listing(STREAMED, ANY), BROKEN, 9, Step.later(listing(STREAMED, ANY))),
                row(failed(2, STREAMED, ANY, ANY), BROKEN, 1, Step.later(listing(PAGED, ANY))),
                row(failed(2, STREAMED, ANY, ANY), new Outcome.BrokenOff(new TransportException("planned", null)),
                        1, Step.later(listing(PAGED, ANY))),
                row(listing(STREAMED, NOT_OLDER), refused(429, "TooManyRequests"), 1, Step.later(proving(listing(STREAMED, NOT_OLDER)))),

                // pages
                row(listing(PAGED, ANY), new Outcome.PageLost(BROKEN.cause()), 1, Step.now(listing(WHOLE, ANY))),
                row(listing(STREAMED, NOT_OLDER), new Outcome.PageLost(BROKEN.cause()), 1, Step.now(proving(listing(WHOLE, NOT_OLDER)))),
                row(listing(WHOLE, ANY), new Outcome.PageLost(BROKEN.cause()), 1, Step.later(listing(WHOLE, ANY))),
                row(listing(PAGED, ANY), refused(422, "Invalid"), 1, Step.later(listing(PAGED, ANY))),
                row(failed(1, WHOLE, ANY, ANY), BROKEN, 1, Step.later(listing(WHOLE, ANY))),
                row(failed(2, WHOLE, ANY, ANY), BROKEN, 1, Step.later(listing(PAGED, ANY))),
                row(failed(2, WHOLE, ANY, ANY), new Outcome.PageLost(BROKEN.cause()), 1, Step.later(listing(PAGED, ANY))),

                // a freshness that fails by itself
                row(failed(1, PAGED, ANY, ANY), refused(500, "InternalError"), 1, Step.later(listing(PAGED, ANY))),
                row(failed(2, PAGED, ANY, ANY), refused(500, "InternalError"), 1, Step.later(listing(PAGED, MOST_RECENT))),
                row(failed(2, PAGED, NOT_OLDER, NOT_OLDER), DEFECT, 1, Step.later(listing(PAGED, MOST_RECENT))),
                row(failed(2, PAGED, MOST_RECENT, ANY), refused(500, "InternalError"), 1, Step.later(listing(PAGED, ANY))),
                row(failed(2, PAGED, MOST_RECENT, NOT_OLDER), DEFECT, 1, Step.later(proving(listing(PAGED, NOT_OLDER)))),
                row(failed(2, PAGED, MOST_RECENT, MOST_RECENT), DEFECT, 1, Step.later(listing(PAGED, MOST_RECENT))),
                row(failed(2, PAGED, NOT_OLDER, NOT_OLDER), refused(503, "ServiceUnavailable"), 1,
                        Step.later(proving(listing(PAGED, NOT_OLDER)))),
                row(failed(2, PAGED, NOT_OLDER, NOT_OLDER), BROKEN, 1, Step.later(proving(listing(PAGED, NOT_OLDER)))),

                // versions that the server does not have
                row(listing(PAGED, NOT_OLDER), refused(400, "BadRequest"), 1, Step.later(listing(PAGED, MOST_RECENT))),
                row(listing(STREAMED, NOT_OLDER), refused(400, "BadRequest"), 1, Step.now(proving(listing(PAGED, NOT_OLDER)))),
                row(listing(PAGED, NOT_OLDER), expired, 1, Step.now(listing(PAGED, MOST_RECENT))),
                row(listing(STREAMED, NOT_OLDER), tooLarge, 1, Step.now(listing(STREAMED, MOST_RECENT))),
                row(listing(PAGED, MOST_RECENT), expired, 1, Step.later(listing(PAGED, MOST_RECENT))),
                row(WATCHING, expired, 1, relist(proving(listing(STREAMED, NOT_OLDER)))),
                row(WATCHING, tooLarge, 1, relist(listing(STREAMED, MOST_RECENT))),

                // doubt
                row(WATCHING, new Outcome.Doubtful("why"), 1, relist(proving(listing(STREAMED, NOT_OLDER)))),
                row(WATCHING, new Outcome.Unproven("why"), 1, Step.now(proving(listing(STREAMED, NOT_OLDER)))),
                row(listing(PAGED, NOT_OLDER), new Outcome.Doubtful("why"), 1, Step.later(listing(PAGED, MOST_RECENT))),
                row(listing(STREAMED, NOT_OLDER), new Outcome.Doubtful("why"), 1, Step.later(listing(PAGED, MOST_RECENT))),

                // failures: the same again, later
                row(listing(PAGED, ANY), refused(403, "Forbidden"), 9, Step.later(listing(PAGED, ANY))),
                row(listing(WHOLE, ANY), BROKEN, 9, Step.later(listing(WHOLE, ANY))),
                row(WATCHING, BROKEN, 9, Step.later(proving(WATCHING))),
                row(WATCHING, new Outcome.Cut(new TransportException("", null)), 9, Step.later(proving(WATCHING))),
                row(WATCHING, refused(401, "Unauthorized"), 9, Step.later(proving(WATCHING))),
                row(WATCHING, refused(403, "Forbidden"), 9, Step.later(proving(WATCHING))),
                row(WATCHING, refused(404, "NotFound"), 9, Step.later(proving(WATCHING))),
                row(WATCHING, refused(429, "TooManyRequests"), 9, Step.later(proving(WATCHING))),
                row(WATCHING, refused(503, "ServiceUnavailable"), 9, Step.later(proving(WATCHING))),
                row(WATCHING, refused(504, "Timeout"), 9, Step.later(proving(WATCHING))),

                // except where it may lie in the version, or goes on for too long
                row(WATCHING, DEFECT, 2, Step.later(proving(WATCHING))),
                row(WATCHING, DEFECT, 3, relistAfterRefusal(proving(listing(STREAMED, NOT_OLDER)))),
                row(WATCHING, new Outcome.Failed(new UnexpectedAnswerException("planned")), 3,
                        relistAfterRefusal(proving(listing(STREAMED, NOT_OLDER)))),
                row(WATCHING, refused(418, ""), 3, relistAfterRefusal(proving(listing(STREAMED, NOT_OLDER)))),
                row(WATCHING, refused(500, "StoreReadError"), 2, Step.later(proving(WATCHING))),
                row(WATCHING, refused(500, "StoreReadError"), 3, relistAfterRefusal(proving(listing(STREAMED, NOT_OLDER)))),
                row(WATCHING, refused(400, "BadRequest"), 3, relistAfterRefusal(proving(listing(STREAMED, NOT_OLDER)))));
    }

    @ParameterizedTest
    @MethodSource("transitions")
    void leadsTo(Phase from, Outcome outcome, int attempt, Step expected) {
        Phase failed = from instanceof Watching watching ? new Watching(attempt - 1, 0, watching.unproven()) : from;
        Step step = failed.after(outcome, 0, PATIENCE);
        assertThat(step.pause()).isEqualTo(expected.pause());
        assertThat(withoutCounts(step.phase())).isEqualTo(expected.phase());
    }

    private static Phase withoutCounts(Phase phase) {
        if (phase instanceof Phase.Proving proving) {
            return new Phase.Proving(withoutCounts(proving.next()), proving.failed());
        }
        return phase instanceof Listing listing ? listing("", listing.how(), listing.freshness())
                : new Watching(0, 0, ((Watching) phase).unproven());
    }

    /** What counts is the first failure from this version, and any that follows without progress. */
    @Test
    void aWatchThatFailsFromOneVersionForTooLongIsFollowedByAList() {
        Phase phase = WATCHING;
        for (int failures = 1; failures < 9; failures++) {
            phase = phase.after(BROKEN, 1_000 + failures, PATIENCE).phase();
            assertThat(phase).isEqualTo(proving(new Watching(failures, 1_001, false)));
            phase = phase.after(new Outcome.Proven(true), 1_000 + failures, PATIENCE).phase();
        }
        assertThat(phase.after(BROKEN, 1_000 + PATIENCE, PATIENCE)).isEqualTo(Step.later(proving(new Watching(9, 1_001, false))));
        assertThat(phase.after(BROKEN, 1_001 + PATIENCE, PATIENCE).phase().listing()).isNotNull();
        assertThat(phase.after(BROKEN, 1_001 + PATIENCE, PATIENCE).pause()).isEqualTo(Phase.Pause.RELIST_AFTER_REFUSAL);
        assertThat(phase.after(refused(410, "Expired"), 1_001 + PATIENCE, PATIENCE).pause())
                .isEqualTo(Phase.Pause.RELIST_AFTER_REFUSAL);
        assertThat(new Watching(1, 0, false).after(BROKEN, PATIENCE, PATIENCE)).as("only two")
                .isEqualTo(Step.later(proving(new Watching(2, 0, false))));
        assertThat(phase.after(new Outcome.Ended(true, false), 1_009, PATIENCE)).isEqualTo(Step.now(phase));
        for (Outcome progress : List.of(new Outcome.Progress(), new Outcome.Complete())) {
            assertThat(phase.after(progress, 1_009, PATIENCE)).isEqualTo(Step.now(WATCHING));
        }
    }

    /** A listing knows why it is not a streaming list any more, and whether the end of it shows that the server has none. */
    @Test
    void aListingInPagesKnowsWhyItIsOne() {
        Outcome invalid = refused(422, "Invalid");
        var pages = listingOf(listing(STREAMED, NOT_OLDER).after(invalid, 0, PATIENCE));
        assertThat(pages.streamFailure()).isSameAs(invalid);
        assertThat(pages.showsNoStreams()).isTrue();
        assertThat(listing(STREAMED, ANY).inPages().showsNoStreams()).as("it was not requested").isFalse();
        assertThat(listing(STREAMED, ANY).inPages().streamFailure()).isNull();

        var later = listingOf(pages.after(BROKEN, 0, PATIENCE));
        assertThat(later.streamFailure()).isSameAs(invalid);
        assertThat(later.showsNoStreams()).isTrue();
        assertThat(later.mostRecent("why").showsNoStreams()).isTrue();
        var refusedToo = listingOf(pages.after(refused(400, "BadRequest"), 0, PATIENCE));
        assertThat(refusedToo.showsNoStreams()).as("pages are refused as well").isFalse();
        assertThat(refusedToo.streamFailure()).isSameAs(invalid);

        Outcome brokenOff = new Outcome.BrokenOff(new TransportException("planned", null));
        Listing cut = listingOf(failed(2, STREAMED, ANY, ANY).after(brokenOff, 0, PATIENCE));
        assertThat(cut.showsNoStreams()).isTrue();
        var silent = listingOf(listing(STREAMED, ANY).after(new Outcome.Overdue(false), 0, PATIENCE));
        assertThat(silent.showsNoStreams()).as("nothing was received").isFalse();
        assertThat(silent.streamFailure()).isEqualTo(new Outcome.Overdue(false));
        var again = listingOf(listing(STREAMED, ANY).after(BROKEN, 0, PATIENCE));
        assertThat(again.streamFailure()).as("a stream still").isNull();
    }

    /** Whatever comes: no way leads round at once for ever. */
    @Test
    void noOutcomeThatCanComeAtOnceIsAnsweredAtOnceForEver() {
        for (Outcome outcome : List.of(new Outcome.PageLost(BROKEN.cause()), new Outcome.Overdue(true), new Outcome.Doubtful("why"), BROKEN,
                refused(410, "Expired"), refused(422, "Invalid"), refused(500, "InternalError"))) {
            Phase phase = listing(STREAMED, ANY);
            int atOnce = 0;
            for (Step step = phase.after(outcome, 0, PATIENCE); !step.paused(); step = step.phase().after(outcome, 0, PATIENCE)) {
                assertThat(++atOnce).as("%s", outcome).isLessThan(4);
            }
        }
    }

    /** In a row, and only those that are followed by a pause: a list in pages follows at once where a streaming list is not known. */
    @Test
    void aListingCountsHowOftenItWasRefusedAsAMistake() {
        KubernetesException invalid = StatusException.of(Status.of(422, "Invalid", "planned"), "list");
        Outcome mistake = new Outcome.Failed(invalid, false, false, true);
        Listing listing = listingOf(listing(STREAMED, ANY).after(mistake, 0, PATIENCE));
        assertThat(listing.mistakes()).isZero();
        for (int mistakes = 1; mistakes < 5; mistakes++) {
            listing = listingOf(listing.after(mistake, 0, PATIENCE));
            assertThat(listing.mistakes()).isEqualTo(mistakes);
        }
        assertThat(listing.mostRecent("why").mistakes()).isEqualTo(4);
        assertThat(listingOf(listing.after(BROKEN, 0, PATIENCE)).mistakes()).isZero();
    }

    @Test
    void aListingSaysWhyItIs() {
        var listing = listingOf(WATCHING.after(refused(410, "Expired"), 0, PATIENCE));
        assertThat(listing.reason()).startsWith("410 Expired: ");
    }

    /** @param attempt how many watches in a row have failed from one version, this one included; does not matter for lists */
    private static Arguments row(Phase from, Outcome outcome, int attempt, Step expected) {
        return Arguments.of(from, outcome, attempt, expected);
    }

    private static Step relist(Phase next) {
        return new Step(next, Phase.Pause.RELIST);
    }

    private static Step relistAfterRefusal(Phase next) {
        return new Step(next, Phase.Pause.RELIST_AFTER_REFUSAL);
    }

    private static Listing listing(How how, Freshness freshness) {
        return listing("", how, freshness);
    }

    private static Listing listing(String reason, How how, Freshness freshness) {
        return new Listing(how, freshness, reason);
    }

    /** Nobody answered: that says nothing of the request, nor of streaming lists. */
    @Test
    void silenceIsOfTheConnection() {
        Outcome.Failed silent = Outcome.failed(new IdleTimeout.SilentException("pods", Duration.ofSeconds(90)), "pods");
        assertThat(silent.cause()).hasMessageContaining("silent for 90 s");
        assertThat(silent.mayLieInTheRequest()).isFalse();
        Outcome.Failed other = Outcome.failed(new IllegalStateException("planned"), "pods");
        assertThat(other.cause()).hasMessageContaining("planned");
        assertThat(other.mayLieInTheRequest()).isTrue();
        Listing streamed = failed(0, How.STREAMED, Freshness.ANY, Freshness.ANY);
        assertThat(streamed.speaksAgainstStreams(new Outcome.Overdue(false))).isFalse();
        assertThat(streamed.speaksAgainstStreams(new Outcome.Overdue(true))).isTrue();
        assertThat(streamed.inPages().speaksAgainstStreams(new Outcome.Overdue(true))).isFalse();
    }

    private static Listing listingOf(Step step) {
        return Objects.requireNonNull(step.phase().listing());
    }

    private static Phase proving(Phase next) {
        return new Phase.Proving(next, 0);
    }

    private static Listing failed(int times, How how, Freshness freshness, Freshness wanted) {
        return new Listing(how, freshness, wanted, "", times, false, null, 0);
    }

    private static Outcome refused(int code, String reason) {
        KubernetesException cause = StatusException.of(Status.of(code, reason, "planned"), "watch");
        return new Outcome.Failed(cause);
    }
}
