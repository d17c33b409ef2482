package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import java.util.Collection;
import java.util.List;

/** Routes an object to its owners of one type. */
final class OwnerRoute<T> implements Route<ObjectKey, T, ObjectKey> {

    private final ResourceType<?> owner;
    private final boolean controllersOnly;

    OwnerRoute(ResourceType<?> owner, boolean controllersOnly) {
        if (owner.kind() == null) {
            throw new IllegalArgumentException("owner references name a kind, " + owner + " has none: add it with ResourceType.kind(…)");
        }
        this.owner = owner;
        this.controllersOnly = controllersOnly;
    }

    @Override
    public Collection<ObjectKey> keys(ObjectKey key, T row) {
        List<V1OwnerReference> owners = PartialObjectMetadata.of(row).metadata().getOwnerReferences();
        return owners == null ? List.of() : owners.stream()
                .filter(this::fits)
                .map(reference -> ObjectKey.of(owner.namespaced() ? key.namespace() : null, reference.getName()))
                .toList();
    }

    private boolean fits(V1OwnerReference reference) {
        String apiVersion = reference.getApiVersion() == null ? "" : reference.getApiVersion();
        String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        return group.equals(owner.group())
                && reference.getKind() != null && reference.getKind().equals(owner.kind())
                && reference.getName() != null && !reference.getName().isEmpty()
                && (!controllersOnly || Boolean.TRUE.equals(reference.getController()));
    }
}
