package io.reactiveinformer.guide.refusals;

import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.ResourceType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A volume that is backed up by a schedule. */
public record Backup(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, @Nullable Status status) {

    public static final ResourceType<Backup> TYPE =
            ResourceType.of("guide.example.com", "v1", "backups", ResourceType.Scope.NAMESPACED, Backup.class);

    public record Spec(String volume, String schedule, int keep, String tier, String image) {}

    public record Status(List<V1Condition> conditions) {}

    List<V1Condition> conditions() {
        return status == null ? List.of() : status.conditions();
    }
}
