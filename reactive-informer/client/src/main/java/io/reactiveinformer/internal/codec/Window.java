package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a body that have arrived and are not used up, in one array: from {@link #begin} to {@link #end}. Used by one body, on the
 * thread that delivers it.
 */
final class Window {

    private static final int SMALL = 8 << 10;
    private static final int LARGE = 256 << 10;

    /** Replaced by {@link #append}. */
    byte[] bytes = {};

    int begin;
    int end;

    /** Most bytes of an {@link #excerpt}. */
    private static final int LONGEST_EXCERPT = 40;

    private final int headroom;

    /** @param headroom bytes before {@link #begin} that may be written to */
    Window(int headroom) {
        this.headroom = headroom;
    }

    int size() {
        return end - begin;
    }

    void append(ByteBuf chunk) {
        int more = chunk.readableBytes();
        if (bytes.length - end < more || bytes.length > LARGE && size() + more < SMALL) {
            makeRoom(more);
        }
        chunk.getBytes(chunk.readerIndex(), bytes, end, more);
        end += more;
    }

    /** Moves the bytes to the front, into a larger array if it would soon be full again, into a small one after a large object was read. */
    private void makeRoom(int more) {
        int needed = headroom + size() + more;
        boolean fits = needed <= bytes.length - (bytes.length >> 2);
        boolean shrinks = bytes.length > LARGE && needed < SMALL;
        byte[] target = fits && !shrinks ? bytes : new byte[Math.max(SMALL, Math.addExact(needed, needed >> 1))];
        System.arraycopy(bytes, begin, target, headroom, size());
        end = headroom + size();
        begin = headroom;
        bytes = target;
    }

    void consumeTo(int index) {
        begin = index;
    }

    /** Moves to the next byte that is no blank; false if none has arrived yet. */
    boolean skipBlanks() {
        while (begin < end && bytes[begin] <= ' ' && bytes[begin] >= 0) {
            begin++;
        }
        return begin < end;
    }

    /** The beginning of a body that does not come from an API server, for a message. */
    String excerpt() {
        int length = Math.min(LONGEST_EXCERPT, size());
        String text = new String(bytes, begin, length, StandardCharsets.UTF_8);
        return "\"" + text.replaceAll("[\\p{Cntrl}\uFFFD]+", " ").strip() + (size() > length ? "…\"" : "\"");
    }
}
