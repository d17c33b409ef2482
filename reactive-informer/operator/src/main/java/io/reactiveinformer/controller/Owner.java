package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The object that controls others. Its owner reference in a dependent lets the garbage collector delete the dependent after it, and
 * {@link ControllerBuilder#owns} find it.
 *
 * <pre>{@code
 * V1ConfigMap page = Owner.of(website).own(new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name("home")));
 * }</pre>
 *
 * @param apiVersion such as {@code example.com/v1}
 * @param kind such as {@code Website}
 * @param key the key of the owner; without a namespace, the owner is cluster-scoped
 * @param uid of the owner, so that another object of its name is not taken for it
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/">Kubernetes: owners and
 *     dependents</a>
 */
public record Owner(String apiVersion, String kind, ObjectKey key, String uid) {

    /** @throws IllegalArgumentException if a text is empty */
    public Owner {
        require(apiVersion, "apiVersion", key);
        require(kind, "kind", key);
        require(uid, "uid", key);
    }

    /**
     * The owner {@code object}, which the server has stored, with the {@code apiVersion} and {@code kind} in it. Objects of a cache and
     * answers of the server have them, if their class does.
     *
     * @param object as for {@link PartialObjectMetadata#of}
     * @throws IllegalArgumentException if it has no {@code apiVersion}, kind, name or uid, or its metadata cannot be read
     */
    public static Owner of(Object object) {
        PartialObjectMetadata read = PartialObjectMetadata.of(object);
        return of(read.apiVersion(), read.kind(), read.metadata());
    }

    /**
     * As {@link #of(Object)}, with the {@code apiVersion} and kind of {@code type}.
     *
     * @throws IllegalArgumentException also if {@code type} has no {@link ResourceType#kind}, or the object's namespace does not fit it
     */
    public static Owner of(ResourceType<?> type, Object object) {
        Owner owner = of(type.apiVersion(), type.kind(), PartialObjectMetadata.of(object).metadata());
        type.requireKey(owner.key);
        return owner;
    }

    private static Owner of(@Nullable String apiVersion, @Nullable String kind, V1ObjectMeta metadata) {
        ObjectKey key = ObjectKey.of(metadata.getNamespace(), require(metadata.getName(), "name", null));
        return new Owner(require(apiVersion, "apiVersion", key), require(kind, "kind", key), key, require(metadata.getUid(), "uid", key));
    }

    private static String require(@Nullable String text, String what, @Nullable ObjectKey key) {
        if (text == null || text.isEmpty()) {
            throw new IllegalArgumentException("the owner" + (key == null ? "" : " " + key) + " has no " + what
                    + "; an owner is an object that the server has stored, read from a cache or from an answer");
        }
        return text;
    }

    /** A new owner reference with {@code controller} and {@code blockOwnerDeletion}. */
    public V1OwnerReference reference() {
        return new V1OwnerReference().apiVersion(apiVersion).kind(kind).name(key.name()).uid(uid).controller(true).blockOwnerDeletion(true);
    }

    /**
     * Adds the owner reference to {@code dependent}, in place of an older one of this owner, and returns it. References of other owners
     * stay.
     *
     * @param dependent not one from a cache: a model class, a tree, or a record or class whose metadata can be changed
     * @throws IllegalArgumentException if the reference would be wrong, so that the garbage collector would delete the dependent at once or
     *     never: the owner is namespaced, and {@code dependent} is in another namespace or in none; or if another object controls it; or if
     *     it has no metadata that can be changed
     */
    public <D> D own(D dependent) {
        V1ObjectMeta metadata = PartialObjectMetadata.of(dependent).metadata();
        requireReach(metadata);
        List<V1OwnerReference> owners = new ArrayList<>(ownersOf(metadata));
        owners.removeIf(other -> uid.equals(other.getUid()));
        V1OwnerReference controller = controllerOf(owners);
        if (controller != null) {
            throw new IllegalArgumentException(describe(metadata) + " is controlled by " + controller.getKind() + " " + controller.getName()
                    + " already; an object has one controller");
        }
        owners.add(reference());
        if (dependent instanceof JsonNode tree) {
            write(tree);
        } else {
            metadata.setOwnerReferences(owners);
            if (!owners.equals(PartialObjectMetadata.of(dependent).metadata().getOwnerReferences())) {
                throw new IllegalArgumentException(dependent.getClass().getName() + " has no metadata that can be changed");
            }
        }
        return dependent;
    }

