package io.reactiveinformer.apiserver.internal.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Which objects of a type a request is about.
 *
 * @param namespace null for all
 */
public record Selection(@Nullable String namespace, LabelSelector labels, FieldSelector fields, ShardRanges shards) {

    public Selection(@Nullable String namespace, LabelSelector labels, FieldSelector fields) {
        this(namespace, labels, fields, ShardRanges.ANY);
    }

    public static Selection all() {
        return new Selection(null, LabelSelector.ANY, FieldSelector.ANY);
    }

    public static Selection namespace(@Nullable String namespace) {
        return new Selection(namespace, LabelSelector.ANY, FieldSelector.ANY);
    }

    public boolean matches(StoredObject object) {
        return (namespace == null || namespace.equals(object.namespace())) && labels.matches(object.labels()) && fields.matches(object)
                && shards.matches(object);
    }

    /** Whether it asks for labels, fields or shards. */
    public boolean isSelective() {
        return !labels.isAny() || !fields.isAny() || !shards.isAny();
    }
}
