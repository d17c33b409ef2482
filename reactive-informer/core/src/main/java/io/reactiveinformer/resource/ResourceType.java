package io.reactiveinformer.resource;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A type of object on the server, and the class that its objects are decoded to. Equal types may share one cache.
 *
 * @param group empty for the core group
 * @param version of the API, such as {@code v1}
 * @param plural the lower-case plural of the URL, such as {@code pods}
 * @param kind as in {@code kind: Pod}; null if it is not known; only writes need it
 * @param scope whether objects live in namespaces
 * @param form how much of an object is kept
 * @param objectClass the class that an object is decoded to
 */
public record ResourceType<T>(
        String group, String version, String plural, @Nullable String kind, Scope scope, Form form, Class<T> objectClass) {

    /** Whether objects of a type live in namespaces. Kubernetes calls this the scope of a resource. */
    public enum Scope {
        /** Each object is in a namespace. */
        NAMESPACED,
        /** Objects have no namespace. */
        CLUSTER
    }

    /** How much of an object is kept. */
    public enum Form {
        /** The whole object, as a model class or a class of the user. */
        TYPED,
        /** The whole object, as a JSON tree. */
        DYNAMIC,
        /** The metadata only; the server is asked to leave out the rest. */
        METADATA,
        /** The properties that a class of the user names; the rest is skipped on reading. Such objects cannot be written. */
        PROJECTED
    }

    /** @throws IllegalArgumentException if {@code version} or {@code plural} is empty */
    public ResourceType {
        if (version.isEmpty() || plural.isEmpty()) {
            throw new IllegalArgumentException(
                    "a resource type needs version and plural, such as v1 and pods; was version \""
                            + version + "\", plural \"" + plural + "\"");
        }
    }

    /**
     * The type of a model class of {@code client-java-api}.
     *
     * @throws IllegalArgumentException if no resource is known for the class; then use the method that takes group, version and plural
     */
    public static <T> ResourceType<T> of(Class<T> modelClass) {
        ModelTypes.Entry entry = ModelTypes.entry(modelClass);
        return new ResourceType<>(entry.group(), entry.version(), entry.plural(), entry.kind(), entry.scope(), Form.TYPED, modelClass);
    }

    /**
     * A custom resource with a class or record of the user. Objects are read and written as a whole. The simple name of the class is taken
     * as the kind.
     *
     * @throws IllegalArgumentException if {@code version} or {@code plural} is empty
     */
    public static <T> ResourceType<T> of(String group, String version, String plural, Scope scope, Class<T> objectClass) {
        return new ResourceType<>(group, version, plural, objectClass.getSimpleName(), scope, Form.TYPED, objectClass);
    }

    /**
     * Any resource, decoded to JSON trees. The kind is unknown, and the scope is assumed to be namespaced; see {@link #kind(String,
     * Scope)}.
     *
     * @throws IllegalArgumentException if {@code version} or {@code plural} is empty
     */
    public static ResourceType<JsonNode> dynamic(String group, String version, String plural) {
        return new ResourceType<>(group, version, plural, null, Scope.NAMESPACED, Form.DYNAMIC, JsonNode.class);
    }

    /**
     * Any resource, of which only the metadata is requested. The kind is unknown, and the scope is assumed to be namespaced; see
     * {@link #kind(String, Scope)}.
     *
     * @throws IllegalArgumentException if {@code version} or {@code plural} is empty
     */
    public static ResourceType<PartialObjectMetadata> metadata(String group, String version, String plural) {
        return new ResourceType<>(group, version, plural, null, Scope.NAMESPACED, Form.METADATA, PartialObjectMetadata.class);
    }

    /**
     * The type of the model class for these coordinates; empty if {@code client-java-api} has none.
     *
     * @param version null for the version that servers prefer
     */
    public static Optional<ResourceType<?>> find(String group, @Nullable String version, String plural) {
        return ModelTypes.find(group, version, plural);
    }

    /**
     * The same resource, but only the properties that {@code projection} names are kept; the rest is skipped on reading.
     *
     * <pre>{@code
     * record PodSummary(@FieldPath("spec.nodeName") String node, @FieldPath("status.phase") String phase) {}
     * }</pre>
     * A component without a {@link FieldPath} is the top-level property of its name, so that a record can also mirror the object's shape:
     * {@code record Pod(V1ObjectMeta metadata, Status status)} with {@code record Status(String phase)}. A component may have any type that
     * Jackson reads: strings, numbers, lists, maps, records, model classes. A property that an object does not have is null, 0, false, or
     * an empty list or map.
     *
     * @param projection a record, or a class that Jackson can read
     */
    public <R> ResourceType<R> as(Class<R> projection) {
        return new ResourceType<>(group, version, plural, kind, scope, Form.PROJECTED, projection);
    }

    /** The same resource with another kind and scope, as known from discovery or by the user. */
    public ResourceType<T> kind(String kind, Scope scope) {
        return new ResourceType<>(group, version, plural, kind, scope, form, objectClass);
    }

    /** Whether objects live in namespaces: {@link #scope()} is {@link Scope#NAMESPACED}. Only assumed for a type without a kind. */
    public boolean namespaced() {
        return scope == Scope.NAMESPACED;
    }

    /** The scope; null if it is only assumed: for a custom resource without a kind. Only the server knows it then. */
    private @Nullable Scope knownReach() {
        return kind != null ? scope : find(group, null, plural).<@Nullable Scope>map(ResourceType::scope).orElse(null);
    }

    /** A text for messages about a list or watch of this type in {@code part}: {@code pods.v1 in namespace prod}, but {@code nodes.v1}. */
    public String in(Namespaces part) {
        return part.isAll() && knownReach() == Scope.CLUSTER ? toString() : this + " in " + part;
    }

    /**
     * Rejects a key that can only be a mistake, before a request is sent: the server would look for another object, and not find it.
     *
     * @throws IllegalArgumentException if objects of this type live in namespaces and {@code key} has none, or the other way round
     */
    public void requireKey(ObjectKey key) {
        Scope known = knownReach();
        if (known == Scope.NAMESPACED && key.namespace() == null) {
            throw new IllegalArgumentException(
                    this + " live in namespaces, and the key " + key + " has none; say ObjectKey.of(\"the-namespace\", \""
                            + key.name() + "\")");
        }
        if (known == Scope.CLUSTER && key.namespace() != null) {
            throw new IllegalArgumentException(
                    this + " have no namespaces, and the key " + key + " has one; say ObjectKey.clusterScoped(\"" + key.name() + "\")");
        }
    }

    /**
     * Rejects a part with namespaces for a cluster-scoped type.
     *
     * @throws IllegalArgumentException if objects of this type live in no namespace and {@code part} names some
     */
    public void requirePart(Namespaces part) {
        if (knownReach() == Scope.CLUSTER && !part.isAll()) {
            throw new IllegalArgumentException(this + " have no namespaces, and " + part + " was asked for; say Namespaces.all()");
        }
    }

    /**
     * Requires a namespace for a namespaced type, and none for a cluster-scoped one.
     *
     * @throws IllegalArgumentException as {@link #requirePart}, and if objects of this type live in namespaces and {@code part} names none
     */
    public void requireNamespace(Namespaces part) {
        requirePart(part);
        if (knownReach() == Scope.NAMESPACED && part.isAll()) {
            throw new IllegalArgumentException(this + " live in namespaces, and none was named; say Namespaces.of(\"the-namespace\")");
        }
    }

    /** The {@code apiVersion} of an object: {@code apps/v1}, or {@code v1} for the core group. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** {@code pods.v1}, {@code deployments.v1.apps}. */
    @Override
    public String toString() {
        return plural + "." + version + (group.isEmpty() ? "" : "." + group);
    }
}
