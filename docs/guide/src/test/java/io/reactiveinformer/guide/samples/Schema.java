package io.reactiveinformer.guide.samples;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/** A schema of a database outside of the cluster. */
public record Schema(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, @Nullable Status status) {

    public static final ResourceType<Schema> TYPE =
            ResourceType.of("example.com", "v1", "schemas", ResourceType.Scope.NAMESPACED, Schema.class);

    public record Spec(String encoding) {}

    public record Status(@Nullable String url, @Nullable String userName, @Nullable String secretName, String status) {}
}
