package io.reactiveinformer.laws.processor;

import io.reactiveinformer.test.scale.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A process that is killed while its processor works, again and again; {@code -Dprocessor.kills=200} for more often. */
@Tag("long")
@Timeout(1800)
class KilledProcessorTest {

    private static final int KILLS = Integer.getInteger("processor.kills", 5);

    @TempDir
    private Path directory;

    private final Random random = new Random();

    @Test
    void theTableIsRightInTheEnd() throws Exception {
        for (int i = 0; i < KILLS; i++) {
            kill();
        }
        ChildJvm.Result end = ChildJvm.run(TableProcess.class, List.of("-XX:TieredStopAtLevel=1"), Duration.ofMinutes(2),
                directory.toString(), "false");
        assertThat(end.output()).contains("table true of ");
        assertThat(Files.readAllLines(directory.resolve("cluster")).size()).as("changes").isGreaterThan(KILLS);
        ChildJvm.Result again = ChildJvm.run(TableProcess.class, List.of("-XX:TieredStopAtLevel=1"), Duration.ofMinutes(2),
                directory.toString(), "false");
        assertThat(again.output()).contains("table true of ");
    }

    private void kill() throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                TableProcess.class.getName(), directory.toString(), "true").redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (var output = process.inputReader()) {
            assertThat(output.readLine()).isEqualTo("working");
            assertThat(process.waitFor(random.nextInt(400), TimeUnit.MILLISECONDS)).as("it ended by itself").isFalse();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
