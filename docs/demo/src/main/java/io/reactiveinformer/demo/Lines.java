package io.reactiveinformer.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;

/** Writes lines, each at once and as a whole. Blocks while the reader of the output does not read. */
final class Lines {

    /** Control characters of a server's texts, which a terminal would obey as colours, cursor movements or line breaks. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x80-\\x9f\\u2028\\u2029]+");

    /** Failures with a cause on this machine, as opposed to a reader that has closed its end. */
    private static final Set<String> OUR_SIDE =
            Set.of("No space left on device", "Disk quota exceeded", "File too large", "Input/output error");

    private final OutputStream out;

    Lines(OutputStream out) {
        this.out = out;
    }

    /**
     * @throws OutputClosedException if the reader has closed the output
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
