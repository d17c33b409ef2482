package io.reactiveinformer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The name of a test is a sentence that one can read aloud: at most 60 characters. */
class TestNamesTest {

    private static final Path ROOT = Path.of("../..");
    private static final int LONGEST = 60;
    private static final Pattern TEST = Pattern.compile(
            "@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property|FuzzTest)\\b.*?\\bvoid (\\w+)\\(", Pattern.DOTALL);

    @Test
    void noTestHasALongerName() throws IOException {
        List<String> names = new ArrayList<>();
        for (String folder : List.of("reactive-informer", "reactive-informer-test", "docs")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                for (Path file : files.filter(each -> each.toString().matches(".*/src/test/java/.*\\.java")).toList()) {
                    TEST.matcher(Files.readString(file)).results().map((MatchResult test) -> test.group(1)).forEach(names::add);
                }
            }
        }
        assertThat(names).as("all tests").hasSizeGreaterThan(2000);
        assertThat(names).filteredOn(name -> name.length() > LONGEST).isEmpty();
    }
}
