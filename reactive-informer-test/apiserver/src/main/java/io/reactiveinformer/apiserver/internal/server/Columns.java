package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.CustomType;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.schema.Resources;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * The columns of each type: those that the real server has, with cells as {@code cells.txt} says. Types without columns of their own have
 * a name and a creation time.
 */
final class Columns {

    private static final Map<String, List<Column>> BUILT_IN = read();

    /** The definition of a column, and how its cells are filled. */
    record Column(ObjectNode definition, BiFunction<JsonNode, Instant, JsonNode> cell) {

        static Column of(JsonNode definition, BiFunction<JsonNode, Instant, JsonNode> cell) {
            ObjectNode ordered = Json.object();
            List.of("name", "type", "format", "description", "priority").forEach(field -> ordered.set(field, definition.path(field)));
            return new Column(ordered, cell);
        }
    }

    private Columns() {}

    static List<Column> of(ResourceDefinition type, String version) {
        CustomType.Version custom = type.custom(version);
        return custom == null ? BUILT_IN.getOrDefault(type.qualified(), builtIn("limitranges")) : custom(custom);
    }

    private static List<Column> builtIn(String type) {
        return Objects.requireNonNull(BUILT_IN.get(type));
    }

    private static Map<String, List<Column>> read() {
        Map<String, String> cells = new HashMap<>();
        String type = "";
        for (String line : Resources.text(Columns.class, "cells.txt").lines().filter(line -> !line.startsWith("#")).toList()) {
            String[] column = line.strip().split(" = ", 2);
            type = column.length == 1 ? column[0] : type;
            cells.put(type + "/" + column[0], column[column.length - 1]);
        }
        Map<String, List<Column>> columns = new HashMap<>();
        Json.read(resource("columns.json.gz")).properties().forEach(definitions ->
                columns.put(definitions.getKey(), definitions.getValue().valueStream().map(column -> {
                    String name = "/" + Json.text(column, "name");
                    return Column.of(column, Cells.of(cells.getOrDefault(definitions.getKey() + name, cells.getOrDefault("*" + name, ""))));
                }).toList()));
        return columns;
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
        List<Column> simple = builtIn("serviceaccounts");
        return version.columns().isEmpty() ? simple
                : Stream.concat(Stream.of(simple.get(0)), version.columns().valueStream().map(Columns::custom)).toList();
    }

    private static Column custom(JsonNode column) {
        String path = Json.text(column, "jsonPath");
        String description = Json.text(column, "description");
        ObjectNode definition = Json.object().put("name", Json.text(column, "name")).put("type", Json.text(column, "type"))
                .put("format", Json.text(column, "format")).put("description", description.isEmpty()
                        ? "Custom resource definition column (in JSONPath format): " + path : description)
                .put("priority", column.path("priority").asInt(0));
        return new Column(definition, (tree, now) -> {
            JsonNode value = SimplePath.find(tree, path);
            return value.isMissingNode() ? NullNode.instance
                    : Json.text(column, "type").equals("date") ? StringNode.valueOf(Ages.since(value.asString(), now)) : value;
        });
    }
}
