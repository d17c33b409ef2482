package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import org.jspecify.annotations.Nullable;

/**
 * A body that is cut into slices of JSON as it arrives. After each added chunk, {@link #next} returns the slices that are complete with it,
 * and decodes each only when it is called. A slice that is too large is skipped, and returned as unreadable.
 */
abstract class CutBody<E> {

    /** Limit of bytes without the end of a slice, however small slices may be: blanks, or unwanted content. */
    private static final long MOST_FOR_NOTHING = 16 << 20;
    /**
     * A slice that exceeds the limit by this factor is taken for endless. Four times this factor if the limit is low, since skipping takes
     * no memory.
     */
    private static final int TOO_LARGE = 4;

    final Window window;
    final ValueScanner scanner = new ValueScanner();
    final int largest;

    /** How many bytes of the value at the window's beginning have been scanned. */
    int scanned;

    /** The next element to return; null if there is none. */
    @Nullable E ready;

    /**
     * The size at which the slice at the window's beginning is given up: the limit, or a little more while it is not known to which object
     * the slice belongs.
     */
    private int patience;
    /** How many bytes have arrived since the last slice ended. */
    private long forNothing;
    /** The end of the complete slice at the window's beginning; 0 while there is none. */
    private int sliceTo;
    /** The element to return instead of the slice's value, once that is known to be too large. */
    private @Nullable E givenUp;
    private boolean givenUpIsWanted;

    CutBody(int headroom, int largest) {
        this.window = new Window(headroom);
        this.largest = largest;
        this.patience = largest;
    }

    /** Advances by one step; false if that needs more bytes. */
    abstract boolean step();

    /** Whether the bytes before {@code to} show to which object the slice at the window's beginning belongs. */
    abstract boolean isKnown(int to);

    /** Whether the slice from the window's beginning to {@code to} is wanted. */
    abstract boolean isWanted(int to);

    /** The element for a slice that is not read since it is too large; its bytes before {@code to} have arrived. */
    abstract E unread(int to);

    /** Decodes the slice from the window's beginning to {@code to}. */
    abstract E read(int to);

    /** Called when no more chunks will be added, and {@link #hasNext} finds nothing left; throws if the body must not end there. */
    void end() {}

    /** @param came what has arrived, up to the word for a slice; for the message */
    abstract UnexpectedAnswerException endless(String came);

    final void add(ByteBuf chunk) {
        forNothing += chunk.readableBytes();
        window.append(chunk);
    }

    final boolean hasNext() {
        while (ready == null && sliceTo == 0) {
            if (!step()) {
                checkEnd();
                return false;
            }
            forNothing = ready == null && sliceTo == 0 ? forNothing : 0;
            if (sliceTo > 0 && !isWanted(sliceTo)) {
                window.consumeTo(sliceTo);
                sliceTo = 0;
            }
        }
        return true;
    }

    /** Limit of the bytes of one slice, most of which may be passed by. */
    final long mostForNothing() {
        long tooLarge = (long) TOO_LARGE * largest;
        return Math.max(Math.max(MOST_FOR_NOTHING, tooLarge), Math.min(4 * tooLarge, 4 * MOST_FOR_NOTHING));
    }

    private void checkEnd() {
        long most = mostForNothing();
        if (forNothing > most) {
            throw endless((most >> 20) + " MiB without the end of an ");
        }
    }

    /** To be called after {@link #hasNext} has returned true. */
    final E next() {
        E event = ready == null ? read(sliceTo) : ready;
        if (sliceTo > 0) {
            window.consumeTo(sliceTo);
        }
        ready = null;
        sliceTo = 0;
        return event;
    }

    /** The next value begins at the window's beginning. */
    void startValue() {
        patience = largest;
        scanned = 0;
        scanner.reset();
    }

    /**
     * Scans the bytes that have arrived of the value at the window's beginning.
     *
     * @return {@link ValueScanner#MORE}, {@link ValueScanner#BROKEN} or the end of the value
     */
    int scan() {
        int end = scanner.scan(window.bytes, window.begin, window.begin + scanned, window.end);
        scanned = end == ValueScanner.MORE ? window.size() : 0;
        return end;
    }

    /** Skips the bytes that have arrived. */
    void passBy() {
        window.consumeTo(window.end);
        scanned = 0;
    }

    /**
     * Takes the result of {@link #scan} for a slice: records its element once the slice is complete, or is given up.
     *
     * @return whether it is complete
     */
    boolean cut(int end) {
        boolean complete = end != ValueScanner.MORE;
        int to = complete ? end : window.end;
        if (givenUp == null && isBeyondLimit(complete, to)) {
            givenUpIsWanted = isWanted(to);
            givenUp = unread(to);
        }
        if (!complete) {
            if (givenUp != null) {
                passBy();
            }
        } else if (givenUp == null) {
            sliceTo = end;
        } else {
            ready = givenUpIsWanted ? givenUp : null;
            givenUp = null;
            window.consumeTo(end);
        }
        return complete;
    }

    /**
     * Whether the slice is given up, and its bytes are dropped. They are kept, up to a limit, until it is known to which object the slice
     * belongs.
     */
    private boolean isBeyondLimit(boolean complete, int to) {
        int size = to - window.begin;
        if (complete) {
            return size > largest;
        }
        if (size <= patience) {
            return false;
        }
        if (patience > largest || isKnown(to)) {
            return true;
        }
        patience += EntryReader.LARGEST_METADATA;
        return false;
    }
}
