package io.reactiveinformer;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pictures and the table in ARCHITECTURE.md. Between the classes of a picture, an arrow means that one names the other, and there are
 * no more and no less; between modules, that one depends on the other.
 */
class PicturesTest {

    private static final Pattern MODULES = Pattern.compile("(?s)## The modules\n.*?```mermaid\nflowchart \\w+\n(.*?)```");
    private static final Pattern WING = Pattern.compile("(?s)### (.+?)\n.*?```mermaid\nflowchart \\w+\n(.*?)```");
    private static final Pattern ARROWS = Pattern.compile("(\\S+(?: & \\S+)*) (-->|-\\.->) (\\S+(?: & \\S+)*)");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (-?\\d+) \\| `(.+?)` \\|");

    private static JavaClasses classes;

    @BeforeAll
    static void read() {
        classes = new ClassFileImporter().withImportOption(new ArchitectureTest.TheLibrary()).importPackages(ArchitectureTest.BASE);
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../../ARCHITECTURE.md"));
    }

    private static List<MatchResult> wings() throws IOException {
        return WING.matcher(page()).results().toList();
    }

    @Test
    void theTableOfPackagesHasTheRowsOfTheRule() throws IOException {
        List<String> written = ROW.matcher(page()).results().map(row -> row.group(1) + " " + row.group(2)).toList();
        assertThat(written).containsExactlyInAnyOrderElementsOf(
                ArchitectureTest.ROWS.entrySet().stream().map(row -> row.getValue() + " " + row.getKey()).toList());
    }

    @Test
    void theArrowsBetweenModulesAreThoseOfThePoms() throws Exception {
        Map<String, Element> poms = new TreeMap<>();
        for (String parent : List.of("../../reactive-informer", "../../reactive-informer-test")) {
            try (Stream<Path> folders = Files.list(Path.of(parent))) {
                for (Path pom : folders.map(folder -> folder.resolve("pom.xml")).filter(Files::exists).toList()) {
                    poms.put(pom.getParent().getFileName().toString(), DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder()
                            .parse(pom.toFile()).getDocumentElement());
                }
            }
        }
        Map<String, String> folders = new HashMap<>();
        poms.forEach((folder, pom) -> folders.put(textOf(pom, "artifactId"), folder));
        Set<String> arrows = new TreeSet<>();
        poms.forEach((folder, pom) -> children(pom, "dependencies").flatMap(all -> children(all, "dependency"))
                .filter(dependency -> folders.containsKey(textOf(dependency, "artifactId")))
                .filter(dependency -> !textOf(dependency, "scope").equals("test") && !textOf(dependency, "type").equals("test-jar"))
                .forEach(dependency -> arrows.add(folder + (textOf(dependency, "optional").equals("true") ? " -.-> " : " --> ")
                        + folders.get(textOf(dependency, "artifactId")))));

        Matcher picture = MODULES.matcher(page());
        assertThat(picture.find()).as("a picture of the modules").isTrue();
        assertThat(arrowsIn(picture.group(1))).as("what to draw").isEqualTo(arrows);
    }

    private static Stream<Element> children(Element parent, String name) {
        return Stream.iterate(parent.getFirstChild(), Objects::nonNull, Node::getNextSibling)
                .filter(child -> child.getNodeName().equals(name)).map(Element.class::cast);
    }

    private static String textOf(Element parent, String name) {
        return children(parent, name).findFirst().map(Node::getTextContent).orElse("");
    }

    @Test
    void eachWingHasItsPicture() throws IOException {
        assertThat(wings()).hasSizeGreaterThanOrEqualTo(6);
    }

    @TestFactory
    Stream<DynamicTest> theArrowsAreThoseOfTheCode() throws IOException {
        return wings().stream().map(wing -> DynamicTest.dynamicTest(wing.group(1), () -> {
            Set<String> drawn = arrowsIn(wing.group(2));
            assertThat(drawn).as("what to draw").isEqualTo(arrowsBetween(namesIn(drawn)));
        }));
    }

    /** The arrows of a picture, in which {@code A & B --> C & D} are four. */
    private static Set<String> arrowsIn(String picture) {
        Set<String> arrows = new TreeSet<>();
        for (String line : picture.strip().split("\n *", -1)) {
            Matcher drawn = ARROWS.matcher(line);
            assertThat(drawn.matches()).as("%s: is an arrow", line).isTrue();
            for (String from : drawn.group(1).split(" & ", -1)) {
                for (String to : drawn.group(3).split(" & ", -1)) {
                    assertThat(arrows.add(from + " " + drawn.group(2) + " " + to)).as("%s: is drawn once", line).isTrue();
                }
            }
        }
        return arrows;
    }

    private static Set<String> namesIn(Set<String> arrows) {
        return arrows.stream().flatMap(arrow -> Stream.of(arrow.split(" --> "))).collect(Collectors.toCollection(TreeSet::new));
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
