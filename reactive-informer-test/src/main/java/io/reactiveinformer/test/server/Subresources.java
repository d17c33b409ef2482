package io.reactiveinformer.test.server;

import io.reactiveinformer.test.cluster.ApiFailure;
import io.reactiveinformer.test.cluster.DeleteOptions;
import io.reactiveinformer.test.cluster.Json;
import io.reactiveinformer.test.cluster.ResourceDefinition;
import io.reactiveinformer.test.cluster.StoredObject;
import io.reactiveinformer.test.cluster.WriteOptions;
import io.reactiveinformer.test.cluster.Writes;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Parts of an object that have a path and a kind of their own: scale, binding, eviction. */
final class Subresources {

    private Subresources() {}

    static Answer create(Writes writes, ApiRequest request, ResourceDefinition type, ObjectNode body) {
        String name = Objects.requireNonNull(request.name());
        switch (request.subresource()) {
            case "binding" -> writes.update(type, request.namespace(), name, "", pod -> bound(pod, body), WriteOptions.by("kube-scheduler"));
            case "eviction" -> writes.delete(type, request.namespace(), name, DeleteOptions.DEFAULT);
            default -> throw ApiFailure.methodNotAllowed();
        }
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return Answer.json(201, status.put("status", "Success").put("code", 201));
    }

    private static ObjectNode bound(ObjectNode pod, JsonNode binding) {
        Json.child(pod, "spec").put("nodeName", Json.text(binding, "target", "name"));
        return pod;
    }

    static ObjectNode scale(StoredObject object) {
        return scale(object.tree());
    }

    private static ObjectNode scale(ObjectNode workload) {
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : new String[] {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
            if (workload.path("metadata").has(field)) {
                metadata.set(field, workload.path("metadata").path(field));
            }
        }
        scale.putObject("spec").put("replicas", workload.path("spec").path("replicas").asInt(0));
        ObjectNode status = scale.putObject("status").put("replicas", workload.path("status").path("replicas").asInt(0));
        String selector = workload.path("spec").path("selector").path("matchLabels").properties().stream()
                .map(label -> label.getKey() + "=" + label.getValue().asString())
                .collect(Collectors.joining(","));
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    /** The workload with what a change of its scale means for it. */
    static ObjectNode scaled(ObjectNode workload, UnaryOperator<ObjectNode> change) {
        ObjectNode scale = change.apply(scale(workload));
        Json.child(workload, "spec").set("replicas", scale.path("spec").path("replicas"));
        String version = Json.text(scale, "metadata", "resourceVersion");
        if (!version.isEmpty()) {
            Json.child(workload, "metadata").put("resourceVersion", version);
        }
        return workload;
    }
}
