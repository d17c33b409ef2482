package io.reactiveinformer.guide.definitions;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/** A page that several web servers show. */
public record Site(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, @Nullable Status status) {

    public static final ResourceType<Site> TYPE =
            ResourceType.of("example.com", "v1", "sites", ResourceType.Scope.NAMESPACED, Site.class);

    public record Spec(
            @Required @JsonPropertyDescription("The page, as HTML.") String html,
            @Default("1") @Min(1) @Max(9) int replicas,
            @Nullable Quantity memory) {}

    public record Status(long observedGeneration, @PrinterColumn(name = "State") String state) {}
}
