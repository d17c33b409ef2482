package io.reactiveinformer.internal.readers;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.internal.codec.ByteBlock;
import io.reactiveinformer.internal.codec.ValueScanner;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Whole blocks give what looking at each byte gives. */
class ByteBlockTest {

    private static final String MARKS = "\"\"\"{}[],:yY_{a0é \u007f\u00ff";

    @Test
    void seesEachQuoteAndEachBracketThatIsInNoString() {
        var block = new ByteBlock();
        for (long seed : Rounds.seeds("block", 20_000)) {
            var random = new Random(seed);
            byte[] bytes = new byte[ByteBlock.SIZE + 8];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = random.nextInt(3) == 0 ? (byte) (random.nextInt(225) - 128)
                        : (byte) MARKS.charAt(random.nextInt(MARKS.length()));
                bytes[i] = bytes[i] == '\\' || bytes[i] == '\n' ? (byte) ' ' : bytes[i];
            }
            int from = random.nextInt(8);
            boolean begins = random.nextBoolean();
            assertThat(block.read(bytes, from)).as("seed %d", seed).isTrue();
            long found = block.bracketsOutside(begins);
            boolean inString = begins;
            for (int i = 0; i < ByteBlock.SIZE; i++) {
                byte b = bytes[from + i];
                boolean outside = (found >>> i & 1) != 0;
                if (b == '{' || b == '}' || b == '[' || b == ']') {
                    assertThat(outside).as("seed %d, byte %d", seed, i).isEqualTo(!inString);
                } else if (outside) {
                    assertThat("yY_\u007f\"").as("seed %d, byte %d: what is marked besides", seed, i).contains("" + (char) b);
                }
                inString ^= b == '"';
            }
            assertThat(block.endsInString(begins)).as("seed %d", seed).isEqualTo(inString);
        }
    }

    @Test
    void leavesWhatHasABackslashOrALineBreak() {
        var block = new ByteBlock();
        for (int i = 0; i < ByteBlock.SIZE; i++) {
            byte[] bytes = "{\"a\":[1]}".repeat(8).getBytes(StandardCharsets.US_ASCII);
            assertThat(block.read(bytes, 0)).isTrue();
            bytes[i] = '\\';
            assertThat(block.read(bytes, 0)).as("backslash at %d", i).isFalse();
            bytes[i] = '\n';
            assertThat(block.read(bytes, 0)).as("line break at %d", i).isFalse();
        }
    }

    @Test
    void findsTheEndOfLongValuesWhereverTheyAreCut() {
        for (long seed : Rounds.seeds("block", 300)) {
            var random = new Random(seed);
            var text = new StringBuilder();
            object(text, random, 0);
            byte[] bytes = (text + ",{\"next\":1}").getBytes(StandardCharsets.UTF_8);
            int end = text.toString().getBytes(StandardCharsets.UTF_8).length;
            int step = 1 + random.nextInt(3);
            for (int cut = random.nextInt(step); cut < end; cut += step) {
                var scanner = new ValueScanner();
                assertThat(scanner.scan(bytes, 0, 0, cut)).as("seed %d, cut at %d", seed, cut).isEqualTo(ValueScanner.MORE);
                assertThat(scanner.scan(bytes, 0, cut, bytes.length)).as("seed %d, cut at %d: %s", seed, cut, text).isEqualTo(end);
            }
            var brackets = new BracketIndex();
            assertThat(brackets.find(bytes, 0, bytes.length)).isTrue();
            assertThat(brackets.end(0)).as("seed %d", seed).isEqualTo(end);
            checkEnds(bytes, end, brackets);
        }
    }

    /** Each bracket's end is where the scanner finds it. */
    private static void checkEnds(byte[] bytes, int end, BracketIndex brackets) {
        int number = 0;
        boolean inString = false;
        for (int at = 0; at < end; at++) {
            byte b = bytes[at];
            if (inString && b == '\\') {
                at++;
            } else if (b == '"') {
                inString = !inString;
            } else if (!inString && (b == '{' || b == '[')) {
                assertThat(brackets.end(number)).isEqualTo(new ValueScanner().scan(bytes, at, at, bytes.length));
                assertThat(brackets.next(number)).isGreaterThan(number);
                number++;
            }
        }
    }

    /** Bodies that were garbled, in pieces. */
    @Test
    void noticesWhatLookingAtEachByteNotices() {
        int broken = 0;
        long[] seeds = Rounds.seeds("block", 5_000);
        for (long seed : seeds) {
            var random = new Random(seed);
            var text = new StringBuilder();
            object(text, random, 0);
            for (int edits = random.nextInt(4); edits >= 0; edits--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, "\n{");
                    default -> text.insert(at, "\"{}[]\\\n,".charAt(random.nextInt(8)));
                }
                text.append(text.isEmpty() ? "{" : "");
            }
            byte[] bytes = (text + "\n{\"next\":1}").getBytes(StandardCharsets.UTF_8);
            if (bytes[0] != '{') {
                continue;
            }
            int expected = ByteByByte.end(bytes);
            broken += expected == ValueScanner.BROKEN ? 1 : 0;
            var scanner = new ValueScanner();
            int found = ValueScanner.MORE;
            for (int from = 0; found == ValueScanner.MORE && from < bytes.length;) {
                int to = Math.min(bytes.length, from + 1 + random.nextInt(200));
                found = scanner.scan(bytes, 0, from, to);
                from = to;
            }
            assertThat(found).as("seed %d: %s", seed, text).isEqualTo(expected);
        }
        assertThat(broken).isGreaterThanOrEqualTo(seeds.length / 9);
    }

    /** The rules of {@link ValueScanner}, for an object, as simple as they can be said. */
    private static final class ByteByByte {

        static int end(byte[] bytes) {
            int depth = 0;
            boolean inString = false;
            byte mark = '[';
            for (int at = 0; at < bytes.length; at++) {
                byte b = bytes[at];
                if (inString) {
                    if (b == '\n') {
                        return ValueScanner.BROKEN;
                    }
                    at += b == '\\' ? 1 : 0;
                    inString = b != '"';
                } else if (b == '"') {
                    inString = true;
                } else if (b == '{' || b == '[') {
                    if (depth++ > 0 && bytes[at - 1] == '\n' && ":,[".indexOf(mark) < 0) {
                        return ValueScanner.BROKEN;
                    }
                } else if ((b == '}' || b == ']') && --depth == 0) {
                    return at + 1;
                }
                mark = b >= 0 && b <= ' ' ? mark : bytes[Math.min(at, bytes.length - 1)];
            }
            return ValueScanner.MORE;
        }
    }

    private static void object(StringBuilder text, Random random, int depth) {
        boolean list = depth > 0 && random.nextBoolean();
        text.append(list ? '[' : '{');
        for (int i = 0, members = random.nextInt(6); i < members; i++) {
            text.append(i == 0 ? "" : ",").append(random.nextInt(8) == 0 ? "\n " : "");
            if (!list) {
                string(text, random);
                text.append(':');
            }
            if (depth < 5 && random.nextInt(3) > 0) {
                object(text, random, depth + 1);
            } else {
                string(text, random);
            }
        }
        text.append(list ? ']' : '}');
    }

    private static void string(StringBuilder text, Random random) {
        text.append('"');
        for (int i = random.nextInt(random.nextInt(6) == 0 ? 150 : 20); i > 0; i--) {
            text.append(random.nextInt(25) == 0 ? "\\\"" : random.nextInt(40) == 0
                    ? "\\\\" : "" + "ab{}[]yé,: _".charAt(random.nextInt(12)));
        }
        text.append('"');
    }
}
