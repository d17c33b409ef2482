package io.reactiveinformer.apiserver.internal.cluster;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The byte form of objects: a head, which has kind and served version, and a body, which is the same in every version:
 *
 * <pre>
 *   built-in   {"kind":"Pod","apiVersion":"v1",            "metadata":{…},"spec":{…}}
 *   custom     {"apiVersion":"example.com/v1"              ,"kind":"Widget","metadata":{…},"spec":{…}}
 *              head                                        body
 * </pre>
 *
 * Built-in types have their metadata in the order of the Go structure, and items of their lists have no kind and no apiVersion; custom ones
 * are sorted by name at every depth, and are the same everywhere.
 */
public final class ObjectForm {

    static final List<String> METADATA = List.of(
            "name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation",
            "creationTimestamp", "deletionTimestamp",
            "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers", "managedFields");
    static final List<String> OWNER_REFERENCE = List.of("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion");
    private static final double EXPONENT_FROM = 1e21;
    private static final byte[] BRACE = {'{'};

    private ObjectForm() {}

    /** The bytes before the body of an object in this version. */
    public static byte[] head(ResourceDefinition type, String version) {
        return Json.utf8(
                type.isCustom()
                        ? "{\"apiVersion\":\"" + type.apiVersion(version) + "\""
                        : "{\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.apiVersion(version) + "\",");
    }

    /** The bytes before the body of an item in a list. */
    public static byte[] itemHead(ResourceDefinition type, String version) {
        return type.isCustom() ? head(type, version) : BRACE.clone();
    }

    /** @param tree in the version in which objects are stored, pruned and with defaults as that requires */
    static StoredObject store(ResourceDefinition type, ObjectNode tree) {
        return store(type, tree, true);
    }

    /** An object that was stored by a definition that may have changed since. */
    static StoredObject stored(ResourceDefinition type, ObjectNode tree) {
        return store(type, tree, false);
    }

    /** The same object under a definition that has changed. */
    static StoredObject redefined(ResourceDefinition type, StoredObject object) {
        return store(type, object.storedTree(), false);
    }

    private static StoredObject store(ResourceDefinition type, ObjectNode tree, boolean settled) {
        ObjectNode ordered = order(type, tree);
        JsonNode metadata = ordered.path("metadata");
        String namespace = Json.text(metadata, "namespace");
        return new StoredObject(
                type,
                namespace.isEmpty() ? null : namespace,
                Json.text(metadata, "name"),
                Json.text(metadata, "uid"),
                Json.text(metadata, "resourceVersion").isEmpty() ? 0 : Long.parseLong(Json.text(metadata, "resourceVersion")),
                labels(metadata.path("labels")),
                fields(type, ordered),
                owners(metadata.path("ownerReferences")),
                metadata.has("deletionTimestamp") ? BuiltInTypes.strings(metadata.path("finalizers")) : List.of(),
                body(type, ordered),
                settled);
    }

    private static byte[] body(ResourceDefinition type, ObjectNode ordered) {
        ordered.remove("apiVersion");
        if (type.isCustom()) {
            byte[] json = Json.write(ordered);
            json[0] = ',';
            return json;
        }
        ordered.remove("kind");
        byte[] json = Json.write(ordered);
        return Arrays.copyOfRange(json, 1, json.length);
    }

    /** The same state at another version. */
    static StoredObject atVersion(StoredObject object, long version) {
        ObjectNode tree = object.storedTree();
        Json.child(tree, "metadata").put("resourceVersion", Long.toString(version));
        return store(object.type(), tree, object.settled());
    }

    static ObjectNode storedTree(StoredObject object) {
        return tree(object.type(), object.type().storageVersion(), object.stored());
    }

    static ObjectNode tree(StoredObject object, ResourceDefinition shown, String version) {
        ObjectNode tree = storedTree(object);
        if (EventForms.isLater(shown)) {
            return EventForms.later(tree);
        }
        if (!isShownAsStored(object, version)) {
            CustomSchema.read(object.type(), tree, version);
        }
        return tree.put("apiVersion", object.type().apiVersion(version));
    }

    static byte[] body(StoredObject object, ResourceDefinition shown, String version) {
        return !EventForms.isLater(shown) && isShownAsStored(object, version)
                ? object.stored()
                : body(shown, order(shown, tree(object, shown, version)));
    }

