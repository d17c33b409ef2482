package io.reactiveinformer.client;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Path and query of a request, encoded. */
final class ResourcePath {

    private final String path;
    private final List<String> query = new ArrayList<>();

    private ResourcePath(String path) {
        this.path = path;
    }

    static ResourcePath of(ResourceType<?> type, Namespaces part) {
        type.requirePart(part);
        return new ResourcePath(collection(type, part.single()));
    }

    static ResourcePath of(ResourceType<?> type, ObjectKey key) {
        type.requireKey(key);
        return new ResourcePath(collection(type, key.namespace()) + "/" + segment("name", key.name()));
    }

    /** A subresource; {@code name} may have slashes, as {@code proxy/metrics} has. */
    ResourcePath child(String name) {
        return new ResourcePath(path + "/" + Stream.of(name.split("/", -1)).map(part -> segment("subresource", part))
                .collect(Collectors.joining("/")));
    }

    private static String collection(ResourceType<?> type, @Nullable String namespace) {
        String root = type.group().isEmpty() ? "/api/" : "/apis/" + segment("group", type.group()) + "/";
        return root + segment("version", type.version())
                + (namespace == null || !type.namespaced() ? "" : "/namespaces/" + segment("namespace", namespace))
                + "/" + segment("plural", type.plural());
    }

    /** Encodes one segment of a path. Refuses a text that no object can have as its name: it would lead to another path. */
    private static String segment(String what, String text) {
        if (text.isEmpty() || text.equals(".") || text.equals("..") || text.indexOf('/') >= 0 || text.indexOf('%') >= 0) {
            throw new IllegalArgumentException("a " + what + " must not be empty, . or .., nor contain / or %; was \"" + text + "\"");
        }
        return encode(text).replace("+", "%20");
    }

    /** Adds a parameter, unless its value is null or empty. */
    ResourcePath with(String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            query.add(name + "=" + encode(value));
        }
        return this;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return query.isEmpty() ? path : path + "?" + String.join("&", query);
    }
}
