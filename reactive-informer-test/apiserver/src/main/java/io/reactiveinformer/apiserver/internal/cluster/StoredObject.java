package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One version of one object. Immutable. Its bytes are created once and shared by all answers that contain it.
 *
 * @param namespace null for cluster-scoped types
 * @param fields the values of the type's selectable fields
 * @param awaited the finalizers that its deletion waits for; none if it is not being deleted
 * @param storedIn the version in which it is stored
 * @param stored the stored JSON after the part that differs by version, see {@link ObjectForm}. Shared: must not be modified
 * @param settled whether it was stored by the present definition, and so conforms to it
 */
@SuppressWarnings("ArrayRecordComponent") // equal only if they are the same bytes
public record StoredObject(ResourceDefinition type, @Nullable String namespace, String name, String uid, long version,
        Map<String, String> labels, Map<String, String> fields, List<Owner> owners, List<String> awaited, String storedIn, byte[] stored,
        boolean settled) {

    /** An owner reference. */
    public record Owner(String apiVersion, String kind, String name, String uid, boolean blocks) {}

    boolean isOwnedBy(String uid) {
        return owners.stream().anyMatch(owner -> owner.uid().equals(uid));
    }

    /**
     * The JSON after the part that differs by version, as shown in {@code version}. Mostly shared: must not be modified.
     *
     * @param shown the type of the request: the object's own, or one that has the same objects
     */
    public byte[] body(ResourceDefinition shown, String version) {
        return !EventForms.isLater(shown) && isShownAsStored(version) ? stored
                : ObjectForm.body(shown, ObjectForm.order(shown, tree(shown, version)));
    }

    String key() {
        return type.key(namespace, name);
    }

    /**
     * The object as shown in {@code version}: a new tree, which the caller may change.
     *
     * @param shown the type of the request: the object's own, or one that has the same objects
     */
    public ObjectNode tree(ResourceDefinition shown, String version) {
        ObjectNode tree = storedTree();
        return EventForms.isLater(shown) ? EventForms.later(tree)
                : !isShownAsStored(version) ? CustomSchema.read(type, tree, version)
                : tree.put("apiVersion", type.apiVersion(version));
    }

    boolean isShownAsStored(String version) {
        CustomType.Version custom = type.custom(version);
        return custom == null || settled && (type.conversion() == null ? custom.asStored() : version.equals(storedIn));
    }

    /** The same state at another version. */
    StoredObject atVersion(long other) {
        ObjectNode tree = storedTree();
        Json.child(tree, "metadata").put("resourceVersion", Long.toString(other));
        return ObjectForm.store(type, tree, settled);
    }

    /** The object in the type's preferred version: a new tree, which the caller may change. */
    public ObjectNode tree() {
        return tree(type, type.versions().isEmpty() ? type.storageVersion() : type.versions().get(0));
    }

    /** The object as it is stored, in the stored version. */
    ObjectNode storedTree() {
        return ObjectForm.tree(type, storedIn, stored);
    }

    /** The stored object, adapted to the present definition, to be stored anew. */
    ObjectNode settledTree() {
        ObjectNode tree = storedTree();
        if (!settled) {
            CustomSchema.settle(type, tree);
        }
        return tree;
    }

    @Override
    public String toString() {
        return type + " " + key() + " at " + version;
    }
}
