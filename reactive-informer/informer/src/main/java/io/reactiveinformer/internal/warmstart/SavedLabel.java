package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.resource.Namespaces;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The header of a saved snapshot: what it is a snapshot of, and its versions. Written as lines, so that a person can read it.
 *
 * @param of the properties that must be equal to use it: server, type, namespaces, selector, shape of the objects
 * @param at when the snapshot was current
 * @param versions the version up to which each part is complete
 */
record SavedLabel(Map<String, String> of, Instant at, Map<Namespaces, String> versions) {

    private static final String AT = "at";
    private static final String PART = "complete";
    private static final String EVERYWHERE = "*";

    String text() {
        var text = new StringBuilder();
        of.forEach((name, value) -> line(text, name, value));
        line(text, AT, at.toString());
        versions.forEach((part, version) -> line(text, PART, (part.isAll() ? EVERYWHERE : part.single()) + " " + version));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name).append(": ").append(value.replace('\n', ' ')).append('\n');
    }

    /** @throws RuntimeException if {@code text} is not a header */
    static SavedLabel parse(String text) {
        Map<String, String> of = new LinkedHashMap<>();
        Map<Namespaces, String> versions = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            int colon = line.indexOf(": ");
            String name = line.substring(0, colon);
            String value = line.substring(colon + 2);
            if (name.equals(PART)) {
                int blank = value.indexOf(' ');
                String part = value.substring(0, blank);
                versions.put(part.equals(EVERYWHERE) ? Namespaces.all() : Namespaces.of(part), value.substring(blank + 1));
            } else {
                of.put(name, value);
            }
        }
        Instant at = Instant.parse(Objects.requireNonNull(of.remove(AT), AT));
        return new SavedLabel(of, at, versions);
    }

    /** Describes the differences between {@link #of} and {@code wanted}; empty if there are none. */
    String differenceTo(Map<String, String> wanted) {
        var differences = new StringBuilder();
        wanted.forEach((name, value) -> {
            String own = of.getOrDefault(name, "unknown");
            if (!own.equals(value)) {
                differences.append(differences.isEmpty() ? "" : "; ").append("its ").append(name).append(" is \"").append(own)
                        .append("\", ours is \"").append(value).append('"');
            }
        });
        return differences.toString();
    }
}
