package io.reactiveinformer.client;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.reactiveinformer.Chance;
import io.reactiveinformer.Cost;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/**
 * Texts that a server, a file or a user may give, of any length: reading one costs no more than a constant and so much a character (law
 * 25), and fails as it says.
 */
class TextFuzzTest {

    private static final Cost CONSTANT = new Cost(200_000_000, 32 << 20);
    private static final Cost A_BYTE = new Cost(2_000, 6_000); // each label requirement is matched by two patterns
    private static final int LONGEST = 128 << 10;

    private static final String[] UNITS = {"9", "0", "1", "a", "A", "an", "c0", ".", "-", "_", "/", ",", "=", "!", "!=", "(", ")", " ",
        "\t", "\n", "a,", "a=b,", "a.", "a/", "in", "in(", "a in (b),", "\"", "\\",
        "\\\"", "%", "%41", "é", "x:\n ", "- ", "[", "{", "{a: ", "&a [*a", "? ", "!!", "'", "|\n", "#", "&a ", "*a, ", "<<: ",
        "299 - \"a\",", "299 - \"", "a\uFFFD", ":", "::", "0:", "10.", "v1", "v1beta"};
    private static final String[] BEGINNINGS = {"", "a", "a=", "a>", "a<", "a in (", "a notin (b,", "!", "v", "pods.v", "pods.",
            "namespace/", "-", "0", "299 - \"", "Sun, 06 Nov ", "Sun, 06 Nov 1994 08:49:37 "};
    private static final String[] ENDS = {"", "a", "!", ")", "=", ".", "/", "\"", " GMT", ",", "1", "-"};
    /** Kubeconfig files with a place for the text. */
    @SuppressWarnings("StringConcatToTextBlock") // one line each reads better
    private static final String[] FILES = {"@",
        "clusters: [{name: a, cluster: {server: 'https://a'}}]\ncontexts: [{name: a, context: {cluster: a}}]\ncurrent-context: a\n@",
        "clusters: [{name: a, cluster: {server: \"@\"}}]\ncontexts: [{name: a, context: {cluster: a}}]\ncurrent-context: a\n",
        "clusters: [{name: a, cluster: {server: 'https://a', tls-server-name: \"@\", proxy-url: \"@\"}}]\ncontexts: [{name: a, context: "
                + "{cluster: a}}]\ncurrent-context: a\n",
        "clusters: [{name: a, cluster: {server: 'https://a', certificate-authority-data: \"@\"}}]\ncontexts: [{name: a, context: "
                + "{cluster: a}}]\ncurrent-context: a\n",
        "clusters: [{name: a, cluster: {server: 'https://a'}}]\nusers: [{name: a, user: {token: \"@\"}}]\ncontexts: [{name: a, context: "
                + "{cluster: a, user: a, namespace: \"@\"}}]\ncurrent-context: a\n",
        """
        clusters: [{name: a, cluster: {server: 'https://a'}}]
        users: [{name: a, user: {client-key-data: "@", client-certificate-data: "@"}}]
        contexts: [{name: a, context: {cluster: a, user: a}}]
        current-context: a
        """};

    private static final Instant NOW = Instant.parse("2026-11-21T01:52:58Z");
    private static final Path FILE = file();

    private static Path file() {
        try {
            Path file = Files.createTempFile("fuzz", ".kubeconfig");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @FuzzTest(maxDuration = "10s")
    void costsNoMoreThanItsLength(FuzzedDataProvider chosen) throws IOException {
        var chance = new Chance(chosen);
        int way = chance.number(0, 7);
        String file = chance.of(FILES);
        String other = text(chance);
        String text = way == 0 ? file.replace("@", text(chance)) : text(chance);
        if (way == 0) {
            Files.writeString(FILE, text);
        }
        Cost.assertLinear(text.length() + other.length(), CONSTANT, A_BYTE, "way " + way + ": "
                + text.substring(0, Math.min(text.length(), 300)), () -> read(way, text, other));
    }

    private static String text(Chance chance) {
        var text = new StringBuilder(chance.of(BEGINNINGS));
        for (int parts = chance.number(0, 3); parts >= 0 && text.length() < LONGEST; parts--) {
            String unit = chance.onceIn(4) ? chance.text(8) : chance.of(UNITS);
            text.append(unit.repeat(Math.min(1 << chance.number(0, 17), LONGEST / Math.max(unit.length(), 1))));
        }
        return text.append(chance.of(ENDS)).toString();
    }

    private static void read(int way, String text, String other) {
        try {
            switch (way) {
                case 0 -> ClusterConfig.kubeconfig(FILE).cluster().block();
                case 1 -> Selector.labels(text).matchesLabels(Map.of("a", other));
                case 2 -> Selector.fields(text);
                case 3 -> ResourceVersion.isAtMost(text, other);
                case 4 -> RequestRetry.parse(text, NOW);
                case 5 -> Warnings.parse(text);
                case 6 -> ResourceName.parse(text);
                default -> ObjectKey.parse(text);
            }
        } catch (IllegalArgumentException | ConfigException refused) {
            // which is what it may be
        }
    }
}
