package io.reactiveinformer.demo;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A resource as a person writes it: {@code pods}, {@code deployments.apps}, {@code widgets.v1.example.com}. A second segment that looks
 * like
 * {@code v1} or {@code v2beta1} is a version.
 *
 * @param version null if none is written
 * @param group empty if none is written
 */
record ResourceName(String plural, @Nullable String version, String group) {

    private static final Pattern VERSION = Pattern.compile("v\\d+((alpha|beta)\\d+)?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*");

    /** @throws UsageException if it cannot be the name of a resource */
    static ResourceName parse(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new UsageException("'" + text + "' cannot be a resource; write it as pods, deployments.apps or widgets.v1.example.com");
        }
        String[] parts = text.split("\\.", 3);
        if (parts.length == 1) {
            return new ResourceName(parts[0], null, "");
        }
        if (VERSION.matcher(parts[1]).matches()) {
            return new ResourceName(parts[0], parts[1], parts.length == 3 ? parts[2] : "");
        }
        return new ResourceName(parts[0], null, text.substring(parts[0].length() + 1));
    }

    /** The name with version and group, as far as they are known. */
    @Override
    public String toString() {
        return plural + (version == null ? "" : "." + version) + (group.isEmpty() ? "" : "." + group);
    }
}