    /**
     * Converts an object to the stored version: only the {@code apiVersion} changes, and fields that the stored version does not know are
     * lost; events are stored in one form.
     */
    static ObjectNode toStorage(ResourceDefinition type, ObjectNode tree) {
        return EventForms.isCore(type) || EventForms.isLater(type) ? EventForms.core(tree) : CustomSchema.toStorage(type, tree);
    }

    private static boolean isShownAsStored(StoredObject object, String version) {
        CustomType.Version custom = object.type().custom(version);
        return custom == null || custom.asStored() && object.settled();
    }

    private static ObjectNode tree(ResourceDefinition type, String version, byte[] body) {
        var json = new ByteArrayOutputStream(body.length + 64);
        json.writeBytes(head(type, version));
        json.writeBytes(body);
        return (ObjectNode) Json.read(json.toByteArray());
    }

    /** The same object with its fields in the server's order. */
    public static ObjectNode order(ResourceDefinition type, ObjectNode tree) {
        if (type.isCustom()) {
            return (ObjectNode) sorted(tree);
        }
        ObjectNode ordered = Json.object();
        move("kind", tree, ordered);
        move("apiVersion", tree, ordered);
        ordered.set("metadata", orderedMetadata(tree.path("metadata")));
        tree.properties().forEach(field -> {
            if (!ordered.has(field.getKey()) && !field.getKey().equals("status")) {
                ordered.set(field.getKey(), field.getValue());
            }
        });
        move("status", tree, ordered);
        return ordered;
    }

    /** Metadata in the order of the Go structure; a map without entries is left out, as the server does. */
    public static ObjectNode orderedMetadata(JsonNode metadata) {
        ObjectNode ordered = Json.object();
        for (String name : METADATA) {
            JsonNode value = metadata.get(name);
            if (value != null && !value.isNull() && !(value.isContainer() && value.isEmpty())) {
                ordered.set(name, name.equals("labels") || name.equals("annotations") ? sorted(value) : value);
            }
        }
        return ordered;
    }

    private static void move(String name, ObjectNode from, ObjectNode to) {
        JsonNode value = from.get(name);
        if (value != null) {
            to.set(name, value);
        }
    }

    private static JsonNode sorted(JsonNode node) {
        if (node.isObject()) {
            ObjectNode sorted = Json.object();
            var byName = new TreeMap<String, JsonNode>();
            node.properties().forEach(field -> byName.put(field.getKey(), field.getValue()));
            byName.forEach((name, value) -> sorted.set(name, sorted(value)));
            return sorted;
        }
        if (node.isArray()) {
            var array = Json.array();
            node.forEach(item -> array.add(sorted(item)));
            return array;
        }
        return node.isFloatingPointNumber() ? number(node.asDouble()) : node;
    }

    /** A number of a custom object, as Go writes it: {@code 1.0} is returned as {@code 1}. */
    private static JsonNode number(double value) {
        boolean whole = value == Math.rint(value) && Math.abs(value) < EXPONENT_FROM && Math.abs(value) < Long.MAX_VALUE;
        return whole ? LongNode.valueOf((long) value) : DoubleNode.valueOf(value);
    }

    private static List<String> owners(JsonNode references) {
        return StreamSupport.stream(references.spliterator(), false).map(owner -> Json.text(owner, "uid")).toList();
    }

    private static Map<String, String> labels(JsonNode labels) {
        Map<String, String> map = new HashMap<>();
        labels.properties().forEach(label -> map.put(label.getKey(), label.getValue().asString()));
        return Map.copyOf(map);
    }

    private static Map<String, String> fields(ResourceDefinition type, JsonNode tree) {
        if (type.selectableFields().isEmpty()) {
            return Map.of();
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String field : type.selectableFields()) {
            values.put(field, selected(type, tree, field));
        }
        return Map.copyOf(values);
    }

    private static String selected(ResourceDefinition type, JsonNode tree, String field) {
        if (EventForms.isCore(type) && field.equals("source")) {
            return EventForms.source(tree);
        }
        return type.isCustom() ? fieldValue(tree, field) : BuiltInTypes.selected(field, fieldValue(tree, BuiltInTypes.path(field)));
    }

    private static String fieldValue(JsonNode tree, String field) {
        @Nullable JsonNode at = tree;
        for (String step : field.split("\\.", -1)) {
            at = at == null ? null : at.get(step);
        }
        return at == null || at.isContainer() || at.isNull() ? "" : at.asString();
    }
}
