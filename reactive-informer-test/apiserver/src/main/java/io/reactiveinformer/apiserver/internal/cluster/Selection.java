package io.reactiveinformer.apiserver.internal.cluster;

import org.jspecify.annotations.Nullable;

/**
 * The objects of a type that a request selects.
 *
 * @param namespace null for all
 */
public record Selection(@Nullable String namespace, LabelSelector labels, FieldSelector fields, ShardRanges shards) {

    /** A selection without shards. */
    public Selection(@Nullable String namespace, LabelSelector labels, FieldSelector fields) {
        this(namespace, labels, fields, ShardRanges.ANY);
    }

    /** Selects all objects of all namespaces. */
    public static Selection all() {
        return new Selection(null, LabelSelector.ANY, FieldSelector.ANY);
    }

    /** Selects all objects of a namespace; null for all namespaces. */
    public static Selection namespace(@Nullable String namespace) {
        return new Selection(namespace, LabelSelector.ANY, FieldSelector.ANY);
    }

    /** Whether the object is selected. */
    public boolean matches(StoredObject object) {
        return (namespace == null || namespace.equals(object.namespace())) && labels.matches(object.labels()) && fields.matches(object)
                && shards.matches(object);
    }

    /** Whether it selects by labels, fields or shards. */
    public boolean isSelective() {
        return !labels.isAny() || !fields.isAny() || !shards.isAny();
    }
}
