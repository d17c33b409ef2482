package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Admission;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.WriteOptions;
import io.reactiveinformer.apiserver.internal.cluster.Writes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Subresources with a kind of their own: binding, eviction. */
final class Subresources {

    private Subresources() {}

    static Answer create(Writes writes, ApiRequest request, ResourceDefinition type, ObjectNode body, WriteOptions options) {
        String name = Objects.requireNonNull(request.name());
        return switch (request.subresource()) {
            case "binding" -> bind(writes, type, request.namespace(), name, body, options);
            case "eviction" -> {
                writes.delete(type, request.namespace(), name, WriteRequests.deleteOptions(request.query(),
                        body.path("deleteOptions"), Admission.NONE));
                yield created();
            }
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    /** @param binding names the node that the pod is to run on */
    static Answer bind(Writes writes, ResourceDefinition pods, @Nullable String namespace,
            String name, JsonNode binding, WriteOptions options) {
        writes.update(new Writes.Target(pods, namespace, name, "binding"), pod -> bound(pod, binding), options);
        return created();
    }

    private static Answer created() {
        return Answer.json(201, ApiFailure.status("Success").put("code", 201));
    }

    /** The pod bound to the node; 409 if it is bound already, as for the second of two schedulers. */
    private static ObjectNode bound(ObjectNode pod, JsonNode binding) {
        String node = Json.text(pod, "spec", "nodeName");
        if (!node.isEmpty()) {
            String name = Json.text(pod, "metadata", "name");
            throw ApiFailure.of(409, "Conflict", "Operation cannot be fulfilled on pods/binding \"" + name + "\": pod " + name
                    + " is already assigned to node \"" + node + "\"", Json.object().put("name", name).put("kind", "pods/binding"));
        }
        Json.child(pod, "spec").put("nodeName", Json.text(binding, "target", "name"));
        return pod;
    }
}
