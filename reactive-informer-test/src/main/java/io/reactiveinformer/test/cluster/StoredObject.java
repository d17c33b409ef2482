package io.reactiveinformer.test.cluster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One version of one object. Immutable; its bytes are made once and shared by every answer that carries it. */
public final class StoredObject {

    private final ResourceDefinition type;
    private final @Nullable String namespace;
    private final String name;
    private final String uid;
    private final long version;
    private final Map<String, String> labels;
    private final Map<String, String> fields;
    private final List<String> owners;
    private final List<String> awaited;
    private final byte[] body;

    StoredObject(
            ResourceDefinition type,
            @Nullable String namespace,
            String name,
            String uid,
            long version,
            Map<String, String> labels,
            Map<String, String> fields,
            List<String> owners,
            List<String> awaited,
            byte[] body) {
        this.type = type;
        this.namespace = namespace;
        this.name = name;
        this.uid = uid;
        this.version = version;
        this.labels = labels;
        this.fields = fields;
        this.owners = owners;
        this.awaited = awaited;
        this.body = body;
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

    /** The uids in its owner references. */
    List<String> owners() {
        return owners;
    }

    /** The finalizers that its deletion waits for; none if it is not being deleted. */
    List<String> awaited() {
        return awaited;
    }

    /** The JSON after the part that differs by served version, see {@link ObjectForm}. Shared: never to be written to. */
    public byte[] body() {
        return body;
    }

    String key() {
        return type.key(namespace, name);
    }

    /** A new tree, for the caller to change. */
    public ObjectNode tree(String servedVersion) {
        return ObjectForm.tree(this, servedVersion);
    }

    /** In the type's preferred version. */
    public ObjectNode tree() {
        return tree(type.versions().get(0));
    }

    @Override
    public String toString() {
        return type + " " + key() + " at " + version;
    }
}
