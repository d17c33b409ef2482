package io.reactiveinformer.apiserver.internal.cluster;

import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The conditions in the status of an object. */
record Conditions(ObjectNode object, String now) {

    static boolean has(JsonNode object, String type, String status) {
        return of(object, type, status).findAny().isPresent();
    }

    private static Stream<JsonNode> of(JsonNode object, String type, String status) {
        return object.path("status").path("conditions").valueStream().filter(condition ->
                Json.text(condition, "type").equals(type) && Json.text(condition, "status").equals(status));
    }

    /** Adds or replaces a condition. Its time is that of its last change from true to false or back. */
    Conditions with(String type, boolean holds, String reason, String message) {
        String status = holds ? "True" : "False";
        String since = of(object, type, status).map(former -> Json.text(former, "lastTransitionTime")).findFirst().orElse(now);
        ArrayNode conditions = Json.child(object, "status").withArrayProperty("conditions");
        conditions.removeIf(former -> Json.text(former, "type").equals(type));
        conditions.addObject().put("type", type).put("status", status).put("lastTransitionTime", since)
                .put("reason", reason).put("message", message);
        return this;
    }
}
