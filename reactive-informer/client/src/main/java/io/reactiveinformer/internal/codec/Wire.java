package io.reactiveinformer.internal.codec;

import java.nio.charset.StandardCharsets;

/**
 * Walks over the fields of protocol buffers in a byte array, within a message that may be entered and left. Bytes that are no fields fail
 * with {@link MalformedMessageException}; an index beyond the message is never read.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Encoding</a>
 */
public class Wire {

    public static final int VARINT = 0;
    public static final int FIXED_64 = 1;
    public static final int LENGTH = 2;
    public static final int FIXED_32 = 5;

    /** The first bytes of each object and list, before a {@code runtime.Unknown}. */
    static final byte[] MAGIC = {'k', '8', 's', 0};

    /** The greatest length of a tag, or of a length. */
    public static final int LONGEST_VARINT = 10;

    private static final byte[] NONE = {};
    private static final int KIND = 7;
    private static final int BITS_OF_KIND = 3;
    private static final long LARGEST_TAG = (1L << 32) - 1;

    public byte[] bytes = NONE;
    public int at;
    /** The end of the message that was entered. */
    public int end;
    /** Whether a message was entered of which only a part is there. */
    public boolean isCut;

    public final void over(byte[] all, int from, int to) {
        bytes = all;
        at = from;
        end = to;
        isCut = false;
    }

    public final void release() {
        over(NONE, 0, 0);
    }

    public static int tag(int number, int kind) {
        return number << BITS_OF_KIND | kind;
    }

    public static int number(int tag) {
        return tag >>> BITS_OF_KIND;
    }

    public static int kind(int tag) {
        return tag & KIND;
    }

    public final boolean hasMore() {
        return at < end;
    }

    /** Reads the tag of the next field; its value must be read or skipped next. */
    public final int tag() {
        if (at < end && bytes[at] >= 1 << BITS_OF_KIND) {
            return bytes[at++];
        }
        long tag = varint();
        if (tag >>> BITS_OF_KIND == 0 || tag > LARGEST_TAG || tag < 0) {
            throw new MalformedMessageException("a field without a number");
        }
        return (int) tag;
    }

    /** Reads the tag of the next field if it is {@code tag}; otherwise returns false and reads nothing. */
    public final boolean tagIs(int tag) {
        int before = at;
        if (at < end && tag() == tag) {
            return true;
        }
        at = before;
        return false;
    }

    public final long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (at >= end) {
                throw endOfBytes();
            }
            byte next = bytes[at++];
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedMessageException("a number of more than 64 bits");
    }

    /** Reads the length of the value here, all of whose bytes are there. */
    public final int length() {
        if (at < end && bytes[at] >= 0 && bytes[at] < end - at) { // one byte, the usual case
            return bytes[at++];
        }
        long length = varint();
        if (length < 0 || length > end - at) {
            throw endOfBytes();
        }
        return (int) length;
    }

    /** Enters the message here. Returns what {@link #leave} is to be called with. */
    public final int enter() {
        int length = length();
        int outer = end;
        end = at + length;
        return outer;
    }

    /** As {@link #enter}, of a message whose end may not be there yet: then the bytes that are there are entered. */
    public final int enterPart() {
        long length = varint();
        int outer = end;
        if (length < 0 || length > end - at) {
            isCut = true;
        } else {
            end = at + (int) length;
        }
        return outer;
    }

    /** Leaves the message that was entered, at its end. */
    public final void leave(int outer) {
        at = end;
        end = outer;
    }

    /** Skips the value whose tag was read. */
    public final void skip(int tag) {
        switch (kind(tag)) {
            case VARINT -> {
                long unused = varint();
            }
            case FIXED_64 -> advance(Long.BYTES);
            case LENGTH -> {
                int length = length();
                at += length;
            }
            case FIXED_32 -> advance(Integer.BYTES);
            default -> throw new MalformedMessageException("a field of wire type " + kind(tag));
        }
    }

    /** Reads the text here. Bytes that are not UTF-8 are replaced, as in JSON. */
    public final String text() {
        int length = length();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    /** Skips the first bytes of an object; false if they are others. */
    public final boolean magic() {
        for (byte expected : MAGIC) {
            if (at >= end || bytes[at++] != expected) {
                return false;
            }
        }
        return true;
    }

    private void advance(int count) {
        if (count > end - at) {
            throw endOfBytes();
        }
        at += count;
    }

    public static MalformedMessageException endOfBytes() {
        return new MalformedMessageException("a field ends beyond its message");
    }
}
