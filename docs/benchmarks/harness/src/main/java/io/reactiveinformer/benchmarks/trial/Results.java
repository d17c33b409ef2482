package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A document with a section for each scenario, between lines that name it; all of them stand between two lines as well, at the end if there
 * are none yet.
 */
final class Results {

    private static final String BEGIN = "<!-- trials -->";
    private static final String END = "<!-- /trials -->";

    private final Path document;

    Results(Path document) {
        this.document = document;
    }

    /** Replaces the scenario's section, or adds it after the others. */
    void write(String scenario, String section) throws IOException {
        String begin = "<!-- trial " + scenario + " -->";
        String end = "<!-- /trial " + scenario + " -->";
        String text = Files.exists(document) ? Files.readString(document) : "";
        if (!text.contains(END)) {
            text = (text.stripTrailing() + "\n\n" + BEGIN + "\n\n## trials\n\n" + END + "\n").stripLeading();
        }
        if (!text.contains(end)) {
            text = text.replace(END, begin + "\n" + end + "\n\n" + END);
        }
        Files.writeString(document, text.substring(0, text.indexOf(begin) + begin.length())
                + "\n\n" + section.strip() + "\n\n" + text.substring(text.indexOf(end)));
    }
}
