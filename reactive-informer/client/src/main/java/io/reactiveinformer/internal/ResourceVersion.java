package io.reactiveinformer.internal;

import org.jspecify.annotations.Nullable;

/**
 * Compares resourceVersions, the positions in the server's history: as decimal numbers of any length. A version that is not such a number
 * equals itself and is otherwise unordered: neither newer nor older than any other.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions">Kubernetes API concepts: resource
 *     versions</a>
 */
public final class ResourceVersion {

    /** Requests any state that the server has cached, however old. Sent in a request, never stored. */
    public static final String ANY = "0";

    /**
     * The maximum length of a version, in characters: etcd's have nineteen digits, and servers that serve the objects of many others put
     * the versions of all into one. A longer text is no version; it would be in each message and in the next request.
     */
    public static final int LONGEST = 1024;

    private ResourceVersion() {}

    /** Whether a server may have sent {@code version}; null is what it has not sent. */
    public static boolean isSent(@Nullable String version) {
        return version != null && !version.isEmpty() && !version.equals(ANY);
    }

    /**
     * Returns {@code version}.
     *
     * @throws IllegalArgumentException if a server cannot have sent it
     */
    public static String requireSent(String version) {
        if (!isSent(version)) {
            throw new IllegalArgumentException("resourceVersion must be one that the server sent, was \"" + version + "\"");
        }
        return version;
    }

    /** Whether {@code one} is known to come after {@code other}; false if either is null or not a number. */
    public static boolean isNewer(@Nullable String one, @Nullable String other) {
        return one != null && other != null && isNumber(one) && isNumber(other) && compareNumbers(one, other) > 0;
    }

    /** Whether {@code one} is known to be at or before {@code other}: equal, or both numbers and not larger; false if either is null. */
    public static boolean isAtMost(@Nullable String one, @Nullable String other) {
        return one != null && other != null && (one.equals(other) || isNumber(one) && isNumber(other) && compareNumbers(one, other) <= 0);
    }

    /** The newer of the two; if they cannot be compared, {@code held}, or {@code candidate} if {@code held} is null. */
    public static @Nullable String newest(@Nullable String held, @Nullable String candidate) {
        return held == null || isNewer(candidate, held) ? candidate : held;
    }

    private static int compareNumbers(String one, String other) {
        int byLength = Integer.compare(one.length(), other.length());
        return byLength != 0 ? byLength : one.compareTo(other);
    }

    /** Whether {@code version} is a decimal number without leading zeros, so that length and text order it. */
    public static boolean isNumber(String version) {
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
