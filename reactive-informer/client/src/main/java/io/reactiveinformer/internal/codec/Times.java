package io.reactiveinformer.internal.codec;

import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Times in RFC 3339 as the server reads and writes them. */
final class Times {

    /** Limit of characters of a time: with nine digits of a fraction and an offset it has 35. */
    static final int LONGEST = 64;

    /** A MicroTime needs exactly six digits of a fraction; a Time accepts them. */
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSXXX");

    private static final DateTimeFormatter WITHOUT_COLON =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss[.SSSSSSSSS][.SSSSSS][.SSS]xx");

    /** The last date for each day of the month, shared by all threads: an entry is compared before it is used. */
    private static final @Nullable LocalDate[] LAST_DATES = new @Nullable LocalDate[32];

    private Times() {}

    /**
     * Parses a time and keeps its offset.
     *
     * @throws BeyondLimitException if it is longer than {@value #LONGEST}
     * @throws RuntimeException if it is no time
     */
    static OffsetDateTime parse(String text) {
        BeyondLimitException.check(text, LONGEST);
        int length = text.length();
        if (length == "2026-11-21T01:52:58Z".length() && text.charAt(19) == 'Z' && text.charAt(10) == 'T') {
            LocalDate date = date(digits(text, 0, 4, '-'), digits(text, 5, 7, '-'), digits(text, 8, 10, 'T'));
            return OffsetDateTime.of(date, LocalTime.of(digits(text, 11, 13, ':'), digits(text, 14, 16, ':'), digits(text, 17, 19, 'Z')),
                    ZoneOffset.UTC);
        }
        boolean withoutColon = length > 5 && (text.charAt(length - 5) == '+' || text.charAt(length - 5) == '-')
                && text.indexOf(':', length - 5) < 0;
        return withoutColon ? OffsetDateTime.parse(text, WITHOUT_COLON) : OffsetDateTime.parse(text);
    }

    /** The last instance of an equal date, since the times of a cluster are on few days. */
    static LocalDate date(int year, int month, int day) {
        LocalDate last = LAST_DATES[day & 31];
        if (last != null && last.getYear() == year && last.getMonthValue() == month && last.getDayOfMonth() == day) {
            return last;
        }
        LocalDate date = LocalDate.of(year, month, day);
        LAST_DATES[day] = date;
        return date;
    }

    static String format(OffsetDateTime time) {
        return MICROS.format(time);
    }

    private static int digits(String text, int from, int to, char then) {
        int value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                throw new IllegalArgumentException("not a digit");
            }
            value = value * 10 + c - '0';
        }
        if (text.charAt(to) != then) {
            throw new IllegalArgumentException("not " + then);
        }
        return value;
    }
}
