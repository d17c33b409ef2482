package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which lease a candidate takes for his own: too many would be two leaders, too few a wait. */
class ClaimsTest {

    private static final OffsetDateTime T = OffsetDateTime.of(2024, 1, 1, 12, 0, 0, 123_456_000, ZoneOffset.UTC);

    private final Claims claims = new Claims("me");

    private static V1LeaseSpec lease(@Nullable String holder, @Nullable OffsetDateTime acquired) {
        return new V1LeaseSpec().holderIdentity(holder).acquireTime(acquired);
    }

    @Test
    void aLeaseIsOursByNameAndTime() {
        claims.add(T);
        assertThat(claims.has(lease("me", T))).isTrue();
        assertThat(claims.has(lease("other", T))).isFalse();
        assertThat(claims.has(lease("me", T.plusSeconds(1)))).as("another process of our name").isFalse();
        assertThat(claims.has(lease("me", null))).isFalse();
        assertThat(claims.has(lease(null, T))).isFalse();
        assertThat(claims.has(null)).isFalse();
    }

    /** Servers keep microseconds, and may tell them in another zone. */
    @Test
    void aTimeIsTheSameHoweverItIsWritten() {
        claims.add(T);
        assertThat(claims.has(lease("me", T.plusNanos(789)))).isTrue();
        assertThat(claims.has(lease("me", T.withOffsetSameInstant(ZoneOffset.ofHours(5))))).isTrue();
    }

    /** What was tried before can arrive no more: a holder that shows it is another, of our name. */
    @Test
    void whatWasTriedBeforeIsOursNoMoreOnceOneWasWritten() {
        claims.add(T);
        claims.won(T.plusSeconds(1));
        assertThat(claims.has(lease("me", T))).isFalse();
        assertThat(claims.has(lease("me", T.plusSeconds(1)))).isTrue();
        claims.clear();
        assertThat(claims.isEmpty()).isTrue();
        assertThat(claims.has(lease("me", T.plusSeconds(1)))).isFalse();
    }

    @Test
    void onlyTheLastSixteenTriesAreRemembered() {
        for (int second = 0; second <= 16; second++) {
            claims.add(T.plusSeconds(second));
        }
        assertThat(claims.has(lease("me", T))).isFalse();
        assertThat(claims.has(lease("me", T.plusSeconds(1)))).isTrue();
        assertThat(claims.has(lease("me", T.plusSeconds(16)))).isTrue();
    }
}
