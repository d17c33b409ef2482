package io.reactiveinformer.client;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits text into lines, across the chunks in which it arrives. */
final class Lines {

    /** A longer line comes in pieces of this many bytes: a program may write forever without ending one. */
    static final int LONGEST = 1 << 20;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** The lines that end in {@code chunk}, without line ends. */
    List<String> add(ByteBuf chunk) {
        var complete = new ArrayList<String>();
        while (chunk.isReadable()) {
            int room = Math.min(chunk.readableBytes(), LONGEST - line.size());
            int length = chunk.bytesBefore(room, (byte) '\n');
            take(chunk, length < 0 ? room : length);
            if (length >= 0) {
                chunk.skipBytes(1);
                complete.add(end());
            } else if (line.size() == LONGEST) {
                complete.add(end());
            }
        }
        return complete;
    }

    private void take(ByteBuf chunk, int length) {
        try {
            chunk.readBytes(line, length);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private String end() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    /** What follows the last line end; null if nothing. */
    @Nullable String rest() {
        return line.size() == 0 ? null : end();
    }
}
