package io.reactiveinformer.test.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** YAML, and so JSON too, as trees: one for each document. */
public final class YamlText {

    private YamlText() {}

    /** @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException if this is not YAML */
    public static List<JsonNode> read(String text) {
        List<JsonNode> documents = new ArrayList<>();
        for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
            if (document != null) {
                documents.add(tree(document));
            }
        }
        return documents;
    }

    private static JsonNode tree(@Nullable Object value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (value == null) {
            return nodes.nullNode();
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = nodes.objectNode();
            map.forEach((key, field) -> object.set(String.valueOf(key), tree(field)));
            return object;
        }
        if (value instanceof Iterable<?> items) {
            ArrayNode array = nodes.arrayNode();
            items.forEach(item -> array.add(tree(item)));
            return array;
        }
        if (value instanceof Boolean flag) {
            return nodes.booleanNode(flag);
        }
        if (value instanceof Integer number) {
            return nodes.numberNode(number);
        }
        if (value instanceof Long number) {
            return nodes.numberNode(number);
        }
        if (value instanceof Number number) {
            return nodes.numberNode(number.doubleValue());
        }
        return nodes.stringNode(value.toString());
    }
}
