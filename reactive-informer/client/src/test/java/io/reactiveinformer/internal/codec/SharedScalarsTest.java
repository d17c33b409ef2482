package io.reactiveinformer.internal.codec;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SharedScalarsTest {

    private final SharedScalars.Moments moments = new SharedScalars().moments();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 86_399, 86_400, -1, -86_400, -86_401, 1_796_034_423, -62_135_596_800L, 253_402_300_799L})
    void aMomentIsTheTimeOfItsSeconds(long seconds) {
        Instant instant = Instant.ofEpochSecond(seconds, 123_456_000);
        assertThat(moments.at(seconds, 123_456_000)).isEqualTo(OffsetDateTime.ofInstant(instant, ZoneOffset.UTC))
                .isSameAs(moments.at(seconds, 123_456_000));
    }

    @Test
    void momentsOfADayShareIt() {
        assertThat(moments.at(100_000, 0).toLocalDate()).isSameAs(moments.at(100_001, 0).toLocalDate())
                .isSameAs(Times.parse("1970-01-02T00:00:00Z").toLocalDate());
    }

    @Test
    void whatIsNoTimeIsRefused() {
        assertThatThrownBy(() -> moments.at(Long.MAX_VALUE, 0)).isInstanceOf(DateTimeException.class);
        assertThatThrownBy(() -> moments.at(0, -1)).isInstanceOf(DateTimeException.class);
    }
}
