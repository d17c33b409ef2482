package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/**
 * How positions in the server's history compare: as decimal numbers of any length. A version that is not such a number equals itself and
 * is otherwise unordered: neither newer nor older than any.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions">Kubernetes API concepts: resource
 *     versions</a>
 */
public final class ResourceVersion {

    /** Any state that the server has at hand, however old. Sent in a request, never stored. */
    public static final String ANY = "0";

    /**
     * Most characters of a version: etcd's have nineteen digits. What is longer is no version; it would stand in each message and in the
     * next request.
     */
    public static final int LONGEST = 128;

    private ResourceVersion() {}

    /** Whether {@code one} is known to come after {@code other}; false where either is missing or not a number. */
    public static boolean isNewer(@Nullable String one, @Nullable String other) {
        return one != null && other != null && isNumber(one) && isNumber(other) && compareNumbers(one, other) > 0;
    }

    /** Whether {@code one} is known to be at or before {@code other}: equal, or both numbers and not larger. */
    public static boolean isAtMost(@Nullable String one, @Nullable String other) {
        return one != null && other != null && (one.equals(other) || isNumber(one) && isNumber(other) && compareNumbers(one, other) <= 0);
    }

    /** The newer of the two; {@code held} where they cannot be compared and it is present. */
    public static @Nullable String newest(@Nullable String held, @Nullable String candidate) {
        return held == null || isNewer(candidate, held) ? candidate : held;
    }

    private static int compareNumbers(String one, String other) {
        int byLength = Integer.compare(one.length(), other.length());
        return byLength != 0 ? byLength : one.compareTo(other);
    }

    /** A decimal number without leading zeros, so that length and text order it. */
    private static boolean isNumber(String version) {
        if (version.isEmpty() || version.length() > 1 && version.charAt(0) == '0') {
            return false;
        }
        for (int i = 0; i < version.length(); i++) {
            if (version.charAt(i) < '0' || version.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
