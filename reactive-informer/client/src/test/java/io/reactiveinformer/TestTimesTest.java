package io.reactiveinformer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class TestTimesTest {

    private static final FileTime START = TestTimes.started("261129030000000");

    @TempDir
    private Path root;

    @Test
    void aModuleHasALineOfWhatRanInThisBuild() throws IOException {
        report("a", "surefire-reports", "io.x.SlowTest", "1,633.4", 7, 2, 10);
        report("a", "surefire-reports", "io.x.QuickTest", "0.2", 1000, 0, 10);
        report("a", "surefire-reports", "io.x.OldTest", "99", 5, 0, -10);

        assertThat(TestTimes.module(root, root.resolve("a"), START))
                .isEqualTo("%-36s 1,007 tests, 2 skipped, 1634 s; slowest: SlowTest 1633 s%n".formatted("a"));
    }

    @Test
    void theSecondLineIsOfWhatRanSinceTheFirst() throws IOException {
        report("a", "surefire-reports", "io.x.SlowTest", "3", 7, 0, 10);
        TestTimes.module(root, root.resolve("a"), START);

        assertThat(TestTimes.module(root, root.resolve("a"), START)).isEmpty();
        Path later = report("a", "failsafe-reports", "io.x.LaterIT", "4", 1, 0, 10);
        Files.setLastModifiedTime(later, FileTime.from(Instant.now().plusSeconds(60)));
        assertThat(TestTimes.module(root, root.resolve("a"), START)).contains("1 tests, 4 s; slowest: LaterIT 4 s");
    }

    @Test
    void allModulesHaveTenSlowest() throws IOException {
        for (int number = 1; number <= 12; number++) {
            report("group/b" + number % 2, "surefire-reports", "io.x.Number" + number + "Test", number + "", 1, 0, 10);
        }

        assertThat(TestTimes.all(root, START, "4711").lines()).hasSize(12).contains("      12 s  Number12Test in group/b0",
                "       3 s  Number3Test in group/b1", "All modules: 12 tests, 78 s, seed 4711. The slowest classes:");
    }

    @Test
    void aBuildWithoutTestsPrintsNothing() throws IOException {
        assertThat(TestTimes.all(root, START, "4711")).isEmpty();
        assertThat(TestTimes.module(root, root.resolve("a"), START)).isEmpty();
    }

    private Path report(String module, String folder, String name, String time, int tests, int skipped, int secondsAfterStart)
            throws IOException {
        Path report = Files.createDirectories(root.resolve(module).resolve("target").resolve(folder)).resolve("TEST-" + name + ".xml");
        Files.writeString(report, """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="3.0.2" name="%s" time="%s" tests="%d" skipped="%d">
                """.formatted(name, time, tests, skipped));
        return Files.setLastModifiedTime(report, FileTime.from(START.toInstant().plusSeconds(secondsAfterStart)));
    }
}
