package io.reactiveinformer.resource;

import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * An object of which only the metadata was requested. {@code kind} and {@code apiVersion} are those of this form, not those of the object.
 */
public record PartialObjectMetadata(String apiVersion, String kind, V1ObjectMeta metadata) {}
