package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.CustomType;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/**
 * The columns of each type: those that the real server has, with cells as {@code cells.txt} says. Types without columns of their own have
 * a name and a creation time.
 */
final class Columns {

    private static final Map<String, List<Column>> BUILT_IN = read();

    private Columns() {}

    static List<Column> of(ResourceDefinition type, String version) {
        CustomType.Version custom = type.custom(version);
        if (custom != null) {
            return custom(custom);
        }
        return BUILT_IN.getOrDefault(type.qualified(), List.of(Column.named(), Column.createdAt()));
    }

    private static Map<String, List<Column>> read() {
        Map<String, String> cells = new HashMap<>();
        String type = "";
        String lines = new String(resource("cells.txt"), StandardCharsets.UTF_8);
        for (String line : lines.lines().filter(line -> !line.startsWith("#")).toList()) {
            String[] column = line.strip().split(" = ", 2);
            type = column.length == 1 ? column[0] : type;
            cells.put(type + "/" + column[0], column[column.length - 1]);
        }
        Map<String, List<Column>> columns = new HashMap<>();
        Json.read(resource("columns.json.gz")).properties().forEach(definitions -> columns.put(definitions.getKey(),
                definitions.getValue().valueStream().map(column -> column(column,
                        cells.get(definitions.getKey() + "/" + Json.text(column, "name")))).toList()));
        columns.put("events", EventColumns.COLUMNS);
        columns.put("events.events.k8s.io", EventColumns.COLUMNS);
        return columns;
    }

    private static Column column(JsonNode definition, @Nullable String cell) {
        String name = Json.text(definition, "name");
        BiFunction<JsonNode, Instant, JsonNode> cells = cell != null ? Cells.of(cell) : name.equals("Age") ? Column.age().cell()
                : name.equals("Created At") ? Column.createdAt().cell() : Cells.of(name.equals("Name") ? "{metadata.name}" : "");
        return new Column(name, Json.text(definition, "type"), Json.text(definition, "format"), Json.text(definition, "description"),
                definition.path("priority").asInt(0), cells);
    }

    /** A file beside this class; unpacked. */
    static byte[] resource(String name) {
        try (InputStream file = Objects.requireNonNull(Columns.class.getResourceAsStream(name), name)) {
            return (name.endsWith(".gz") ? new GZIPInputStream(file) : file).readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<Column> custom(CustomType.Version version) {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.named());
        if (version.columns().isEmpty()) {
            columns.add(Column.age());
        }
        version.columns().forEach(column -> columns.add(custom(column)));
        return columns;
    }

    private static Column custom(JsonNode column) {
        String path = Json.text(column, "jsonPath");
        String description = Json.text(column, "description");
        return new Column(Json.text(column, "name"), Json.text(column, "type"), Json.text(column, "format"),
                description.isEmpty() ? "Custom resource definition column (in JSONPath format): " + path : description,
                column.path("priority").asInt(0), (tree, now) -> {
                    JsonNode value = SimplePath.find(tree, path);
                    return value.isMissingNode() ? NullNode.instance
                            : Json.text(column, "type").equals("date") ? Column.string(Ages.since(value.asString(), now)) : value;
                });
    }
}
