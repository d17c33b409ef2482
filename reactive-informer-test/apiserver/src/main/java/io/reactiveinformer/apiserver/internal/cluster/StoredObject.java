package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One version of one object. Immutable. Its bytes are created once and shared by all answers that contain it. */
public final class StoredObject {

    private final ResourceDefinition type;
    private final @Nullable String namespace;
    private final String name;
    private final String uid;
    private final long version;
    private final Map<String, String> labels;
    private final Map<String, String> fields;
    private final List<Owner> owners;
    private final List<String> awaited;
    private final String storedIn;
    private final byte[] body;
    private final boolean settled;

    StoredObject(
            ResourceDefinition type,
            @Nullable String namespace,
            String name,
            String uid,
            long version,
            Map<String, String> labels,
            Map<String, String> fields,
            List<Owner> owners,
            List<String> awaited,
            String storedIn,
            byte[] body,
            boolean settled) {
        this.type = type;
        this.namespace = namespace;
        this.name = name;
        this.uid = uid;
        this.version = version;
        this.labels = labels;
        this.fields = fields;
        this.owners = owners;
        this.awaited = awaited;
        this.storedIn = storedIn;
        this.body = body;
        this.settled = settled;
    }

    public ResourceDefinition type() {
        return type;
    }

    public @Nullable String namespace() {
        return namespace;
    }

    public String name() {
        return name;
    }

    public String uid() {
        return uid;
    }

    public long version() {
        return version;
    }

    Map<String, String> labels() {
        return labels;
    }

    /** The values of the type's selectable fields. */
    Map<String, String> fields() {
        return fields;
    }

    /** An owner reference. */
    record Owner(String apiVersion, String kind, String name, String uid, boolean blocks) {}

    /** Its owner references. */
    List<Owner> owners() {
        return owners;
    }

    boolean isOwnedBy(String uid) {
        return owners.stream().anyMatch(owner -> owner.uid().equals(uid));
    }

    /** The finalizers that its deletion waits for; none if it is not being deleted. */
    List<String> awaited() {
        return awaited;
    }

    /** The version in which it is stored. */
    String storedIn() {
        return storedIn;
    }

    /** Whether it was stored by the present definition, and so conforms to it. */
    boolean settled() {
        return settled;
    }

    /** The stored JSON after the part that differs by version, see {@link ObjectForm}. Shared: must not be modified. */
    byte[] stored() {
        return body;
    }

    /**
     * The JSON after the part that differs by version, as shown in {@code version}. Mostly shared: must not be modified.
     *
     * @param shown the type of the request: the object's own, or one that has the same objects
     */
    public byte[] body(ResourceDefinition shown, String version) {
        return ObjectForm.body(this, shown, version);
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
        return ObjectForm.tree(this, shown, version);
    }

    /** The object in the type's preferred version: a new tree, which the caller may change. */
    public ObjectNode tree() {
        return tree(type, type.versions().isEmpty() ? type.storageVersion() : type.versions().get(0));
    }

    /** The object as it is stored, in the stored version. */
    ObjectNode storedTree() {
        return ObjectForm.storedTree(this);
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
