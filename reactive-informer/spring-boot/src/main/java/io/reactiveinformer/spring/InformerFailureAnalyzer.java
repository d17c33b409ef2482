package io.reactiveinformer.spring;

import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.informer.NotSyncedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/**
 * Describes a failed start by the mistake in the configuration, and by what to do about it, instead of a stack trace. Each text has at most
 * ten lines. The outermost exception that is known decides: the cause of one that waited in vain is part of its message.
 */
final class InformerFailureAnalyzer implements FailureAnalyzer {

    private static final int MOST_LINES = 10;

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable one = failure; one != null; one = one.getCause()) {
            if (one instanceof InformerConfigurationException wrong) {
                return analysis(wrong.getMessage(), wrong.action(), wrong);
            }
            if (one instanceof NotSyncedException late) {
                return analysis(late(late), "Correct the cause, or wait longer with " + ReactiveInformerProperties.PREFIX
                        + ".wait-for-sync.\nWithout that property the application starts at once, and is not ready until the informers are"
                        + " synced.\nAn informer that the application can run without may be declared with optional: true.", late);
            }
            if (one instanceof ConfigException wrong) {
                return analysis("The cluster is not configured: " + wrong.getMessage(), "Correct the kubeconfig, or name the cluster with "
                        + ReactiveInformerProperties.PREFIX + ".url, .kubeconfig or .context.", wrong);
            }
        }
        return null;
    }

    /** One line for each informer. */
    private static String late(NotSyncedException late) {
        List<String> lines = new ArrayList<>();
        lines.add("The informers are not synced within " + ReactiveInformerProperties.PREFIX + ".wait-for-sync:");
        Stream.concat(Stream.of(late), Arrays.stream(late.getSuppressed()).filter(NotSyncedException.class::isInstance))
                .flatMap(one -> Arrays.stream(String.valueOf(one.getMessage()).split("; (?!failed tries)")))
                .map(line -> line.replaceFirst("^\\d+ informers are not synced: ", ""))
                .forEach(line -> lines.add("    " + line));
        return String.join("\n", lines);
    }

    private static FailureAnalysis analysis(@Nullable String description, String action, Throwable cause) {
        return new FailureAnalysis(shortened(String.valueOf(description)), shortened(action), cause);
    }

    private static String shortened(String text) {
        List<String> lines = text.lines().toList();
        int more = lines.size() - (MOST_LINES - 1);
        return more <= 1 ? text : String.join("\n", lines.subList(0, MOST_LINES - 1)) + "\n    and " + more + " more";
    }
}
