package io.reactiveinformer.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Each test that a page of the guide, or SECURITY.md, names exists, with the method that it names. */
class OutagesGuideTest {

    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

    @TestFactory
    Stream<DynamicTest> everyNamedTestExists() throws IOException {
        Path root = GuideSnippetsTest.root();
        Map<String, Path> tests;
        try (Stream<Path> files = Files.walk(root)) {
            tests = files.filter(file -> file.toString().endsWith("Test.java") && file.toString().contains("src/test/java"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""), file -> file, (one, other) -> one));
        }
        try (Stream<Path> guide = Files.list(root.resolve("docs/guide"))) {
            Stream<Path> pages = guide.filter(page -> page.toString().endsWith(".md")).sorted();
            return Stream.concat(Stream.of(root.resolve("SECURITY.md")), pages).toList().stream()
                    .flatMap(page -> NAMED.matcher(read(page)).results().map(named -> DynamicTest.dynamicTest(
                            page.getFileName() + ": " + named.group(), () -> assertExists(tests, named))));
        }
    }

    private static void assertExists(Map<String, Path> tests, MatchResult named) {
        assertThat(tests).containsKey(named.group(1));
        if (named.group(2) != null) {
            assertThat(read(tests.get(named.group(1)))).contains("void " + named.group(2) + "(");
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