    /** Whether {@code dependent} has an owner reference with this uid and {@code controller}. */
    public boolean controls(Object dependent) {
        V1OwnerReference controller = controllerOf(ownersOf(PartialObjectMetadata.of(dependent).metadata()));
        return controller != null && uid.equals(controller.getUid());
    }

    /** The owner reference with {@code controller}; null if there is none. */
    static @Nullable V1OwnerReference controllerOf(List<V1OwnerReference> owners) {
        return owners.stream().filter(owner -> Boolean.TRUE.equals(owner.getController())).findFirst().orElse(null);
    }

    static List<V1OwnerReference> ownersOf(V1ObjectMeta metadata) {
        return metadata.getOwnerReferences() == null ? List.of() : metadata.getOwnerReferences();
    }

    /** The keys of the owners of a row; if {@code controllersOnly}, of the one that controls it. */
    static <T> Route<ObjectKey, T, ObjectKey> route(ResourceType<?> owner, boolean controllersOnly) {
        if (owner.kind() == null) {
            throw new IllegalArgumentException("owner references name a kind, " + owner + " has none: add it with ResourceType.kind(…)");
        }
        return (key, row) -> ownersOf(PartialObjectMetadata.of(row).metadata()).stream()
                .filter(reference -> names(reference, owner) && (!controllersOnly || Boolean.TRUE.equals(reference.getController())))
                .map(reference -> ObjectKey.of(owner.namespaced() ? key.namespace() : null, reference.getName()))
                .toList();
    }

    /** Whether {@code reference} names an object of the group and kind of {@code owner}, in any version. */
    private static boolean names(V1OwnerReference reference, ResourceType<?> owner) {
        String apiVersion = reference.getApiVersion() == null ? "" : reference.getApiVersion();
        String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        return group.equals(owner.group())
                && reference.getKind() != null && reference.getKind().equals(owner.kind())
                && reference.getName() != null && !reference.getName().isEmpty();
    }

    private void requireReach(V1ObjectMeta dependent) {
        String namespace = dependent.getNamespace() == null ? "" : dependent.getNamespace();
        if (key.namespace() != null && !key.namespace().equals(namespace)) {
            throw new IllegalArgumentException(kind + " " + key + " cannot own " + describe(dependent) + (namespace.isEmpty()
                    ? ", which has no namespace: set metadata.namespace; a namespaced object cannot own a cluster-scoped one"
                    : " in another namespace"));
        }
    }

    private static String describe(V1ObjectMeta metadata) {
        String name = metadata.getName() == null ? metadata.getGenerateName() : metadata.getName();
        return name == null ? "an object without a name" : ObjectKey.of(metadata.getNamespace(), name).toString();
    }

    /** Keeps the other references of the tree as they are. */
    private void write(JsonNode tree) {
        if (!(tree.path("metadata") instanceof ObjectNode metadata)) {
            throw new IllegalArgumentException("the tree has no object \"metadata\"");
        }
        ArrayNode owners = metadata.arrayNode();
        metadata.path("ownerReferences").forEach(other -> {
            if (!other.path("uid").asString("").equals(uid)) {
                owners.add(other);
            }
        });
        owners.addObject().put("apiVersion", apiVersion).put("kind", kind).put("name", key.name()).put("uid", uid)
                .put("controller", true).put("blockOwnerDeletion", true);
        metadata.set("ownerReferences", owners);
    }
}
