package io.reactiveinformer.apiserver.internal.schema;

import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The merge strategy of a value of a custom type, by {@code x-kubernetes-list-type}, {@code x-kubernetes-list-map-keys} and
 * {@code x-kubernetes-map-type}.
 *
 * @param schema missing if nothing is known
 * @param isRoot whether this is a whole object, whose metadata are known
 */
record SchemaTopology(JsonNode schema, boolean isRoot) implements Topology {

    private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

    static Topology of(JsonNode schema) {
        return new SchemaTopology(schema, true);
    }

    @Override
    public Topology field(String name) {
        if (name.equals("metadata") && isWholeObject()) {
            return MessageTopology.of(MessageTopology.METADATA, isRoot);
        }
        JsonNode property = schema.path("properties").path(name);
        return new SchemaTopology(property.isMissingNode() ? schema.path("additionalProperties") : property, false);
    }

    @Override
    public boolean hasField(String name) {
        return schema.path("properties").has(name) || isWholeObject() && OF_EVERY_OBJECT.contains(name);
    }

    private boolean isWholeObject() {
        return isRoot || schema.path("x-kubernetes-embedded-resource").asBoolean(false);
    }

    @Override
    public Topology item() {
        return new SchemaTopology(schema.path("items"), false);
    }

    @Override
    public boolean isAtomic() {
        return schema.path("x-kubernetes-map-type").asString("").equals("atomic");
    }

    @Override
    public List<String> keys() {
        return isList("map") ? schema.path("x-kubernetes-list-map-keys").valueStream().map(JsonNode::asString).sorted().toList()
                : List.of();
    }

    @Override
    public JsonNode defaultOf(String key) {
        return schema.path("items").path("properties").path(key).path("default");
    }

    @Override
    public boolean isSet() {
        return isList("set");
    }

    private boolean isList(String type) {
        return schema.path("x-kubernetes-list-type").asString("").equals(type);
    }

    /** Custom objects have only the fields that they were given. */
    @Override
    public boolean isAlwaysThere() {
        return false;
    }
}
