package io.reactiveinformer.apiserver.internal.schema;

/** Base64 as Go reads it: line breaks are skipped, and the end of the text must be padded. */
final class Base64Text {

    private static final int GROUP = 4;

    private Base64Text() {}

    /** The position at which Go's decoder refuses the text; -1 if it reads it. */
    static int illegalAt(String text) {
        int digits = 0;
        int padding = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\r') {
                continue;
            }
            boolean isPadding = c == '=';
            if (isPadding ? digits % GROUP < 2 || digits % GROUP + ++padding > GROUP : padding > 0 || !isDigit(c)) {
                return i;
            }
            digits += isPadding ? 0 : 1;
        }
        int rest = digits % GROUP;
        return rest == 0 || rest + padding == GROUP ? -1 : padding > 0 ? text.length() : text.length() - rest;
    }

    private static boolean isDigit(char c) {
        return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/';
    }
}
