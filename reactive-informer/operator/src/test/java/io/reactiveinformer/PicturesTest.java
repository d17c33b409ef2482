package io.reactiveinformer;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pictures in ARCHITECTURE.md: between the classes of a picture, an arrow means that one names the other, and there are no more and no
 * less.
 */
class PicturesTest {

    private static final Pattern PICTURE = Pattern.compile("(?s)### (.+?)\n.*?```mermaid\nflowchart \\w+\n(.*?)```");
    private static final Pattern ARROW = Pattern.compile("^ *(\\S+) --> (\\S+)$");

    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter().withImportOption(new ArchitectureTest.TheLibrary()).importPackages(ArchitectureTest.BASE);
    }

    private static List<MatchResult> pictures() throws IOException {
        return PICTURE.matcher(Files.readString(Path.of("../../ARCHITECTURE.md"))).results().toList();
    }

    @Test
    void eachWingHasItsPicture() throws IOException {
        assertThat(pictures()).hasSizeGreaterThanOrEqualTo(6);
    }

    @TestFactory
    Stream<DynamicTest> theArrowsAreThoseOfTheCode() throws IOException {
        return pictures().stream().map(picture -> DynamicTest.dynamicTest(picture.group(1), () -> {
            Set<String> drawn = picture.group(2).lines().map(String::trim).filter(line -> !line.isEmpty())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(drawn).allMatch(line -> ARROW.matcher(line).matches(), "is an arrow");
            assertThat(drawn).as("what to draw").isEqualTo(arrowsBetween(namesIn(drawn)));
        }));
    }

    private static Set<String> namesIn(Set<String> arrows) {
        Set<String> names = new TreeSet<>();
        for (String arrow : arrows) {
            Matcher ends = ARROW.matcher(arrow);
            assertThat(ends.matches()).isTrue();
            names.add(ends.group(1));
            names.add(ends.group(2));
        }
        return names;
    }

    private static Set<String> arrowsBetween(Set<String> names) {
        Set<String> arrows = new TreeSet<>();
        for (String from : names) {
            for (String to : names) {
                if (!from.equals(to) && names(from, to)) {
                    arrows.add(from + " --> " + to);
                }
            }
        }
        return arrows;
    }

    /** Whether {@code from}, or a class in it, names {@code to}, or a class in it. */
    private static boolean names(String from, String to) {
        String target = classNamed(to).getName();
        return classes.stream()
                .filter(type -> outermost(type).getSimpleName().equals(from))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .anyMatch(dependency -> outermost(dependency.getTargetClass()).getName().equals(target));
    }

    private static JavaClass classNamed(String name) {
        List<JavaClass> found = new ArrayList<>();
        for (JavaClass type : classes) {
            if (type.getEnclosingClass().isEmpty() && type.getSimpleName().equals(name)) {
                found.add(type);
            }
        }
        assertThat(found).as("classes named %s", name).hasSize(1);
        return found.get(0);
    }

    private static JavaClass outermost(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }
}
