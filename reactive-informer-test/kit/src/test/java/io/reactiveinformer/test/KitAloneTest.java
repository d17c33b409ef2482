package io.reactiveinformer.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Users of this kit have what is public and nothing else. So have our own tests of what is built on informers, and the demos. */
class KitAloneTest {

    private static final Path ROOT = Files.exists(Path.of("docs/demo")) ? Path.of("") : Path.of("..", "..");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?(io\\.reactiveinformer\\.[a-z.]*[A-Z]\\w*)");
    private static final List<String> STAND_ON_INFORMERS = List.of("controller", "leader", "recorder");
    /** How many seeds a test plays, and what throws in the tests of several modules: of our build, no help that a user would miss. */
    private static final Pattern OF_THE_BUILD = Pattern.compile("io\\.reactiveinformer\\.(?:errors\\..*|Rounds)");
    private static final List<String> BELOW_OPERATORS =
            List.of("reactive-informer/client", "reactive-informer/readers", "reactive-informer/informer");
    private static final List<String> MODULES =
            List.of("reactive-informer/client", "reactive-informer/readers", "reactive-informer/informer", "reactive-informer/operator");

    private static List<Path> sources(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static void usesNoHelpers(Path source, List<String> modules) throws IOException {
        List<String> imports = IMPORT.matcher(Files.readString(source)).results().map((MatchResult found) -> found.group(1)).toList();
        assertThat(imports)
                .as(source.toString())
                .filteredOn(type -> !OF_THE_BUILD.matcher(type).matches())
                .noneMatch(type -> modules.stream().anyMatch(module -> Files.exists(
                        ROOT.resolve(module).resolve("src/test/java").resolve(type.replace('.', '/') + ".java"))));
    }

    @Test
    void theTestsOfTheDemosUseNoHelpersOfOurs() throws IOException {
        List<Path> sources = sources(ROOT.resolve("docs/demo/src/test/java"));
        assertThat(sources).isNotEmpty();
        for (Path source : sources) {
            usesNoHelpers(source, MODULES);
        }
    }

    @Test
    void theGuideAndTheDemosUseNothingInternal() throws IOException {
        List<Path> sources = new ArrayList<>(sources(ROOT.resolve("docs/guide/src")));
        sources.addAll(sources(ROOT.resolve("docs/demo/src")));
        assertThat(sources).hasSizeGreaterThan(50).allSatisfy(source -> assertThat(Files.readString(source)).doesNotContain(".internal."));
    }

    /** Those that stand in a package of the library could use what is private to it, too. */
    @Test
    void ourTestsOfControllersUseWhatIsPublic() throws IOException {
        int seen = 0;
        for (String name : STAND_ON_INFORMERS) {
            List<String> hidden = sources(ROOT.resolve("reactive-informer/operator/src/main/java/io/reactiveinformer/" + name)).stream()
                    .filter(KitAloneTest::isHidden)
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .toList();
            for (Path source : sources(ROOT.resolve("reactive-informer/operator/src/test/java/io/reactiveinformer/" + name))) {
                String text = Files.readString(source);
                if (text.contains("import io.reactiveinformer.test.")) {
                    usesNoHelpers(source, BELOW_OPERATORS);
                    assertThat(hidden).as(source.toString()).noneMatch(type -> Pattern.compile("\\b" + type + "\\b").matcher(text).find());
                    seen++;
                }
            }
        }
        assertThat(seen).isGreaterThan(10);
    }

    private static boolean isHidden(Path file) {
        try {
            String type = file.getFileName().toString().replace(".java", "");
            return !type.equals("package-info")
                    && !Pattern.compile("(?m)^public .*\\b" + type + "\\b").matcher(Files.readString(file)).find();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
