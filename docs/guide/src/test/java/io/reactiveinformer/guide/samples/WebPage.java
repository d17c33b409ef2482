package io.reactiveinformer.guide.samples;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/** A page that a web server of its own shows, inside of the cluster, or also outside if it is exposed. */
public record WebPage(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, @Nullable Status status) {

    public static final ResourceType<WebPage> TYPE =
            ResourceType.of("example.com", "v1", "webpages", ResourceType.Scope.NAMESPACED, WebPage.class);

    public record Spec(String html, boolean exposed) {}

    public record Status(@Nullable String htmlConfigMap, String areWeGood, @Nullable String errorMessage) {}
}
