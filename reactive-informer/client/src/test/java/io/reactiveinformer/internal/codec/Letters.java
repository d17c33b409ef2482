package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.nio.charset.StandardCharsets;

/**
 * A body of which each byte is an element: the simplest that can be cut. A {@code !} cannot be read, a {@code ?} breaks the JVM, and it
 * must not end with a comma.
 */
final class Letters extends CutBody<Character> {

    int read;
    private char last;

    Letters() {
        super(0, 1);
    }

    static ByteBuf chunk(String letters) {
        return Unpooled.copiedBuffer(letters, StandardCharsets.US_ASCII);
    }

    @Override
    boolean step() {
        return window.size() > 0 && cut(window.begin + 1);
    }

    @Override
    Character read(int to) {
        read++;
        last = (char) window.bytes[window.begin];
        if (last == '?') {
            throw new LinkageError("a class that is not there");
        }
        if (last == '!') {
            throw new IllegalStateException("a letter that cannot be read");
        }
        return last;
    }

    @Override
    void end() {
        if (last == ',') {
            throw new IllegalStateException("a body that broke off");
        }
    }

    @Override
    UnexpectedAnswerException endless(String came) {
        throw new AssertionError("each byte is an element");
    }

    @Override
    boolean isKnown(int to) {
        return true;
    }

    @Override
    boolean isWanted(int to) {
        return window.bytes[window.begin] != '_';
    }

    @Override
    Character unread(int to) {
        throw new AssertionError("one byte is not too large");
    }
}
