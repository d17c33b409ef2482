package io.reactiveinformer.reflector;

import io.reactiveinformer.reflector.Phase.Freshness;
import io.reactiveinformer.reflector.Phase.How;
import io.reactiveinformer.reflector.Phase.Listing;
import io.reactiveinformer.reflector.Phase.Step;
import io.reactiveinformer.reflector.Phase.Watching;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where a phase leads if the same outcome repeats (law 26): a reflector never uses one way of listing for ever, and never leaves one for
 * good.
 */
class PhaseLawsTest {

    private static final long PATIENCE = Duration.ofMinutes(30).toNanos();
    private static final Outcome BROKEN = new Outcome.Failed(new TransportException("planned", null));
    private static final Outcome CUT = new Outcome.BrokenOff(new TransportException("planned", null));
    private static final Outcome UNREADABLE = new Outcome.Failed(StatusException.of(Status.of(500, "StoreReadError", "planned"), "list"));

    private static List<Listing> whenAllIs(Outcome outcome, Listing first) {
        List<Listing> tried = new ArrayList<>(List.of(first));
        while (tried.size() < 12) {
            tried.add(next(tried.get(tried.size() - 1), outcome));
        }
        return tried;
    }

    private static Listing next(Phase phase, Outcome outcome) {
        return Objects.requireNonNull(phase.after(outcome, 0, PATIENCE).phase().listing());
    }

    private static Listing listing(How how, Freshness freshness) {
        return new Listing(how, freshness, "");
    }

    @Test
    void aStreamThatFailsThreeTimesIsAskedForInPages() {
        for (Outcome outcome : List.of(BROKEN, UNREADABLE, CUT)) {
            assertThat(whenAllIs(outcome, listing(How.STREAMED, Freshness.ANY)).subList(0, 5)).extracting(Listing::how)
                    .containsExactly(How.STREAMED, How.STREAMED, How.STREAMED, How.PAGED, How.PAGED);
        }
    }

    @Test
    void oneAnswerForAllThatFailsThreeTimesIsAskedForInPages() {
        assertThat(whenAllIs(BROKEN, listing(How.WHOLE, Freshness.ANY)).subList(0, 5)).extracting(Listing::how)
                .containsExactly(How.WHOLE, How.WHOLE, How.WHOLE, How.PAGED, How.PAGED);
    }

    /** It may be the freshness that cannot be had, or just the most recent state: both take turns. */
    @ParameterizedTest
    @EnumSource(value = Freshness.class, names = "MOST_RECENT", mode = EnumSource.Mode.EXCLUDE)
    void whatMayLieInTheRequestIsAskedForOtherwiseByTurns(Freshness wanted) {
        Freshness recent = Freshness.MOST_RECENT;
        assertThat(whenAllIs(UNREADABLE, listing(How.PAGED, wanted))).extracting(Listing::freshness)
                .containsExactly(wanted, wanted, wanted, recent, recent, recent, wanted, wanted, wanted, recent, recent, recent);
    }

    @ParameterizedTest
    @EnumSource(Freshness.class)
    void whatCannotLieInTheRequestIsAskedForAsItWas(Freshness wanted) {
        assertThat(whenAllIs(BROKEN, listing(How.PAGED, wanted))).extracting(Listing::freshness).containsOnly(wanted);
    }

    /** A detour to the most recent state is one, whatever else fails on it. */
    @ParameterizedTest
    @EnumSource(How.class)
    void whatWasWantedIsNotForgottenOnADetour(How how) {
        Outcome gone = new Outcome.Failed(StatusException.of(Status.of(410, "Expired", "planned"), "list"));
        Listing phase = next(listing(how, Freshness.NOT_OLDER), gone);
        for (Outcome outcome : List.of(BROKEN, BROKEN, BROKEN, BROKEN, BROKEN, BROKEN, UNREADABLE, UNREADABLE, UNREADABLE)) {
            assertThat(phase.freshness()).isEqualTo(Freshness.MOST_RECENT);
            phase = next(phase, outcome);
        }
        assertThat(phase.freshness()).isEqualTo(Freshness.NOT_OLDER);
    }

    /** Once the server has no such version, the most recent state is wanted, in whichever way it can be had. */
    @ParameterizedTest
    @EnumSource(How.class)
    void whatIsGoneIsNotAskedForAgain(How how) {
        Outcome gone = new Outcome.Failed(StatusException.of(Status.of(410, "Expired", "planned"), "list"));
        assertThat(whenAllIs(gone, listing(how, Freshness.NOT_OLDER)).subList(1, 12))
                .extracting(Listing::freshness).containsOnly(Freshness.MOST_RECENT);
    }

    /** The end of a list in pages; there is nothing to wait for. */
    @Test
    void theWatchFollowsACompleteListAtOnce() {
        assertThat(new Watching().after(new Outcome.Complete(), 0, PATIENCE)).isEqualTo(Step.now(new Watching()));
    }

    /**
     * What was refused as such, stalled when it had begun, or was cut three times. A connection that does not answer says nothing of
     * streams.
     */
    @Test
    void onlyWhatAStreamDidSpeaksAgainstStreams() {
        Outcome invalid = new Outcome.Failed(StatusException.of(Status.of(422, "Invalid", "planned"), "list"));
        Listing stream = listing(How.STREAMED, Freshness.ANY);
        assertThat(stream.speaksAgainstStreams(invalid)).isTrue();
        assertThat(stream.speaksAgainstStreams(new Outcome.Overdue(true))).isTrue();
        assertThat(stream.speaksAgainstStreams(new Outcome.Overdue(false))).isFalse();
        assertThat(stream.speaksAgainstStreams(BROKEN)).isFalse();
        assertThat(whenAllIs(CUT, stream).subList(0, 3)).extracting(listing -> listing.speaksAgainstStreams(CUT))
                .containsExactly(false, false, true);
        Listing pages = listing(How.PAGED, Freshness.ANY);
        for (Outcome outcome : List.of(invalid, new Outcome.Overdue(true), CUT)) {
            assertThat(pages.speaksAgainstStreams(outcome)).isFalse();
        }
    }

    @Test
    void aKnownFailureStaysWhatItIs() {
        var known = new TransportException("planned", null);
        assertThat(Outcome.failed(known, "things")).isEqualTo(new Outcome.Failed(known, false));
        assertThat(Outcome.failed(new IllegalStateException("planned"), "things").cause())
                .hasMessageContaining("cannot keep up with things");
        var silent = new IdleTimeout.SilentException("things", Duration.ofSeconds(30));
        assertThat(Outcome.failed(silent, "things").mayLieInTheRequest()).isFalse();
    }
}
