package io.reactiveinformer.apiserver.internal.cluster;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of preference of the versions of a custom type:
 * {@code v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, v11alpha2, foo1, foo10}.
 *
 * @see <a
 * href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority">
 *     Version
 *     priority</a>
 */
final class VersionPriority {

    static final Comparator<String> PREFERRED_FIRST = Comparator.comparingInt(VersionPriority::stability)
            .thenComparing(Comparator.comparingLong((String version) -> number(version, 1)).reversed())
            .thenComparing(Comparator.comparingLong((String version) -> number(version, 3)).reversed())
            .thenComparing(Comparator.naturalOrder());

    private static final Pattern VERSION = Pattern.compile("v(\\d{1,18})(?:(alpha|beta)(\\d{1,18}))?");
    private static final int UNKNOWN = 3;

    private VersionPriority() {}

    private static int stability(String version) {
        Matcher matcher = VERSION.matcher(version);
        return !matcher.matches() ? UNKNOWN : matcher.group(2) == null ? 0 : matcher.group(2).equals("beta") ? 1 : 2;
    }

    private static long number(String version, int group) {
        Matcher matcher = VERSION.matcher(version);
        return matcher.matches() && matcher.group(group) != null ? Long.parseLong(matcher.group(group)) : 0;
    }
}
