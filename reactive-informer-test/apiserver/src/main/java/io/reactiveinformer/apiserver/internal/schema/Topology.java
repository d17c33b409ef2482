package io.reactiveinformer.apiserver.internal.schema;

import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Count;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.StringNode;

/**
 * The merge strategy of a value: an object merges field by field; a list merges item by item if its items have keys or are a set; any other
 * value is replaced as a whole. Of a built-in type it is in the table of messages; of a custom type it is said by
 * {@code x-kubernetes-list-type}, {@code x-kubernetes-list-map-keys} and {@code x-kubernetes-map-type}.
 *
 * @param isAtomic whether an object is one value, which is replaced as a whole; also true of built-in types without known fields, which
 *     have a JSON form of their own
 * @param isSet whether a list is a set of plain values
 * @param isAlwaysThere whether every object with this field has it, empty or not, so that no manager adds it; custom objects have only the
 *     fields that they were given
 * @param keys the fields that identify an item of a list, sorted; empty if there are none
 * @param mergeKey the field that identifies an item in strategic merge patches: empty for plain values, null if items do not merge
 * @param isReplacedByPatches whether an object is replaced by strategic merge patches, rather than merged
 * @param fields whether this is the name of a field of such objects, rather than a key of a map
 * @param parts the strategy of a field of an object, or of the value of a key of a map
 * @param items the strategy of each item of a list
 * @param defaults the default value of a key in an item of a list; missing if there is none
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy">Server-side apply: merge strategy</a>
 */
public record Topology(boolean isAtomic, boolean isSet, boolean isAlwaysThere, List<String> keys, @Nullable String mergeKey,
        boolean isReplacedByPatches, Predicate<String> fields, Function<String, Topology> parts, Supplier<Topology> items,
        Function<String, JsonNode> defaults) {

    static final String METADATA = "meta.k8s.io/v1.ObjectMeta";
    private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

    /** The strategy of whole objects of this type. One that is not built in merges as custom objects without a schema do. */
    public static Topology builtIn(String apiVersion, String kind) {
        String message = apiVersion + "." + kind;
        return Messages.builtIn().find(message).isPresent() ? of(message, true) : custom(MissingNode.getInstance());
    }

    /**
     * The strategy of whole objects with this schema.
     *
     * @param schema {@code openAPIV3Schema}; missing if there is none, then objects merge and lists do not
     */
    public static Topology custom(JsonNode schema) {
        return of(schema, true);
    }

    private static Topology of(String message, boolean alwaysThere) {
        return of(new Field(0, "", Count.ONE, message, false, false, Map.of()), alwaysThere);
    }

    private static Topology of(Field field, boolean alwaysThere) {
        Map<String, Field> fields = Messages.builtIn().inJson(field.type());
        Map<String, List<String>> marks = field.marks();
        boolean isObject = field.count() == Count.ONE;
        boolean isWhole = isObject && (Messages.builtIn().isAtomic(field.type()) || fields.isEmpty());
        return new Topology(marks.containsKey("atomic") || isWhole && !marks.containsKey("granular"), marks.containsKey("set"), alwaysThere,
                marks.getOrDefault("keys", List.of()), marks.containsKey("merge") ? String.join("", marks.get("merge")) : null,
                marks.containsKey("replace"), name -> isObject && fields.containsKey(name),
                name -> field.count() == Count.MAP ? of(field.type(), false) : part(fields.get(name)), () -> of(field.type(), false),
                key -> Optional.ofNullable(fields.get(key)).map(one -> one.marks().get("default"))
                        .<JsonNode>map(words -> StringNode.valueOf(words.get(0))).orElse(MissingNode.getInstance()));
    }

    private static Topology part(@Nullable Field field) {
        return field == null ? of(MissingNode.getInstance(), false) : of(field, !field.pointer() && (!field.omitEmpty() || field.type().endsWith("Time")));
    }

    private static Topology of(JsonNode schema, boolean isRoot) {
        boolean isWhole = isRoot || schema.path("x-kubernetes-embedded-resource").asBoolean(false);
        String list = schema.path("x-kubernetes-list-type").asString("");
        JsonNode properties = schema.path("properties");
        return new Topology(schema.path("x-kubernetes-map-type").asString("").equals("atomic"), list.equals("set"), false,
                !list.equals("map") ? List.of()
                        : schema.path("x-kubernetes-list-map-keys").valueStream().map(JsonNode::asString).sorted().toList(),
                null, false, name -> properties.has(name) || isWhole && OF_EVERY_OBJECT.contains(name),
                name -> name.equals("metadata") && isWhole ? of(METADATA, isRoot)
                        : of(properties.has(name) ? properties.path(name) : schema.path("additionalProperties"), false),
                () -> of(schema.path("items"), false),
                key -> schema.path("items").path("properties").path(key).path("default"));
    }

    public Topology field(String name) {
        return parts.apply(name);
    }

    public boolean hasField(String name) {
        return fields.test(name);
    }

    public Topology item() {
        return items.get();
    }

    public JsonNode defaultOf(String key) {
        return defaults.apply(key);
    }
}
