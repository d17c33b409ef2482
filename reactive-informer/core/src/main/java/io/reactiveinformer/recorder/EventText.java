package io.reactiveinformer.recorder;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;

/** What the server accepts as a name and as a note. */
final class EventText {

    static final int LONGEST_NOTE = 1_024;
    private static final String ELLIPSIS = "…";
    private static final int LONGEST_NAME = 253;
    private static final Pattern DNS_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private EventText() {}

    /**
     * As client-go names Events: after the object and the time in nanoseconds, hexadecimal; after chance where the object's name is none for an
     * Event. Below the millisecond the time is chance too, so that two processes do not meet.
     */
    static String name(String object, long millis, DoubleSupplier random) {
        String time = Long.toHexString(millis * 1_000_000 + (long) (1_000_000 * random.getAsDouble()));
        String name = object + "." + time;
        boolean usable = name.length() <= LONGEST_NAME && DNS_NAME.matcher(object).matches();
        return usable ? name : new UUID(bits(random), bits(random)) + "." + time;
    }

    private static long bits(DoubleSupplier random) {
        return Double.doubleToLongBits(random.getAsDouble()) ^ Double.doubleToLongBits(random.getAsDouble()) << 12;
    }

    /** At most 1,024 bytes of UTF-8, without half a character at the end. */
    static String note(String text) {
        if (text.length() <= LONGEST_NOTE / 3 || text.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NOTE) {
            return text;
        }
        int room = LONGEST_NOTE - ELLIPSIS.getBytes(StandardCharsets.UTF_8).length;
        int end = 0;
        while (end < text.length()) {
            int character = text.codePointAt(end);
            room -= character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
            if (room < 0) {
                break;
            }
            end += Character.charCount(character);
        }
        return text.substring(0, end) + ELLIPSIS;
    }
}
