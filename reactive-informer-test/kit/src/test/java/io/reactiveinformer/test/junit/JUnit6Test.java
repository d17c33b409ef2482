package io.reactiveinformer.test.junit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Our extension, compiled against JUnit 5, under JUnit 6: in a process of its own, with that version on the class path instead of this one.
 */
class JUnit6Test {

    /** JUnit 5 itself, and engines that were made for its platform. */
    private static final Pattern OF_JUNIT_5 =
            Pattern.compile(".*/(org/junit|net/jqwik|com/tngtech/archunit|org/testng)/.*|.*blockhound-junit.*");

    @Test
    @Timeout(300)
    void runsTheTestsOfTheExtension(@TempDir Path home) throws IOException, InterruptedException {
        Path junit6 = Path.of("target", "junit-6", "junit-platform-console-standalone.jar").toAbsolutePath();
        String rest = Arrays.stream(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator, -1))
                .filter(entry -> !OF_JUNIT_5.matcher(entry.replace(File.separatorChar, '/')).matches())
                .collect(Collectors.joining(File.pathSeparator));
        Path output = home.resolve("junit-6.txt");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", // as all tests do
                        "-cp", junit6 + File.pathSeparator + rest,
                        "org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner",
                        "--select-class", FakeClusterTest.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.waitFor();
        } finally {
            process.destroyForcibly(); // if the test's time was over
        }
        assertThat(Files.readString(output)).contains("[         5 tests successful      ]", "[         0 tests failed          ]");
        assertThat(process.exitValue()).isZero();
    }
}
