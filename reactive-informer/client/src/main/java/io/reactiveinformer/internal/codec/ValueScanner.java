package io.reactiveinformer.internal.codec;

/**
 * Finds the end of a JSON value by counting brackets outside of strings, over any number of pieces. Allocates nothing and reads each byte
 * once. It does not validate the value, except that it detects two marks of a value that never ended: a line break within a string, and an
 * object that begins on a new line where none is allowed.
 */
public final class ValueScanner {

    /** The value continues after the given bytes. */
    public static final int MORE = -1;

    /** The value cannot be JSON. */
    public static final int BROKEN = -2;

    private final ByteBlock block = new ByteBlock();
    private int depth;
    private boolean inString;
    private boolean escaped;
    /** The last byte of those given before, and the last one that is no blank; the bytes themselves may be gone by then. */
    private byte lastByte = ' ';
    private byte lastMark = '[';

    /** To be called before each value. */
    void reset() {
        depth = 0;
        inString = false;
        escaped = false;
        lastByte = ' ';
        lastMark = '[';
    }

    /**
     * Continues with the value, whose first byte is the first that is passed after {@link #reset}.
     *
     * @param begin of the value, if all its bytes are still there; otherwise of those that are
     * @return the index after the value, {@link #MORE} or {@link #BROKEN}. A number or literal ends before the byte that follows it
     */
    public int scan(byte[] bytes, int begin, int from, int to) {
        int end = find(bytes, begin, from, to);
        if (end == MORE) {
            remember(bytes, from, to);
        }
        return end;
    }

    /** Examines only the new bytes, since there may be many blanks. */
    private void remember(byte[] bytes, int from, int to) {
        if (to > from) {
            lastByte = bytes[to - 1];
        }
        for (int at = to - 1; at >= from; at--) {
            if (!isBlank(bytes[at])) {
                lastMark = bytes[at];
                return;
            }
        }
    }

    private int find(byte[] bytes, int begin, int from, int to) {
        int at = from;
        int oneByOne = from;
        while (at < to) {
            if (at >= oneByOne && to - at >= ByteBlock.SIZE && depth > 0 && !escaped && before(bytes, begin, at) != '\n') {
                if (block.read(bytes, at)) {
                    int end = endInBlock(bytes, at);
                    if (end != MORE) {
                        return end;
                    }
                    at += ByteBlock.SIZE;
                    continue;
                }
                oneByOne = at + ByteBlock.SIZE;
            }
            if (inString) {
                at = endOfString(bytes, at, to);
                if (at < 0 || inString) {
                    return at < 0 ? BROKEN : MORE;
                }
                if (depth == 0) {
                    return at;
                }
                continue;
            }
            byte b = bytes[at++];
            if (b == '"') {
                int quote = LongScan.endOfPlain(bytes, at, to);
                inString = quote == to || bytes[quote] != '"';
                at = inString ? at : quote + 1;
                if (!inString && depth == 0) {
                    return at;
                }
                continue;
            }
            int bracket = b | 0x20; // square and curly ones differ only in this bit
            if (bracket == '{') {
                if (depth++ > 0 && before(bytes, begin, at - 1) == '\n' && !mayBeginValue(bytes, begin, at - 2)) {
                    return BROKEN;
                }
            } else if (bracket == '}') {
                if (--depth <= 0) {
                    return depth == 0 ? at : at - 1;
                }
            } else if (depth == 0 && (b == ',' || b >= 0 && b <= ' ')) {
                return at - 1;
            }
        }
        return MORE;
    }

    private byte before(byte[] bytes, int begin, int at) {
        return at > begin ? bytes[at - 1] : lastByte;
    }

    /** Examines the block that was read there. */
    private int endInBlock(byte[] bytes, int from) {
        for (long left = block.bracketsOutside(inString); left != 0; left &= left - 1) {
            int at = from + Long.numberOfTrailingZeros(left);
            int bracket = bytes[at] | 0x20;
            if (bracket == '{') {
                depth++;
            } else if (bracket == '}' && --depth == 0) {
                return at + 1;
            }
        }
        inString = block.endsInString(inString);
        return MORE;
    }

    /** The index after the closing quote, or {@code to} while {@link #inString}; negative where a line ends before the string does. */
    private int endOfString(byte[] bytes, int from, int to) {
        int at = from;
        if (escaped) {
            escaped = false;
            at++;
        }
        while (at < to) {
            at = LongScan.endOfPlain(bytes, at, to);
            if (at == to) {
                break;
            }
            byte b = bytes[at++];
            if (b == '"') {
                inString = false;
                return at;
            }
            if (b == '\\') {
                if (at == to) {
                    escaped = true;
                    return to;
                }
                at++;
            } else {
                return BROKEN;
            }
        }
        return to;
    }

    private boolean mayBeginValue(byte[] bytes, int begin, int lineBreak) {
        int before = lineBreak;
        while (before >= begin && isBlank(bytes[before])) {
            before--;
        }
        return switch (before < begin ? lastMark : bytes[before]) {
            case ':', ',', '[' -> true;
            default -> false;
        };
    }

    private static boolean isBlank(byte b) {
        return b <= ' ' && b >= 0;
    }
}
