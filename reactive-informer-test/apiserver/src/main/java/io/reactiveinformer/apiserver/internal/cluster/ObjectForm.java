package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.GoForm;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
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

    static StoredObject store(ResourceDefinition type, ObjectNode tree, boolean settled) {
        ObjectNode ordered = order(type, tree);
        JsonNode metadata = ordered.path("metadata");
        String namespace = Json.text(metadata, "namespace");
        String version = Json.text(ordered, "apiVersion").replaceFirst(".*/", "");
        String resourceVersion = Json.text(metadata, "resourceVersion");
        return new StoredObject(
                type,
                namespace.isEmpty() ? null : namespace,
                Json.text(metadata, "name"),
                Json.text(metadata, "uid"),
                resourceVersion.matches("[0-9]{1,18}") ? Long.parseLong(resourceVersion) : 0, // a dry run keeps what was sent
                labels(metadata.path("labels")),
                fields(type, ordered),
                owners(metadata.path("ownerReferences")),
                metadata.has("deletionTimestamp") ? BuiltInTypes.strings(metadata.path("finalizers")) : List.of(),
                type.conversion() == null || version.isEmpty() ? type.storageVersion() : version,
                body(type, ordered),
                settled);
    }

    static byte[] body(ResourceDefinition type, ObjectNode ordered) {
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

    /** Converts an object to the stored version, see {@link CustomSchema#convert}; events are stored in one form. */
    static ObjectNode toStorage(ResourceDefinition type, ObjectNode tree) {
        return EventForms.isCore(type) || EventForms.isLater(type) ? EventForms.core(tree)
                : CustomSchema.convert(type, tree, type.storageVersion());
    }

    /** A copy of the object in another version of its type. */
    public static ObjectNode inVersion(ResourceDefinition type, ObjectNode tree, String version) {
        return CustomSchema.convert(type, tree, version).deepCopy().put("apiVersion", type.apiVersion(version));
    }

    static ObjectNode tree(ResourceDefinition type, String version, byte[] body) {
        var json = new ByteArrayOutputStream(body.length + 64);
        json.writeBytes(head(type, version));
        json.writeBytes(body);
        return (ObjectNode) Json.read(json.toByteArray());
    }

    /** A copy of the object as the server stores it: its fields in order, its values in the one form that the server writes. */
    public static ObjectNode order(ResourceDefinition type, ObjectNode tree) {
        String apiVersion = Json.text(tree, "apiVersion");
        if (!type.isCustom() && GoForm.isKnown(apiVersion, type.kind())) {
            return GoForm.of(apiVersion, type.kind(), tree);
        }
        ObjectNode ordered = Json.object();
        if (!type.isCustom()) {
            Stream.of("kind", "apiVersion").filter(tree::has).forEach(name -> ordered.set(name, tree.path(name)));
        }
        tree.properties().forEach(field -> ordered.set(field.getKey(), field.getValue()));
        ordered.set("metadata", orderedMetadata(tree.path("metadata")));
        return type.isCustom() ? (ObjectNode) sorted(ordered) : ordered;
    }

    /** Metadata in the order of the Go structure; what is empty is left out, as the server does. */
    public static ObjectNode orderedMetadata(JsonNode metadata) {
        return metadata instanceof ObjectNode object ? GoForm.ofMetadata(object) : Json.object();
    }

    /** The same value with fields sorted by name at every depth. */
    static JsonNode sorted(JsonNode node) {
        if (node.isObject()) {
            ObjectNode sorted = Json.object();
            node.propertyStream().sorted(Map.Entry.comparingByKey()).forEach(field -> sorted.set(field.getKey(), sorted(field.getValue())));
            return sorted;
        }
        if (node.isArray()) {
            return Json.array().addAll(node.valueStream().map(ObjectForm::sorted).toList());
        }
        return node.isFloatingPointNumber() ? GoForm.number(node.asDouble()) : node;
    }

    private static List<StoredObject.Owner> owners(JsonNode references) {
        return references.valueStream().map(owner -> new StoredObject.Owner(Json.text(owner, "apiVersion"), Json.text(owner, "kind"),
                Json.text(owner, "name"), Json.text(owner, "uid"), owner.path("blockOwnerDeletion").asBoolean(false))).toList();
    }

    static Map<String, String> labels(JsonNode labels) {
        return labels.properties().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, label -> label.getValue().asString()));
    }

    private static Map<String, String> fields(ResourceDefinition type, JsonNode tree) {
        return type.selectableFields().stream()
                .collect(Collectors.toUnmodifiableMap(field -> field, field -> selected(type, tree, field)));
    }

    private static String selected(ResourceDefinition type, JsonNode tree, String field) {
        if (EventForms.isCore(type) && field.equals("source")) {
            return EventForms.source(tree);
        }
        return type.isCustom() ? Json.text(tree, field.split("\\.", -1))
                : BuiltInTypes.selected(field, Json.text(tree, BuiltInTypes.path(field).split("\\.", -1)));
    }

}
