package io.reactiveinformer.recorder;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;

/** Makes names and notes that the server accepts. */
final class EventText {

    static final int LONGEST_NOTE = 1_024;
    private static final String ELLIPSIS = "…";
    private static final int LONGEST_NAME = 253;
    private static final Pattern DNS_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private EventText() {}

    /**
     * A name as in client-go: the name of the object and the time in nanoseconds, hexadecimal. If the object's name is not valid for an
     * Event, a random name replaces it. The digits below the millisecond are random, so that two processes do not choose the same name.
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

    /** {@code text}, cut to at most 1,024 bytes of UTF-8 at a character boundary. */
    static String note(String text) {
        if (text.length() <= LONGEST_NOTE / 3 || text.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NOTE) {
            return text;
        }
        CharBuffer read = CharBuffer.wrap(text);
        ByteBuffer room = ByteBuffer.allocate(LONGEST_NOTE - ELLIPSIS.getBytes(StandardCharsets.UTF_8).length);
        StandardCharsets.UTF_8.newEncoder().onMalformedInput(CodingErrorAction.REPLACE).encode(read, room, true);
        return text.substring(0, read.position()) + ELLIPSIS;
    }
}
