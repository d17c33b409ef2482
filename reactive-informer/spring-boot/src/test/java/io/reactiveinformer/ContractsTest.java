package io.reactiveinformer;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever users see has a contract: each public or protected type, method, constructor, field and constant has Javadoc, and it says more
 * than its name does. What overrides a method has the contract of that. The compiler checks the form ({@code -Xdoclint}).
 */
class ContractsTest {

    private static final Path ROOT = Path.of("../..");

    /** Not published: no user sees it. */
    private static final Path RACES = ROOT.resolve("reactive-informer-test/races");

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private static final Pattern NO_WORD = Pattern.compile("[^a-z0-9]+");
    private static final Set<String> EMPTY_WORDS = Set.of(
            "", "a", "an", "the", "of", "this", "these", "its", "is", "are", "be", "to", "for",
            "get", "gets", "set", "sets", "return", "returns", "param", "code", "link", "puts", "together", "parts");

    @Test
    void allThatUsersSeeHasAContract() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String folder : List.of("reactive-informer", "reactive-informer-test")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().contains("src/main/java") && file.toString().endsWith(".java")
                        && !file.toString().contains("/internal/") && !file.startsWith(RACES)).forEach(sources::add);
            }
        }
        try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
            List<String> found = withoutContract(files.getJavaFileObjectsFromPaths(sources));
            assertThat(sources).as("sources").hasSizeGreaterThan(400);
            assertThat(found).as("public, and without a contract").isEmpty();
        }
    }

    /** The version in which a package came; a type that comes later says so itself. */
    @Test
    void eachPackageSaysSinceWhenItIsThere() throws IOException {
        for (String folder : List.of("reactive-informer", "reactive-informer-test")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                List<Path> packages = files.filter(file -> file.toString().contains("src/main/java")
                        && file.endsWith("package-info.java") && !file.toString().contains("/internal")).toList();
                assertThat(packages).isNotEmpty().allSatisfy(one -> assertThat(one).content().contains(" * @since 0."));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /** A thing. */ public class A { public int size() { return 1; } }                            | A.size
            /** A thing. */ public class A { /** The size. */ public int size() { return 1; } }           | A.size
            /** A thing. */ public class A { /** Gets the size of this A. */ public int size; }           | A.size
            /** A thing. */ public class A { /** Puts the parts together. */ protected A() {} }           | A.<init>
            /** A thing. */ public interface A { void run(); }                                            | A.run
            /** A thing. */ public enum A { /** If all is well. */ X, Y }                                 | A.Y
            /** A thing. */ public class A { public static class B {} }                                   | A.B
            /** A thing. */ public record A(int x) { public A {} }                                        | A.<init>
            public class A {}                                                                             | A
            """)
    void aMissingOrEmptyContractIsFound(String source, String found) {
        assertThat(withoutContract(List.of(new Text(source)))).singleElement().asString().contains(found);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /** A thing. */ public class A { /** How many objects are cached. */ public int size() { return 1; } } |
            /** A thing. */ public class A { @Override public String toString() { return ""; } }                   |
            /** A thing. */ public class A { int size() { return 1; } private class B { public int x; } }          |
            class A { public int size() { return 1; } }                                                            |
            /** A thing. */ public enum A { /** If all is well. */ X; private A() {} }                             |
            /** A thing. */ public record A(int x) {}                                                              |
            """)
    void aContractAndWhatUsersDoNotSeeAreNot(String source) {
        assertThat(withoutContract(List.of(new Text(source)))).isEmpty();
    }

    private static List<String> withoutContract(Iterable<? extends JavaFileObject> sources) {
        JavacTask task = (JavacTask) COMPILER.getTask(null, null, null, null, null, sources);
        var scanner = new Scanner(DocTrees.instance(task));
        try {
            for (CompilationUnitTree unit : task.parse()) {
                scanner.scan(unit, null);
            }
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
        return scanner.found;
    }

    private static final class Scanner extends TreePathScanner<Void, Void> {

        private final DocTrees docs;
        private final List<String> found = new ArrayList<>();

        Scanner(DocTrees docs) {
            this.docs = docs;
        }

        @Override
        public Void visitClass(ClassTree type, Void none) {
            if (isSeen(type.getModifiers())) {
                check(type.getModifiers(), type.getSimpleName().toString());
                super.visitClass(type, null);
            }
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Void none) {
            if (isSeen(method.getModifiers())) {
                check(method.getModifiers(), method.getName().toString());
            }
            return null;
        }

        @Override
        public Void visitVariable(VariableTree field, Void none) {
            boolean component = getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD
                    && !field.getModifiers().getFlags().contains(Modifier.STATIC);
            if (!component && isSeen(field.getModifiers())) {
                check(field.getModifiers(), field.getName().toString());
            }
            return null;
        }

        /** Whether a user sees what is at the current path; what is around it is seen, or would not have been entered. */
        private boolean isSeen(ModifiersTree modifiers) {
            Tree around = getCurrentPath().getParentPath().getLeaf();
            Set<Modifier> flags = modifiers.getFlags();
            boolean implicitly = around.getKind() == Tree.Kind.INTERFACE || around.getKind() == Tree.Kind.ANNOTATION_TYPE;
            return flags.contains(Modifier.PUBLIC) || flags.contains(Modifier.PROTECTED)
                    || implicitly && !flags.contains(Modifier.PRIVATE);
        }

        private void check(ModifiersTree modifiers, String name) {
            boolean overrides = modifiers.getAnnotations().stream()
                    .anyMatch(each -> each.getAnnotationType().toString().equals("Override"));
            if (!overrides && saysNothing(docs.getDocCommentTree(getCurrentPath()), name)) {
                found.add(place(name));
            }
        }

        private boolean saysNothing(DocCommentTree comment, String name) {
            Set<String> words = comment == null ? new HashSet<>() : new HashSet<>(words(comment.toString()));
            words.removeAll(EMPTY_WORDS);
            words.removeAll(words(name.replaceAll("([A-Z])", " $1")));
            words.removeAll(words(typeName().replaceAll("([A-Z])", " $1")));
            return words.isEmpty();
        }

        private String typeName() {
            for (TreePath path = getCurrentPath().getParentPath(); path != null; path = path.getParentPath()) {
                if (path.getLeaf() instanceof ClassTree type) {
                    return type.getSimpleName().toString();
                }
            }
            return "";
        }

        private String place(String name) {
            String type = typeName();
            CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
            long line = unit.getLineMap().getLineNumber(docs.getSourcePositions().getStartPosition(unit, getCurrentPath().getLeaf()));
            return (type.isEmpty() ? name : type + "." + name) + " (" + unit.getSourceFile().getName() + ":" + line + ")";
        }

        private static List<String> words(String text) {
            return Arrays.asList(NO_WORD.split(text.toLowerCase(Locale.ROOT)));
        }
    }

    private static final class Text extends SimpleJavaFileObject {

        private final String text;

        Text(String text) {
            super(Path.of("A.java").toUri(), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
