package io.reactiveinformer.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;

/** Writes lines, each at once and as a whole. Blocks while the reader does not read. */
final class Lines {

    /** What a server sends is shown, never obeyed: no colours, cursor movements or second lines of its making. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x80-\\x9f\\u2028\\u2029]+");

    /** Failures that the reader has not caused by going away, and that must not pass for it. */
    private static final Set<String> OUR_SIDE =
            Set.of("No space left on device", "Disk quota exceeded", "File too large", "Input/output error");

    private final OutputStream out;

    Lines(OutputStream out) {
        this.out = out;
    }

    /**
     * @throws OutputClosedException if nobody reads any more
     * @throws OutputFailedException if it cannot be written
     */
    void print(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException failure) {
            throw OUR_SIDE.contains(failure.getMessage()) ? new OutputFailedException(failure) : new OutputClosedException(failure);
        }
    }

    /** For texts of several lines, such as a command's help. */
    Writer writer() {
        return new OutputStreamWriter(out, StandardCharsets.UTF_8);
    }

    static String onOneLine(String text) {
        return CONTROL.matcher(text).replaceAll(" ");
    }
}
