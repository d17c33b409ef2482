package io.reactiveinformer.apiserver.internal.schema;

import io.reactiveinformer.internal.protobuf.Messages;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * The merge strategy of a value: an object merges field by field; a list merges item by item if its items have keys or are a set; any other
 * value is replaced as a whole.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy">Server-side apply: merge strategy</a>
 */
public interface Topology {

    /** The strategy of whole objects of this type. One that is not built in merges as custom objects without a schema do. */
    static Topology builtIn(String apiVersion, String kind) {
        String message = apiVersion + "." + kind;
        return Messages.builtIn().find(message).isPresent() ? MessageTopology.of(message, true) : custom(MissingNode.getInstance());
    }

    /**
     * The strategy of whole objects with this schema.
     *
     * @param schema {@code openAPIV3Schema}; missing if there is none, then objects merge and lists do not
     */
    static Topology custom(JsonNode schema) {
        return SchemaTopology.of(schema);
    }

    /** The strategy of a field of an object, or of the value of a key of a map. */
    Topology field(String name);

    /** Whether {@code name} is a field of such objects, rather than a key of a map. */
    boolean hasField(String name);

    /** The strategy of each item of a list. */
    Topology item();

    /** Whether an object is one value, which is replaced as a whole. */
    boolean isAtomic();

    /** The fields that identify an item of a list, sorted; empty if there are none. */
    List<String> keys();

    /** The default value of a key in an item of a list; missing if there is none. */
    JsonNode defaultOf(String key);

    /** Whether a list is a set of plain values. */
    boolean isSet();

    /** Whether every object with this field has it, empty or not, so that no manager adds it. */
    boolean isAlwaysThere();

    /** Whether items of a list merge in strategic merge patches. */
    default boolean isMergedByPatches() {
        return false;
    }

    /** The field that identifies an item in strategic merge patches; empty for plain values. */
    default String patchMergeKey() {
        return "";
    }

    /** Whether an object is replaced by strategic merge patches, rather than merged. */
    default boolean isReplacedByPatches() {
        return false;
    }
}
