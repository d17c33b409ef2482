package io.reactiveinformer.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import org.jspecify.annotations.Nullable;

/**
 * A body that is cut into slices of JSON as it arrives. Each chunk is added; then {@link #next} gives what is complete with it, and decodes
 * each slice only when it is asked for. One that is too large is passed by, and told as such.
 */
abstract class CutBody<E> {

    /** Most bytes without the end of a slice, however small slices may be: blanks, or what nobody asked for. */
    private static final long MOST_FOR_NOTHING = 16 << 20;
    /**
     * A slice that is so many times too large has no end, as it seems; four times as often where the limit is low, since to pass it by
     * takes no memory.
     */
    private static final int TOO_LARGE = 4;

    final Window window;
    final ValueScanner scanner;
    final int largest;

    /** How much of the value that the window begins with has been looked at. */
    int scanned;

    /** To be given out next, if not null. */
    @Nullable E ready;

    /**
     * Beyond how many bytes the slice that the window begins with is given up: a few more than may be, until it is known of which object
     * it is.
     */
    private int patience;
    /** How many bytes have come since the last slice ended. */
    private long forNothing;
    /** Where the slice ends that the window begins with; 0 while there is none. */
    private int sliceTo;
    /** What is told of the slice instead of its value, once that is known to be too large or too deep. */
    private @Nullable E givenUp;
    private boolean givenUpIsWanted;
    /** How much of a slice that is too deep must have come until it is looked again whether it is known: at twice the size each time. */
    private int lookAgainAt;

    /** @param deepest most objects and lists in one another of a slice */
    CutBody(int headroom, int largest, int deepest) {
        this.window = new Window(headroom);
        this.scanner = new ValueScanner(deepest);
        this.largest = largest;
        this.patience = largest;
    }

    /** Goes one step ahead; false if that takes more bytes. */
    abstract boolean step();

    /** Whether it is known of which object the slice is that the window begins with, of which the bytes before {@code to} have come. */
    abstract boolean isKnown(int to);

    /** Whether the slice from the window's begin to {@code to} is to be read. */
    abstract boolean isWanted(int to);

    /** Of a slice that is not read, of which the bytes before {@code to} have come: it is too deep, or too large. */
    abstract E unread(int to, boolean tooDeep);

    /** Decodes the slice from the window's begin to {@code to}. */
    abstract E read(int to);

    /** When no more will be added, and {@link #hasNext} finds nothing left; throws if the body must not end there. */
    void end() {}

    /** @param came what came, up to the word for a slice */
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

    private void checkEnd() {
        long tooLarge = (long) TOO_LARGE * largest;
        long most = Math.max(Math.max(MOST_FOR_NOTHING, tooLarge), Math.min(4 * tooLarge, 4 * MOST_FOR_NOTHING));
        if (forNothing > most) {
            throw endless((most >> 20) + " MiB without the end of an ");
        }
    }

    /** After {@link #hasNext} has found it. */
    final E next() {
        E event = ready == null ? read(sliceTo) : ready;
        if (sliceTo > 0) {
            window.consumeTo(sliceTo);
        }
        ready = null;
        sliceTo = 0;
        return event;
    }

    /** The next value begins where the window does. */
    void startValue() {
        patience = largest;
        lookAgainAt = 0;
        scanned = 0;
        scanner.reset();
    }

    /**
     * Looks at what has come of the value that the window begins with; {@link ValueScanner#MORE}, {@link ValueScanner#BROKEN} or where it
     * ends.
     */
    int scan() {
        int end = scanner.scan(window.bytes, window.begin, window.begin + scanned, window.end);
        scanned = end == ValueScanner.MORE ? window.size() : 0;
        return end;
    }

    /** What has come is nothing that is kept. */
    void passBy() {
        window.consumeTo(window.end);
        scanned = 0;
    }

    /**
     * What {@link #scan} found of a slice is told once it is complete, or is given up.
     *
     * @return whether it is complete
     */
    boolean cut(int end) {
        boolean complete = end != ValueScanner.MORE;
        int to = complete ? end : window.end;
        if (givenUp == null && isBeyondLimit(complete, to)) {
            givenUpIsWanted = isWanted(to);
            givenUp = unread(to, scanner.isTooDeep());
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

    /** Whether nothing more of the slice is kept. It is, up to a point, until it is known of which object it is. */
    private boolean isBeyondLimit(boolean complete, int to) {
        int size = to - window.begin;
        if (complete) {
            return size > largest;
        }
        if (size > patience) {
            if (patience > largest || isKnown(to)) {
                return true;
            }
            patience += EntryReader.LARGEST_METADATA;
        } else if (scanner.isTooDeep() && size >= lookAgainAt) {
            lookAgainAt = 2 * size;
            return isKnown(to);
        }
        return false;
    }

    /** The slice that the window begins with cannot be read to its end. */
    void giveUp() {
        givenUp = null;
    }
}
