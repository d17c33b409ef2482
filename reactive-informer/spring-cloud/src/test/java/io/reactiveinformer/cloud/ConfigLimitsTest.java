package io.reactiveinformer.cloud;

import io.reactiveinformer.cloud.ConfigLimits.ExceededException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.ByteArrayResource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is too large is refused by its text alone, so that each takes milliseconds. */
@Timeout(value = 10, unit = TimeUnit.SECONDS)
class ConfigLimitsTest {

    private static final int MEBIBYTE = 1 << 20;

    static String sevenAliasesInEachOf(int levels) {
        return "l0: &l0 {k1: v, k2: v, k3: v, k4: v, k5: v, k6: v, k7: v}\n" + IntStream.rangeClosed(1, levels)
                .mapToObj(level -> "l" + level + ": &l" + level + " [" + ("*l" + (level - 1) + ", ").repeat(6) + "*l" + (level - 1) + "]\n")
                .collect(Collectors.joining());
    }

    private static void yaml(String text) {
        YamlSize.count(text, new ConfigLimits());
    }

    private static void refused(String text, String limit) {
        long begin = System.nanoTime();
        assertThatThrownBy(() -> yaml(text)).isInstanceOf(ExceededException.class).hasMessageContaining(limit);
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(3)); // milliseconds, on a machine with nothing else to do
    }

    private static void propertiesRefused(String text, String limit) {
        assertThatThrownBy(() -> new ConfigLimits().addProperties(text)).isInstanceOf(ExceededException.class).hasMessageContaining(limit);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 9, 40})
    void aliasesOfAliasesAreRefused(int levels) {
        refused(sevenAliasesInEachOf(levels), "more than 20,000 properties");
    }

    @Test
    void aliasesOfMappingsKeysMergesAndTextsAreRefused() {
        refused("a: &a {x: 1, y: 2}\n" + IntStream.range(0, 30).mapToObj(level -> level == 0 ? "b0: &b0 {p: *a, q: *a}\n"
                : "b" + level + ": &b" + level + " {p: *b" + (level - 1) + ", q: *b" + (level - 1) + "}\n")
                .collect(Collectors.joining()), "20,000 properties");
        refused("- &m0 {x: 1}\n" + IntStream.range(1, 2000).mapToObj(level -> "- &m" + level + " {<<: *m" + (level - 1) + ", y" + level
                + ": 1}\n").collect(Collectors.joining()), "20,000 properties");
        refused("- &k0 [a, b]\n" + IntStream.range(1, 30).mapToObj(level -> "- &k" + level + " {? [*k" + (level - 1) + ", *k" + (level - 1)
                + "] : 1}\n").collect(Collectors.joining()), "in one key");
        refused("a: &a \"" + "x".repeat(MEBIBYTE) + "\"\nb: [" + "*a, ".repeat(20) + "*a]", "characters of keys and values");
    }

    @Test
    void whatContainsItselfIsRefused() {
        refused("a: &a [*a]", "an alias of what contains it");
        refused("a: &a {b: {c: *a}}", "an alias of what contains it");
    }

    @Test
    void depthKeysDocumentsAndNumbersAreRefused() {
        refused("[".repeat(MEBIBYTE), "levels");
        refused("a: " + "{a: ".repeat(100_000), "levels");
        refused("- ".repeat(100_000), "levels");
        refused("? " + "x".repeat(1000) + "\n: 1", "in one key");
        refused("a.".repeat(300) + "a: 1", "in one key");
        refused("---\n".repeat(MEBIBYTE / 4), "500 documents");
        refused("a: !!int \"" + "9".repeat(MEBIBYTE) + "\"", "in one number");
        refused(IntStream.range(0, 30_000).mapToObj(number -> "k" + number + ": 1\n").collect(Collectors.joining()), "20,000 properties");
    }

    @Test
    void propertiesAreLimitedToo() throws IOException {
        propertiesRefused(IntStream.range(0, 30_000).mapToObj(number -> "k" + number + "=\n").collect(Collectors.joining()),
                "20,000 properties");
        propertiesRefused("a[]=" + ",".repeat(MEBIBYTE), "20,000 properties");
        propertiesRefused("a.".repeat(MEBIBYTE / 2), "in one key");
        propertiesRefused("a=1\n#---\n".repeat(1000), "500 documents");
        new ConfigLimits().addProperties("a=1\\\n".repeat(30_000) + "\n# x\n\n".repeat(30_000) + "b[2000000000]=1\n");
    }

    private static void placeholders(Map<String, ?> properties) {
        Placeholders.check(List.of(new LinkedHashMap<>(properties)));
    }

    private static Map<String, String> chain(int length, UnaryOperator<String> value) {
        return IntStream.range(0, length).boxed()
                .collect(Collectors.toMap(
                        at -> (at % 2 == 0 ? "l-" : "l_!") + at, at -> at == length - 1 ? "" : value.apply("l-" + (at + 1))));
    }

    @Test
    void placeholdersOfPlaceholdersAreRefused() {
        for (UnaryOperator<String> value : List.<UnaryOperator<String>>of(next -> "${" + next + "}${" + next + "}",
                next -> "${" + next + ":}-${x:${" + next + "}}", next -> "${" + next.replace("-", "") + "} ${" + next + ":x}",
                next -> "${l-${none:" + next.substring(2) + "}}".repeat(2))) {
            assertThatThrownBy(() -> placeholders(chain(40, value))).as(value.apply("l-1")).isInstanceOf(ExceededException.class)
                    .hasMessageContaining("characters with the placeholders replaced");
        }
        assertThatThrownBy(() -> placeholders(chain(100_000, next -> "${" + next + "}"))).isInstanceOf(ExceededException.class)
                .hasMessageContaining("placeholders in values of placeholders");
        assertThatThrownBy(() -> placeholders(Map.of("a", "${a:".repeat(MEBIBYTE / 4)))).isInstanceOf(ExceededException.class)
                .hasMessageContaining("placeholders in one another");
        Map<String, String> large = chain(20, next -> "${a}");
        large.put("a", "x".repeat(MEBIBYTE / 2));
        assertThatThrownBy(() -> placeholders(large)).isInstanceOf(ExceededException.class);
    }

    @Test
    void placeholdersThatAnApplicationHasAreAccepted() {
        placeholders(Map.of("a.url", "http://${a.host:${HOST:localhost}}:${a.port}/${a.url}", "a.host", "${a.host:x}", "a.port", 8080,
                "b", "${${env:dev}.url}", "dev.url", "${a.url}", "c", "${", "d", "} ${b", "e", "${b"));
        placeholders(chain(40, next -> "${" + next + "} and more"));
        placeholders(IntStream.range(0, 15_000).boxed().collect(Collectors.toMap(at -> "key-" + at, at -> "${l-0}/${l-1:none}/" + at)));
    }

    @Test
    void filesOfOneObjectAreCountedTogether() throws IOException {
        String half = IntStream.range(0, 15_000).mapToObj(number -> "k" + number + ": 1\n").collect(Collectors.joining());
        var limits = new ConfigLimits();
        YamlSize.count(half, limits);
        assertThatThrownBy(() -> limits.addProperties(half)).isInstanceOf(ExceededException.class);
    }

    /** A count that were too low would let through what it is to refuse. */
    @Test
    void asManyPropertiesAreCountedAsSpringBootMakes() throws IOException {
        for (String text : List.of("a: 1", "a: {}", "a: []", "a: {b: [], c: {}}", "a:", sevenAliasesInEachOf(3), "a: [1, [2, {x: y}]]",
                "a: &a {b: 1, c: 2}\nd: *a\ne: [*a, *a]", "? [1, 2]\n: x", "a: 1\n---\nb: {c: 1, d: 2}", "text", "- 1\n- 2")) {
            int made = new YamlPropertySourceLoader().load("x", new ByteArrayResource(text.getBytes(UTF_8))).stream()
                    .mapToInt(source -> ((EnumerablePropertySource<?>) source).getPropertyNames().length).sum();
            var limits = new ConfigLimits();
            YamlSize.count(text, limits);
            limits.add(ConfigLimits.PROPERTIES - made, 0, 0);
            assertThatThrownBy(() -> limits.add(1, 0, 0)).as(text).isInstanceOf(ExceededException.class);
        }
    }

    @Test
    void whatAnApplicationHasIsAccepted() throws IOException {
        yaml("logging.level." + "a.".repeat(200) + ": debug\n" + "x".repeat(500) + ": 1\ncertificate: |\n  " + "A".repeat(MEBIBYTE));
        yaml(IntStream.range(0, 15_000).mapToObj(number -> "key-" + number + ": {a: value}\n").collect(Collectors.joining()));
        yaml("defaults: &d {a: 1, b: 2}\n" + IntStream.range(0, 1000).mapToObj(number -> "t" + number + ": {<<: *d, c: 3}\n")
                .collect(Collectors.joining()));
        new ConfigLimits().addProperties("a=" + "x".repeat(MEBIBYTE));
    }
}
