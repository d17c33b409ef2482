package io.reactiveinformer.config;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The stderr of a failed credential plugin, redacted for a message or a log: one line, of bounded length, without likely secrets. It
 * removes the values that the plugin was configured with, user and password in an address, the text after a word such as {@code token=} or
 * {@code Bearer}, and long words of mixed characters, as tokens are. No such list is complete, so nothing is shown unless the user has set
 * a variable.
 */
final class RedactedStderr {

    private static final int LONGEST = 500;
    /** A shorter value, such as a region, would be found within other words. */
    private static final int SHORTEST_SECRET = 6;
    private static final String LEFT_OUT = "[…]";

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\uFFFD]+");
    /** User and password, as in {@code https://x:y@proxy}. */
    private static final Pattern USER_INFO = Pattern.compile("(://)[^\\s/\"']+@");
    /** As in {@code "token": "x y"}, also within a quoted text, and {@code --client-secret=x}. */
    private static final Pattern NAMED = Pattern.compile(
            "((?:token|secret|pwd|[?&;]code|passw(?:or)?d(?:\\s+for\\s+[^\\s:=]+)?|passphrase|credential|cookie|api[_-]?key|access[_-]?key"
                    + "|authorization)\\w*\\\\?[\"']?\\s*[:=]\\s*)(?:(\\\\\")[^\"\\\\]++|(\")(?:\\\\.|[^\"\\\\])++|(')[^']++|(?:(?:bearer"
                    + "|basic)\\s+)?[^\\s\"',;&]+)",
            Pattern.CASE_INSENSITIVE);
    /** As in {@code Bearer x}, and {@code token x1y2z3}. */
    private static final Pattern SCHEME =
            Pattern.compile("\\b(bearer|basic|token(?=\\s+\\S*[0-9]))\\s+[^\\s\"',;]+", Pattern.CASE_INSENSITIVE);
    /** The beginning of a JSON web token; an access key of AWS; letters of both cases and digits; hexadecimal. */
    private static final Pattern MIXED = Pattern.compile("eyJ[\\w.+/=-]{8,}|\\bA[KS]IA[A-Z0-9]{8,}"
            + "|(?=[\\w+/=~.-]{0,400}[a-z])(?=[\\w+/=~.-]{0,400}[A-Z])(?=[\\w+/=~.-]{0,400}[0-9])[\\w+/=~.-]{20,}"
            + "|\\b[0-9a-fA-F]{24,}\\b");

    private RedactedStderr() {}

    /** @param configured values that may be secret */
    static String of(String said, List<String> configured) {
        String text = said;
        for (String value : configured.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList()) {
            text = value.length() < SHORTEST_SECRET ? text : text.replace(value, LEFT_OUT);
        }
        text = UNPRINTABLE.matcher(text).replaceAll(" ").strip();
        text = USER_INFO.matcher(text).replaceAll("$1" + LEFT_OUT + "@");
        text = NAMED.matcher(text).replaceAll("$1$2$3$4" + LEFT_OUT);
        text = SCHEME.matcher(text).replaceAll("$1 " + LEFT_OUT);
        text = MIXED.matcher(text).replaceAll(LEFT_OUT);
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
    }
}
