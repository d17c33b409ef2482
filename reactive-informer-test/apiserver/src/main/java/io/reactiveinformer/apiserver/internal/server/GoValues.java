package io.reactiveinformer.apiserver.internal.server;

import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Values as Go prints them in its messages. */
final class GoValues {

    private GoValues() {}

    /** As {@code %q} does. */
    static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    /** As {@code %+v} does: {@code map[spec:map[replicas:1]]}. */
    static String text(JsonNode value) {
        if (value.isObject()) {
            var sorted = new TreeMap<String, String>();
            value.properties().forEach(field -> sorted.put(field.getKey(), text(field.getValue())));
            return sorted.entrySet().stream().map(field -> field.getKey() + ":" + field.getValue())
                    .collect(Collectors.joining(" ", "map[", "]"));
        }
        if (value.isArray()) {
            return value.valueStream().map(GoValues::text).collect(Collectors.joining(" ", "[", "]"));
        }
        return value.isNull() ? "<nil>" : value.asString();
    }
}
