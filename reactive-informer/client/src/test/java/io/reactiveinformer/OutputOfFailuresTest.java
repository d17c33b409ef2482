package io.reactiveinformer;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.launcher.TestIdentifier;

import static org.assertj.core.api.Assertions.assertThat;

class OutputOfFailuresTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final OutputOfFailures output = new OutputOfFailures(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @Test
    void aTestThatPassesPrintsNothing() {
        output.begin(test("first"));
        output.out().println("noise");
        output.end(test("first"), false);

        assertThat(printed()).isEmpty();
    }

    @Test
    void aTestThatFailsPrintsItsOwnLinesAndNoOther() {
        output.begin(test("first"));
        output.out().println("of the first");
        output.end(test("first"), false);
        output.out().println("between tests");
        output.begin(test("second"));
        output.out().print("half a ");
        output.out().println("line\nand another");
        output.end(test("second"), true);
        output.begin(test("third"));
        output.end(test("third"), true);

        assertThat(printed()).isEqualTo("---- Output of engine > second\nhalf a line\nand another\n----\n");
    }

    @Test
    void theLastLinesAreKept() {
        output.begin(test("first"));
        for (int line = 1; line <= OutputOfFailures.KEPT + 3; line++) {
            output.out().println("line " + line + ".");
        }
        output.end(test("first"), true);

        assertThat(printed()).startsWith("---- Output of engine > first, without the first 3 lines\nline 4.\n")
                .endsWith("line 2003.\n----\n");
    }

    @Test
    void aLineWithoutEndTakesABoundedSpaceAndIsPrintedInPieces() {
        output.begin(test("first"));
        output.out().print("x".repeat(45_000));
        output.out().println();
        output.end(test("first"), true);

        assertThat(printed().lines()).hasSize(5).allMatch(line -> line.length() <= 20_000);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static TestIdentifier test(String name) {
        return TestIdentifier.from(new AbstractTestDescriptor(UniqueId.forEngine("engine").append("method", name), name) {
            @Override
            public Type getType() {
                return TestDescriptor.Type.TEST;
            }
        });
    }
}
