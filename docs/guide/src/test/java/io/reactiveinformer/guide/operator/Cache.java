package io.reactiveinformer.guide.operator;

import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.ResourceType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cache server. */
public record Cache(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, @Nullable Status status) {

    public static final ResourceType<Cache> TYPE =
            ResourceType.of("example.com", "v1", "caches", ResourceType.Scope.NAMESPACED, Cache.class);

    public record Spec(int replicas) {}

    public record Status(int ready, List<V1Condition> conditions) {}

    List<V1Condition> conditions() {
        return status == null ? List.of() : status.conditions();
    }
}
