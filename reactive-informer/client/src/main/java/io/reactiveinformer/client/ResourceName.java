package io.reactiveinformer.client;

import io.reactiveinformer.client.Catalogue.ServerResource;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A resource name as a person typed it: {@code pods}, {@code deployments.apps}, {@code widgets.v1.example.com}. A second segment that looks
 * like {@code v1} or {@code v2beta1} is a version.
 *
 * @param name plural, singular, short name or kind; in lower case
 * @param version null for the one that the server prefers
 * @param group null for any; the first that the server lists, the core group before all
 */
record ResourceName(String name, @Nullable String version, @Nullable String group) {

    private static final Pattern VERSION = Pattern.compile("v[0-9]+((alpha|beta)[0-9]+)?");

    static ResourceName parse(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split("\\.", 2);
        if (parts[0].isEmpty()) {
            throw new IllegalArgumentException("a resource is named like pods, deployments.apps or widgets.v1.example.com; was \""
                    + text + "\"");
        }
        if (parts.length == 1) {
            return new ResourceName(parts[0], null, null);
        }
        String[] rest = parts[1].split("\\.", 2);
        return VERSION.matcher(rest[0]).matches()
                ? new ResourceName(parts[0], rest[0], rest.length == 1 ? "" : rest[1])
                : new ResourceName(parts[0], null, parts[1]);
    }

    /** Whether resources of this group and version may be meant. */
    boolean allows(String otherGroup, @Nullable String otherVersion) {
        return (group == null || group.equals(otherGroup)) && (version == null || otherVersion == null || version.equals(otherVersion));
    }

    /** The best of those that fit; among equals the first. */
    Optional<ServerResource> among(Collection<ServerResource> resources) {
        return resources.stream()
                .filter(resource -> allows(resource.group(), resource.version()) && resource.rank(name) >= 0)
                .min(Comparator.comparingInt(resource -> resource.rank(name)));
    }
}
