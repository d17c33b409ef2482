package io.reactiveinformer.guide.operator;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/** A static page that is published. */
public record Website(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, @Nullable Status status) {

    public static final ResourceType<Website> TYPE =
            ResourceType.of("example.com", "v1", "websites", ResourceType.Scope.NAMESPACED, Website.class);

    public record Spec(String html) {}

    public record Status(long observedGeneration, String page) {}
}
