package io.reactiveinformer.apiserver.internal.schema;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * How a value merges with another: an object field by field, a list item by item, where the items are told apart by keys or are a set; or it is one
 * value, and replaced.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy">Server-side apply: merge strategy</a>
 */
public interface Topology {

    /** Of whole objects of a type. One that is neither built in nor has a schema merges as custom ones without a schema do. */
    static Topology builtIn(String apiVersion, String kind) {
        String message = apiVersion + "." + kind;
        return Messages.builtIn().find(message).isPresent() ? MessageTopology.of(message, true) : custom(MissingNode.getInstance());
    }

    /** @param schema {@code openAPIV3Schema}; missing if there is none, then objects merge and lists do not */
    static Topology custom(JsonNode schema) {
        return SchemaTopology.of(schema);
    }

    /** Of a field of an object, or of what is behind each key of a map. */
    Topology field(String name);

    /** Whether this is a field of such objects, rather than a key in a map. */
    boolean hasField(String name);

    /** Of each item of a list. */
    Topology item();

    /** Whether an object is one value. */
    boolean isAtomic();

    /** By which of its fields, sorted, an item of a list is told from the others; empty if it is not. */
    List<String> keys();

    /** What a key is in an item of a list that does not say; missing if that is nothing. */
    JsonNode defaultOf(String key);

    /** Whether a list is a set of plain values. */
    boolean isSet();

    /** Whether it is a part of each object that it is a field of, empty or not, so that nobody brings it in. */
    boolean isAlwaysThere();

    /** Whether items of a list merge in strategic merge patches. */
    default boolean isMergedByPatches() {
        return false;
    }

    /** By which of its fields an item is told from the others then; empty for plain values. */
    default String patchMergeKey() {
        return "";
    }

    /** Whether an object is replaced by strategic merge patches, rather than merged. */
    default boolean isReplacedByPatches() {
        return false;
    }
}
