package io.reactiveinformer.reflector;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** When a list has to verify a watch that ended in order but sent nothing (law 20). */
class SilenceRuleTest {

    private static final Duration VERIFY_AFTER = Duration.ofMinutes(30);

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();

    private SilenceRule trust(boolean known) {
        return new SilenceRule(clock, VERIFY_AFTER, known);
    }

    @Test
    void quietIsBelievedUntilItIsTimeToVerify() {
        SilenceRule trust = trust(true);
        clock.advanceTimeBy(VERIFY_AFTER.minusNanos(1));
        assertThat(trust.doubtAfterSilence(Duration.ofMinutes(9))).isNull();
        clock.advanceTimeBy(Duration.ofNanos(1));
        assertThat(trust.doubtAfterSilence(Duration.ofMinutes(9))).isEqualTo("nothing was received for 30 min");
    }

    @Test
    void eachWordStartsTheTimeAnew() {
        SilenceRule trust = trust(true);
        clock.advanceTimeBy(VERIFY_AFTER.minusNanos(1));
        trust.received(false);
        clock.advanceTimeBy(VERIFY_AFTER.minusNanos(1));
        assertThat(trust.doubtAfterSilence(Duration.ofMinutes(9))).isNull();
    }

    /** It has not received our version; and one doubt is enough until it sends bookmarks again. */
    @Test
    void missingBookmarksAreDoubtedOnce() {
        SilenceRule trust = trust(true);
        trust.received(true);
        trust.received(false);
        assertThat(trust.doubtAfterSilence(SilenceRule.BOOKMARKS_MISSED.minusNanos(1))).as("too short to miss one").isNull();
        assertThat(trust.doubtAfterSilence(SilenceRule.BOOKMARKS_MISSED)).contains("no bookmark for 180 s").contains("sends them");
        assertThat(trust.doubtAfterSilence(SilenceRule.BOOKMARKS_MISSED)).isNull();
        trust.received(true);
        assertThat(trust.doubtAfterSilence(SilenceRule.BOOKMARKS_MISSED)).isNotNull();
    }

    /** A version that an earlier process saved may be in this server's future, where a watch is accepted and silent. */
    @Test
    void aSavedVersionIsDoubtedUntilTheServerKnowsIt() {
        SilenceRule trust = trust(false);
        assertThat(trust.doubtAfterSilence(SilenceRule.BOOKMARKS_MISSED.minusNanos(1))).isNull();
        assertThat(trust.doubtAfterSilence(SilenceRule.BOOKMARKS_MISSED)).contains("has not shown yet");
        assertThat(trust.doubtAfterSilence(SilenceRule.BOOKMARKS_MISSED)).as("until it is listed").contains("has not shown yet");
        trust.received(false);
        assertThat(trust.doubtAfterSilence(SilenceRule.BOOKMARKS_MISSED)).isNull();
    }
}
