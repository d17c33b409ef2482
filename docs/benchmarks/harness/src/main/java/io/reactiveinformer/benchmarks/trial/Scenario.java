package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.util.List;

/** What contenders are put through, and how it is reported. */
interface Scenario {

    /** A line that says what is measured. */
    String title();

    /**
     * What was measured.
     *
     * @param text how it was done, and a table, in Markdown
     * @param failed whether a client failed that should not have
     */
    record Report(String text, boolean failed) {}

    Report measure(int rounds) throws IOException, InterruptedException;

    static String row(String name, List<String> cells) {
        return "| " + name + " | " + String.join(" | ", cells) + " |\n";
    }

    static String head(List<Entrant> entrants) {
        return row("", entrants.stream().map(Entrant::name).toList()) + "| --- |" + " --- |".repeat(entrants.size()) + "\n";
    }
}
