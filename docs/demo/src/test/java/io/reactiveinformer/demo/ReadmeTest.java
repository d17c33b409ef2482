package io.reactiveinformer.demo;

import io.reactiveinformer.test.FakeApiServer;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The programs in README.md compile as they stand there, and do what it says. */
class ReadmeTest {

    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("public class (\\w+)");

    @TempDir
    Path directory;

    @Test
    void itsFirstProgramShowsWhatHappens() throws Exception {
        compile(programs().get(0));
        try (FakeApiServer server = FakeApiServer.create().start()) {
            server.objects().create(WatchTest.pod("prod", "a"));
            try (JavaProcess program = JavaProcess.start(directory, List.of(), classPath(), "Pods", server.url())) {
                program.await(line -> line.startsWith("synced: 1 pods at "));
                server.objects().create(WatchTest.pod("prod", "b"));
                program.await(line -> line.equals("added   prod/b"));
                assertThat(program.goesOn()).as("it stays alive").isTrue();
            }
        }
    }

    @Test
    void itsFirstProgramSaysWhatIsWrongWithoutACluster() throws Exception {
        compile(programs().get(0));
        try (JavaProcess program = JavaProcess.start(directory, List.of(), classPath(), "Pods", "http://127.0.0.1:1")) {
            program.await(line -> line.startsWith("status: DISRUPTED, cannot reach http://127.0.0.1:1"));
        }
    }

    @Test
    void allOfItsProgramsCompile() throws IOException {
        for (String program : programs()) {
            compile(program);
        }
    }

    private List<String> programs() throws IOException {
        var programs = new ArrayList<String>();
        for (Matcher block = JAVA.matcher(Files.readString(root().resolve("README.md"))); block.find();) {
            programs.add(block.group(1));
        }
        return programs;
    }

    private void compile(String program) throws IOException {
        Matcher name = CLASS.matcher(program);
        assertThat(name.find()).as("a whole class, to be pasted: %s", program).isTrue();
        Path source = Files.writeString(directory.resolve(name.group(1) + ".java"), program);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        boolean compiled = compiler.getTask(messages, null, null,
                        List.of("-Xlint:all,-classfile,-processing", "-proc:none", "-d", directory.toString(),
                                "-cp", JavaProcess.ownClassPath()), null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
                .call();
        assertThat(messages.toString()).isEmpty();
        assertThat(compiled).isTrue();
    }

    private String classPath() {
        return directory + System.getProperty("path.separator") + JavaProcess.ownClassPath();
    }

    /** The module's directory is where Maven runs the tests. */
    private static Path root() {
        return Path.of("").toAbsolutePath().getParent().getParent();
    }
}
