package io.reactiveinformer.internal.codec;

import io.kubernetes.client.custom.Quantity;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Immutable scalars of the models: one value for equal texts or moments, for all readers. */
public record SharedScalars(SharedValues<OffsetDateTime> times, SharedValues<Quantity> quantities, Moments moments) {

    public SharedScalars() {
        this(new SharedValues<>(Times::parse), new SharedValues<>(Quantities::parse), new Moments());
    }

    /** Returns one instance for each moment, as {@link SharedValues} does for each text. */
    public static final class Moments {

        private static final int BITS = 10;
        private static final int DAY = 24 * 60 * 60;

        private final @Nullable OffsetDateTime[] table = new @Nullable OffsetDateTime[1 << BITS];

        /** @throws java.time.DateTimeException if there is no such time */
        public OffsetDateTime at(long seconds, int nanos) {
            int place = (int) ((seconds * 31 + nanos) * 0x9E3779B97F4A7C15L >>> Long.SIZE - BITS);
            OffsetDateTime known = table[place];
            if (known != null && known.toEpochSecond() == seconds && known.getNano() == nanos) {
                return known;
            }
            LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(seconds, DAY));
            LocalTime time = LocalTime.ofSecondOfDay(Math.floorMod(seconds, DAY)).withNano(nanos);
            OffsetDateTime made =
                    OffsetDateTime.of(Times.date(date.getYear(), date.getMonthValue(), date.getDayOfMonth()), time, ZoneOffset.UTC);
            table[place] = made;
            return made;
        }
    }
}
