package io.reactiveinformer.resource;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A type of objects on the server, and the class that its objects are decoded to. Informers of equal types may share one cache. Immutable.
 *
 * @param <T> the objects
 * @param group the API group; empty for the core group
 * @param version the version of the API, such as {@code v1}
 * @param plural the lower-case plural in the URL, such as {@code pods}
 * @param kind the kind, as in {@code kind: Pod}; null if it is unknown. Writes and owner routes need it
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
        /** The metadata only; the server sends no more. */
        METADATA,
        /** The properties that a class of the user names; the rest is skipped when an object is decoded. Such objects cannot be written. */
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
     * @throws IllegalArgumentException if no resource is known for the class; use the method that takes group, version and plural then
     */
    public static <T> ResourceType<T> of(Class<T> modelClass) {
        ModelTypes.Entry entry = ModelTypes.entry(modelClass);
        return new ResourceType<>(entry.group(), entry.version(), entry.plural(), entry.kind(), entry.scope(), Form.TYPED, modelClass);
    }

    /**
     * A custom resource with a class or record of the user. Objects are read and written as a whole. The kind is the simple name of the
     * class, {@code Website} for {@code Website.class}, and that of a model class has no version: {@code Pod} for {@code V1Pod.class}. If
     * the server has another one, say so by {@link #kind(String, Scope)}. With {@link JsonNode} or {@link PartialObjectMetadata} as the
     * class, as {@link #dynamic} or {@link #metadata}.
     *
     * @throws IllegalArgumentException if {@code version} or {@code plural} is empty
     */
    public static <T> ResourceType<T> of(String group, String version, String plural, Scope scope, Class<T> objectClass) {
        Form form = objectClass == JsonNode.class ? Form.DYNAMIC
                : objectClass == PartialObjectMetadata.class ? Form.METADATA : Form.TYPED;
        String kind = form == Form.TYPED ? ModelTypes.kind(objectClass) : null;
        return new ResourceType<>(group, version, plural, kind, scope, form, objectClass);
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

    /** Whether {@code client-java-api} has a model class for this group and plural, in any version: it is built into Kubernetes. */
    public boolean hasModel() {
        return ModelTypes.scope(group, plural).isPresent();
    }

    /**
     * The same resource, reduced to the properties that {@code projection} names; the rest is skipped when an object is decoded.
     *
     * <pre>{@code
     * record PodSummary(@FieldPath("spec.nodeName") String node, @FieldPath("status.phase") String phase) {}
     * }</pre>
     * A component without a {@link FieldPath} is the top-level property of its name, so that a record can also mirror the object's shape:
     * {@code record Pod(V1ObjectMeta metadata, Status status)} with {@code record Status(String phase)}. A component may have any type that
     * Jackson reads: strings, numbers, lists, maps, records, model classes. A property that an object does not have is null, 0, false, or
     * an empty list or map. Of {@link PartialObjectMetadata}, the server sends the metadata only, as with {@link #metadata}.
     *
     * @param projection a record, or a class that Jackson can read
     */
    public <R> ResourceType<R> as(Class<R> projection) {
        Form projected = projection == PartialObjectMetadata.class ? Form.METADATA : Form.PROJECTED;
        return new ResourceType<>(group, version, plural, kind, scope, projected, projection);
    }

    /** A copy with this kind and scope, for a type that does not know them. */
    public ResourceType<T> kind(String kind, Scope scope) {
        return new ResourceType<>(group, version, plural, kind, scope, form, objectClass);
    }

    /** Whether {@link #scope()} is {@link Scope#NAMESPACED}. For a type without a kind this is only assumed. */
    public boolean namespaced() {
        return scope == Scope.NAMESPACED;
    }

    /** The scope; null if it is only assumed, as for a custom resource without a kind. */
    private @Nullable Scope knownReach() {
        return kind != null ? scope : ModelTypes.scope(group, plural).orElse(null);
    }

    /** Describes this type in {@code part}, for messages: {@code pods.v1 in namespace prod}, {@code nodes.v1}. */
    public String in(Namespaces part) {
        return part.isAll() && knownReach() == Scope.CLUSTER ? toString() : this + " in " + part;
    }

    /**
     * Rejects a key that cannot be one of this type, before a request is sent: the server would look for another object.
     *
     * @throws IllegalArgumentException if this type is namespaced and {@code key} has no namespace, or if it is cluster-scoped and
     *     {@code key} has one
     */
    public void requireKey(ObjectKey key) {
        Scope known = knownReach();
        if (known == Scope.NAMESPACED && key.namespace() == null) {
            throw new IllegalArgumentException(
                    this + " are namespaced, and the key " + key + " has no namespace; use ObjectKey.of(\"the-namespace\", \""
                            + key.name() + "\")");
        }
        if (known == Scope.CLUSTER && key.namespace() != null) {
            throw new IllegalArgumentException(
                    this + " are cluster-scoped, and the key " + key + " has a namespace; use ObjectKey.clusterScoped(\""
                            + key.name() + "\")");
        }
    }

    /**
     * Rejects a part with namespaces for a cluster-scoped type.
     *
     * @throws IllegalArgumentException if this type is cluster-scoped and {@code part} is not {@link Namespaces#all}
     */
    public void requirePart(Namespaces part) {
        if (knownReach() == Scope.CLUSTER && !part.isAll()) {
            throw new IllegalArgumentException(this + " are cluster-scoped, and were requested in " + part + "; use Namespaces.all()");
        }
    }

    /**
     * Requires a namespace for a namespaced type, and none for a cluster-scoped one.
     *
     * @throws IllegalArgumentException as {@link #requirePart}, and if this type is namespaced and {@code part} is {@link Namespaces#all}
     */
    public void requireNamespace(Namespaces part) {
        requirePart(part);
        if (knownReach() == Scope.NAMESPACED && part.isAll()) {
            throw new IllegalArgumentException(this + " are namespaced, and no namespace was given; use Namespaces.of(\"the-namespace\")");
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
