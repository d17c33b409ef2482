package io.reactiveinformer.internal.codec;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ValueScannerTest {

    @ParameterizedTest
    @ValueSource(strings = {
        "{}", "[]", "{\"a\":[{},[{}]],\"b\":\"}\"}", "\"text\"", "\"\\\"\\\\\"", "[\"\\\\\",\"]\"]",
                "{\"é€😀\":\"\\u007d\"}", "{\n \"a\" : [\n{\n}\n,\n{\n}\n] }",
        "{\"a\":\n{}}", "12", "-1.5e9", "true", "null"
    })
    void findsTheEndWhereverTheValueIsCut(String value) {
        byte[] bytes = (value + ",{\"next\":1}").getBytes(StandardCharsets.UTF_8);
        int end = value.getBytes(StandardCharsets.UTF_8).length;
        for (int cut = 0; cut <= end; cut++) {
            var scanner = new ValueScanner();
            assertThat(scanner.scan(bytes, 0, 0, cut)).isEqualTo(cut == end && !isBare(value) ? end : ValueScanner.MORE);
            if (cut < end || isBare(value)) {
                assertThat(scanner.scan(bytes, 0, cut, bytes.length)).as("cut at %d", cut).isEqualTo(end);
            }
        }
    }

    private static boolean isBare(String value) {
        return "{[\"".indexOf(value.charAt(0)) < 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":\"x\n", "{\"a\":{}\n", "[1\n", "{\"a\":\"\\\\\"\n\n  \n"})
    void noticesAValueThatNeverEnded(String broken) {
        byte[] bytes = (broken + "{\"next\":1}").getBytes(StandardCharsets.UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            var scanner = new ValueScanner();
            int found = scanner.scan(bytes, 0, 0, cut);
            found = found == ValueScanner.MORE ? scanner.scan(bytes, 0, cut, bytes.length) : found;
            assertThat(found).as("cut at %d", cut).isEqualTo(ValueScanner.BROKEN);
        }
    }

    /** Values that nobody keeps are passed by; what is noticed must not depend on how much of them is still there. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":{}\n", "[1\n", "{\"a\":\"\\\\\"\n\n  \n"})
    void noticesItEvenIfTheBytesBeforeAreGone(String broken) {
        byte[] bytes = (broken + "{\"next\":1}").getBytes(StandardCharsets.UTF_8);
        for (int cut = 1; cut < broken.length(); cut++) {
            var scanner = new ValueScanner();
            assertThat(scanner.scan(bytes, 0, 0, cut)).isEqualTo(ValueScanner.MORE);
            assertThat(scanner.scan(bytes, cut, cut, bytes.length)).as("cut at %d", cut).isEqualTo(ValueScanner.BROKEN);
        }
        byte[] sound = "{\"a\":[\n{},\n{}]}".getBytes(StandardCharsets.UTF_8);
        for (int cut = 1; cut < sound.length; cut++) {
            var scanner = new ValueScanner();
            assertThat(scanner.scan(sound, 0, 0, cut)).isEqualTo(ValueScanner.MORE);
            assertThat(scanner.scan(sound, cut, cut, sound.length)).as("cut at %d", cut).isEqualTo(sound.length);
        }
    }
}
