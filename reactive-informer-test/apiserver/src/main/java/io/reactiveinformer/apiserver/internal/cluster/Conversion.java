package io.reactiveinformer.apiserver.internal.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts the objects of a definition between versions by its webhook. What was converted is kept for a while: who needs what is missing
 * gets a {@link WebhookCall}, and begins anew after it. Equal to others of the same webhook. Safe for use by several threads.
 */
final class Conversion {

    private static final int SECONDS = 30;
    private static final int KEPT = 1000;
    private static final List<String> SAME = List.of("name", "namespace", "uid");
    private static final List<String> FREE = List.of("labels", "annotations");

    private final JsonNode webhook;
    private final Map<String, ObjectNode> converted = new HashMap<>();

    /** @param webhook {@code spec.conversion.webhook} */
    Conversion(JsonNode webhook) {
        this.webhook = webhook;
    }

    /** A new tree in {@code apiVersion}, with the metadata of {@code tree}, of which a webhook may only change labels and annotations. */
    synchronized ObjectNode convert(ObjectNode tree, String apiVersion) {
        prepare(List.of(tree), apiVersion);
        ObjectNode result = Json.text(tree, "apiVersion").equals(apiVersion) ? tree
                : Objects.requireNonNull(converted.get(key(tree, apiVersion)), "prepared");
        ObjectNode metadata = (ObjectNode) tree.path("metadata").deepCopy();
        for (String field : FREE) {
            metadata.remove(field);
            if (result.path("metadata").path(field).size() > 0) {
                metadata.set(field, result.path("metadata").path(field));
            }
        }
        return result.deepCopy().set("metadata", metadata.deepCopy());
    }

    /** Sees to it that all of these can be converted, by one call at most. */
    synchronized void prepare(List<ObjectNode> trees, String apiVersion) {
        List<ObjectNode> missing = trees.stream().filter(tree -> !Json.text(tree, "apiVersion").equals(apiVersion)
                && !converted.containsKey(key(tree, apiVersion))).toList();
        if (!missing.isEmpty()) {
            ObjectNode request = Json.object().put("desiredAPIVersion", apiVersion);
            request.putArray("objects").addAll(missing);
            throw new WebhookCall(webhook.path("clientConfig"), "apiextensions.k8s.io/v1", "ConversionReview", request, SECONDS, reply ->
                    keep(missing, apiVersion, Json.text(request, "uid"), reply));
        }
    }

    /** What the result depends on: not on what the server itself writes into the metadata, such as a uid that is made anew. */
    private static String key(ObjectNode tree, String apiVersion) {
        JsonNode metadata = tree.path("metadata");
        StringBuilder key = new StringBuilder(apiVersion);
        Stream.of("name", "namespace", "labels", "annotations").forEach(field -> key.append('\n').append(metadata.path(field)));
        return key.append(tree.deepCopy().without("metadata")).toString();
    }

    private synchronized void keep(List<ObjectNode> originals, String apiVersion, String uid, WebhookCall.Reply reply) {
        JsonNode results = reply.review().path("response").path("convertedObjects");
        String problem = !reply.failure().isEmpty() ? reply.failure() : problem(reply.review(), uid);
        String failure = !problem.isEmpty() ? "failed: " + problem : results.size() == originals.size() ? ""
                : "returned " + results.size() + " objects, expected " + originals.size();
        if (converted.size() > KEPT + 4 * originals.size()) {
            converted.clear();
        }
        for (int i = 0; i < originals.size() && failure.isEmpty(); i++) {
            String wrong = wrong(originals.get(i), results.path(i), apiVersion);
            String which = originals.size() > 1 ? "converted object at index " + i : "object";
            failure = wrong.isEmpty() ? "" : "returned invalid " + which + ": " + wrong;
            converted.put(key(originals.get(i), apiVersion), results.path(i) instanceof ObjectNode result ? result : Json.object());
        }
        if (!failure.isEmpty()) {
            converted.clear();
            throw ApiFailure.of(500, "", "conversion webhook for " + Json.text(originals.get(0), "apiVersion") + ", Kind="
                    + Json.text(originals.get(0), "kind") + " " + failure);
        }
    }

    private static String problem(JsonNode review, String uid) {
        JsonNode response = review.path("response");
        String wanted = "apiextensions.k8s.io/v1, Kind=ConversionReview";
        String kind = Json.text(review, "apiVersion") + ", Kind=" + Json.text(review, "kind");
        String found = Json.text(response, "uid");
        String status = Json.text(response, "result", "status");
        String message = Json.text(response, "result", "message");
        return !kind.equals(wanted) ? "expected webhook response of " + wanted + ", got " + kind
                : !response.isObject() ? "no response provided"
                : !found.equals(uid) ? "expected response.uid=\"" + uid + "\", got \"" + found + "\""
                : status.equals("Success") || !message.isEmpty() ? status.equals("Success") ? "" : message
                : "response.result.status was '" + status + "', not 'Success'";
    }

    private static String wrong(JsonNode original, JsonNode result, String apiVersion) {
        String version = Json.text(result, "apiVersion");
        if (!version.equals(apiVersion)) {
            return "invalid groupVersion (expected " + apiVersion + ", received " + version + ")";
        }
        if (!result.path("kind").equals(original.path("kind"))) {
            return "invalid kind (expected " + Json.text(original, "kind") + ", received " + Json.text(result, "kind") + ")";
        }
        return SAME.stream().filter(field -> !Json.text(original, "metadata", field).equals(Json.text(result, "metadata", field)))
                .findFirst().map(field -> "must have the same " + field.replace("uid", "UID") + ": " + Json.text(original, "metadata", field) + " != "
                        + Json.text(result, "metadata", field)).orElse("");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Conversion conversion && conversion.webhook.equals(webhook);
    }

    @Override
    public int hashCode() {
        return webhook.hashCode();
    }
}
