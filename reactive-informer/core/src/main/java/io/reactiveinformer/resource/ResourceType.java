package io.reactiveinformer.resource;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A type of object on the server, and what its objects become here. Equal types may share one cache.
 *
 * @param group empty for the core group
 * @param version of the API, such as {@code v1}
 * @param plural lower-case plural as it stands in the URL, such as {@code pods}
 * @param kind as in {@code kind: Pod}; null where it is not known, which only writing needs
 * @param reach whether objects live in namespaces
 * @param form how much of an object is kept
 * @param objectClass what an object becomes
 */
public record ResourceType<T>(
        String group, String version, String plural, @Nullable String kind, Reach reach, Form form, Class<T> objectClass) {

    /** Whether objects of a type live in namespaces. */
    public enum Reach {
        NAMESPACED, CLUSTER
    }

    /** How much of an object is kept. */
    public enum Form {
        /** All of it, as a model class or a class of the user's. */
        TYPED,
        /** All of it, as a tree. */
        DYNAMIC,
        /** Its metadata only; the server is asked to leave out the rest. */
        METADATA,
        /** The properties that a class of the user's names; the rest is skipped on reading. Such objects cannot be written. */
        PROJECTED
    }

    public ResourceType {
        if (version.isEmpty() || plural.isEmpty()) {
            throw new IllegalArgumentException(
                    "a resource type needs version and plural, such as v1 and pods; was version \"" + version + "\", plural \"" + plural + "\"");
        }
    }

    /**
     * The type of a model class of {@code client-java-api}.
     *
     * @throws IllegalArgumentException if no resource is known for the class; then say group, version and plural
     */
    public static <T> ResourceType<T> of(Class<T> modelClass) {
        ModelTypes.Entry entry = ModelTypes.entry(modelClass);
        return new ResourceType<>(entry.group(), entry.version(), entry.plural(), entry.kind(), entry.reach(), Form.TYPED, modelClass);
    }

    /** A custom resource with a class or record of the user's: read whole, and written back as it is. The simple name of the class is the kind. */
    public static <T> ResourceType<T> of(String group, String version, String plural, Reach reach, Class<T> objectClass) {
        return new ResourceType<>(group, version, plural, objectClass.getSimpleName(), reach, Form.TYPED, objectClass);
    }

    /** Any resource, without a class for it. */
    public static ResourceType<JsonNode> dynamic(String group, String version, String plural) {
        return new ResourceType<>(group, version, plural, null, Reach.NAMESPACED, Form.DYNAMIC, JsonNode.class);
    }

    /** Any resource, of which only the metadata is of interest. */
    public static ResourceType<PartialObjectMetadata> metadata(String group, String version, String plural) {
        return new ResourceType<>(group, version, plural, null, Reach.NAMESPACED, Form.METADATA, PartialObjectMetadata.class);
    }

    /** The model class's type by its coordinates, if {@code client-java-api} has one. */
    public static Optional<ResourceType<?>> find(String group, @Nullable String version, String plural) {
        return ModelTypes.find(group, version, plural);
    }

    /**
     * The same resource, of which only the properties that {@code projection} names are kept; the rest is skipped on reading.
     *
     * <pre>{@code
     * record PodSummary(@FieldPath("spec.nodeName") String node, @FieldPath("status.phase") String phase) {}
     * }</pre>
     * A component without a {@link FieldPath} is the top-level property of its name, so that a record can also mirror the object's shape:
     * {@code record Pod(V1ObjectMeta metadata, Status status)} with {@code record Status(String phase)}. Types of components are what Jackson
     * reads: strings, numbers, lists, maps, records, model classes. What an object does not have is null, 0, false, or an empty list or map.
     *
     * @param projection a record, or a class that Jackson can read
     */
    public <R> ResourceType<R> as(Class<R> projection) {
        return new ResourceType<>(group, version, plural, kind, reach, Form.PROJECTED, projection);
    }

    /** The same, with what discovery or the user knows better. */
    public ResourceType<T> kind(String kind, Reach reach) {
        return new ResourceType<>(group, version, plural, kind, reach, form, objectClass);
    }

    public boolean namespaced() {
        return reach == Reach.NAMESPACED;
    }

    /** Null where nobody has said it, and it is only assumed: a custom resource without a kind. The server knows. */
    private @Nullable Reach knownReach() {
        return kind != null ? reach : find(group, null, plural).<@Nullable Reach>map(ResourceType::reach).orElse(null);
    }

    /** What a list or watch of this type in {@code part} is about, for messages: {@code pods.v1 in namespace prod}, but {@code nodes.v1}. */
    public String in(Scope part) {
        return part.isAll() && knownReach() == Reach.CLUSTER ? toString() : this + " in " + part;
    }

    /**
     * Refuses what can only be a mistake before it is sent: the server would look for another object, and not find it.
     *
     * @throws IllegalArgumentException if objects of this type live in namespaces and {@code key} has none, or the other way round
     */
    public void requireKey(ObjectKey key) {
        Reach known = knownReach();
        if (known == Reach.NAMESPACED && key.namespace() == null) {
            throw new IllegalArgumentException(
                    this + " live in namespaces, and the key " + key + " has none; say ObjectKey.of(\"the-namespace\", \"" + key.name() + "\")");
        }
        if (known == Reach.CLUSTER && key.namespace() != null) {
            throw new IllegalArgumentException(
                    this + " have no namespaces, and the key " + key + " has one; say ObjectKey.clusterScoped(\"" + key.name() + "\")");
        }
    }

    /** @throws IllegalArgumentException if objects of this type live in no namespace and {@code part} names some */
    public void requirePart(Scope part) {
        if (knownReach() == Reach.CLUSTER && !part.isAll()) {
            throw new IllegalArgumentException(this + " have no namespaces, and " + part + " was asked for; say Scope.all()");
        }
    }

    /** @throws IllegalArgumentException as {@link #requirePart}, and if objects of this type live in namespaces and {@code part} does not say in which */
    public void requireNamespace(Scope part) {
        requirePart(part);
        if (knownReach() == Reach.NAMESPACED && part.isAll()) {
            throw new IllegalArgumentException(this + " live in namespaces, and none was named; say Scope.namespace(\"the-namespace\")");
        }
    }

    /** As in {@code apiVersion: apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** {@code pods.v1}, {@code deployments.v1.apps}. */
    @Override
    public String toString() {
        return plural + "." + version + (group.isEmpty() ? "" : "." + group);
    }
}
