package io.reactiveinformer.apiserver.internal.validation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rules of names, labels and keys. Each function returns the server's messages, none for a valid text.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/names/">Object names and IDs</a>
 */
public final class Names {

    private static final String ENDS = ", and must start and end with an alphanumeric character";
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Form DNS_LABEL = new Form(LABEL, "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or"
            + " '-'" + ENDS, "my-name", "123-abc");
    private static final Form OLD_LABEL = new Form("[a-z]([-a-z0-9]*[a-z0-9])?", "a DNS-1035 label must consist of lower case alphanumeric"
            + " characters or '-', start with an alphabetic character, and end with an alphanumeric character", "my-name", "abc-123");
    private static final Form SUBDOMAIN = new Form(LABEL + "(\\." + LABEL + ")*", "a lowercase RFC 1123 subdomain must consist of"
            + " lower case alphanumeric characters, '-' or '.'" + ENDS, "example.com");
    private static final Form WILDCARD = new Form("\\*\\." + LABEL + "(\\." + LABEL + ")*", "a wildcard DNS-1123 subdomain must start with"
            + " '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with"
            + " an alphanumeric character", "*.example.com");
    private static final Form KEY = new Form("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]", "must consist of alphanumeric characters, '-', '_'"
            + " or '.'" + ENDS, "MyName", "my.name", "123-abc");
    private static final Form LABEL_VALUE = new Form("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?", "a valid label must be an empty string"
            + " or consist of alphanumeric characters, '-', '_' or '.'" + ENDS, "MyValue", "my_value", "12345");
    private static final Form CONFIG_KEY = new Form("[-._a-zA-Z0-9]+", "a valid config key must consist of alphanumeric characters, '-',"
            + " '_' or '.'", "key.name", "KEY_NAME", "key-name");
    private static final Pattern IP = Pattern.compile(
            "(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}|[0-9a-fA-F.]*:[0-9a-fA-F:.]*");
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_SUBDOMAIN = 253;
    private static final int LONGEST_PORT_NAME = 15;
    private static final int LAST_PORT = 65_535;

    /** A regular expression with the message for texts that do not match, which ends with examples. */
    private record Form(Pattern pattern, String message) {
        Form(String regex, String words, String... examples) {
            this(Pattern.compile(regex), words + " (e.g. '" + String.join("',  or '", examples)
                    + "', regex used for validation is '"
                    + regex + "')");
        }

        /** @param unit in which the server counts the length */
        List<String> problems(String text, int longest, String unit) {
            return problems(text.getBytes(StandardCharsets.UTF_8).length > longest, "must be no more than " + longest + " " + unit,
                    pattern.matcher(text).matches() ? "" : message);
        }

        private static List<String> problems(boolean tooLong, String length, String form) {
            return Stream.of(tooLong ? length : "", form).filter(each -> !each.isEmpty()).toList();
        }
    }

    private Names() {}

    /** A label of DNS, as most names are. */
    public static List<String> label(String name) {
        return name.contains(".") ? List.of("must not contain dots") : DNS_LABEL.problems(name, LONGEST_LABEL, "characters");
    }

    /** A label that begins with a letter. */
    public static List<String> oldLabel(String name) {
        return OLD_LABEL.problems(name, LONGEST_LABEL, "characters");
    }

    /** A name with dots. */
    public static List<String> subdomain(String name) {
        return SUBDOMAIN.problems(name, LONGEST_SUBDOMAIN, "characters");
    }

    /** A name with dots that may begin with an asterisk. */
    static List<String> host(String name) {
        return name.contains("*") ? WILDCARD.problems(name, LONGEST_SUBDOMAIN, "characters") : subdomain(name);
    }

    static List<String> configKey(String key) {
        return key.equals(".") || key.equals("..") ? List.of("must not be '" + key + "'")
                : key.startsWith("..") ? List.of("must not start with '..'") : CONFIG_KEY.problems(key, LONGEST_SUBDOMAIN, "characters");
    }

    /** Names that are part of a path, and may be anything else. */
    static List<String> pathSegment(String name) {
        return name.equals(".") || name.equals("..") ? List.of("may not be '" + name + "'")
                : Stream.of("/", "%").filter(name::contains).map(each -> "may not contain '" + each + "'").toList();
    }

    /** The value of a label. */
    public static List<String> labelValue(String value) {
        return LABEL_VALUE.problems(value, LONGEST_LABEL, "bytes");
    }

    /** The key of a label, of an annotation or of a resource. */
    public static List<String> key(String key) {
        String[] parts = key.split("/", -1);
        if (parts.length > 2) {
            return List.of("a valid label key " + KEY.message()
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        List<String> problems = new ArrayList<>();
        if (parts.length == 2) {
            (parts[0].isEmpty() ? List.of("must be non-empty") : SUBDOMAIN.problems(parts[0], LONGEST_SUBDOMAIN, "bytes"))
                    .forEach(problem -> problems.add("prefix part " + problem));
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            problems.add("name part must be non-empty");
        }
        KEY.problems(name, LONGEST_LABEL, "bytes").forEach(problem -> problems.add("name part " + problem));
        return problems;
    }

    static List<String> annotationKey(String key) {
        return key(key.toLowerCase(Locale.ROOT));
    }

    static List<String> portName(String name) {
        return Stream.of(
                name.length() > LONGEST_PORT_NAME ? "must be no more than 15 characters" : "",
                name.matches("[-a-z0-9]+") ? "" : "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
                name.matches(".*[a-z].*") ? "" : "must contain at least one letter (a-z)",
                name.contains("--") ? "must not contain consecutive hyphens" : "",
                name.startsWith("-") || name.endsWith("-") ? "must not begin or end with a hyphen" : "")
                .filter(each -> !each.isEmpty()).toList();
    }

    static List<String> address(String address) {
        return IP.matcher(address).matches() ? List.of() : List.of("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }

    /** A path with the name of its owner's domain. */
    static List<String> domainPath(String path) {
        int slash = path.indexOf('/');
        return slash > 0 && subdomain(path.substring(0, slash)).isEmpty()
                && path.substring(slash + 1).matches("[-A-Za-z0-9/._~%!$&'()*+,;=:]+")
                ? List.of() : List.of("must be a domain-prefixed path (such as \"acme.io/foo\")");
    }

    static List<String> absolutePath(String path) {
        return path.startsWith("/") ? List.of() : List.of("must be an absolute path");
    }

    /** A kind in any case. */
    static List<String> kind(String kind) {
        List<String> problems = oldLabel(kind.toLowerCase(Locale.ROOT));
        return problems.isEmpty() ? problems : List.of("may have mixed case, but should otherwise match: " + String.join(",", problems));
    }

    static List<String> groupVersion(String version) {
        String[] parts = version.split("/", -1);
        return parts.length > 2 ? List.of("unexpected GroupVersion string: " + version)
                : Stream.concat(parts[0].isEmpty() || parts.length == 1 ? Stream.of() : subdomain(parts[0]).stream(),
                        oldLabel(parts[parts.length - 1]).stream()).toList();
    }

    static List<String> port(long number) {
        return number < 1 || number > LAST_PORT ? List.of("must be between 1 and 65535, inclusive") : List.of();
    }

    static List<String> environment(String name) {
        return name.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '=') ? List.of()
                : List.of("a valid environment variable name must consist only of printable ASCII characters other than '='");
    }
}
