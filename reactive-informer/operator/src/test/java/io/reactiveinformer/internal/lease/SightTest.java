package io.reactiveinformer.internal.lease;

import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SightTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final OffsetDateTime LONG_AGO = OffsetDateTime.parse("1999-01-01T00:00:00Z");

    private final Sight sight = new Sight(Duration.ofSeconds(15));

    private static V1LeaseSpec heldBy(String holder, Integer seconds, Integer transitions) {
        return new V1LeaseSpec().holderIdentity(holder).leaseDurationSeconds(seconds).renewTime(LONG_AGO).leaseTransitions(transitions);
    }

    /** As client-go's "don't acquire" and "led, unacked": what the lease tells of times does not count. */
    @Test
    void expiresWhenUnchangedForItsDurationSinceItWasFirstSeen() {
        long first = -5 * SECOND; // such clocks may begin anywhere
        sight.look(heldBy("a", 1, 0), first);
        sight.look(heldBy("a", 1, 0), first + SECOND - 1);
        assertThat(sight.expired(first + SECOND - 1)).isFalse();
        assertThat(sight.expired(first + SECOND)).isTrue();
    }

    @Test
    void beginsAnewWithEachChange() {
        sight.look(heldBy("a", 10, 0), 0);
        sight.look(heldBy("a", 10, 0).renewTime(LONG_AGO.plusSeconds(1)), 9 * SECOND);
        assertThat(sight.expired(18 * SECOND)).isFalse();
        assertThat(sight.expired(19 * SECOND)).isTrue();
    }

    /** As client-go's "empty led, acked". */
    @Test
    void isExpiredWithoutAHolder() {
        assertThat(sight.expired(0)).as("nothing was seen").isTrue();
        sight.look(heldBy("", 15, 0), 0);
        assertThat(sight.expired(0)).isTrue();
        sight.look(new V1LeaseSpec(), 0);
        assertThat(sight.expired(0)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({",", "0", "-7"})
    void waitsTheOwnTimeForALeaseThatSaysNone(Integer seconds) {
        sight.look(heldBy("a", seconds, 0), 0);
        assertThat(sight.expired(15 * SECOND - 1)).isFalse();
        assertThat(sight.expired(15 * SECOND)).isTrue();
    }

    @Test
    void countsOnFromTheHighestThatItSaw() {
        assertThat(sight.nextTransition()).isZero();
        sight.look(heldBy("a", 15, null), 0);
        assertThat(sight.nextTransition()).isEqualTo(1);
        sight.look(heldBy("a", 15, 7), 0);
        sight.look(heldBy("b", 15, 0), 0);
        assertThat(sight.nextTransition()).as("after the lease was deleted and made again").isEqualTo(8);
        sight.look(heldBy("a", 15, Integer.MAX_VALUE), 0);
        assertThat(sight.nextTransition()).isEqualTo(Integer.MAX_VALUE);
    }
}
