package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.CustomType;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /scale}: the wanted and actual replicas of built-in workloads, and of custom types that define the paths of both. */
final class Scales {

    private static final List<String> COPIED = List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp");

    /** In place of an unset number while a change is evaluated, so that a change that does not set it is recognized. */
    private static final int UNSAID = Integer.MIN_VALUE;

    private final CustomType.@Nullable Scale custom;

    Scales(ResourceDefinition type, String version) {
        CustomType.Version of = type.custom(version);
        this.custom = of == null ? null : of.scale();
    }

    /**
     * The scale of a workload.
     *
     * @throws ApiFailure 500 if a custom object does not set its replicas
     */
    ObjectNode of(ObjectNode workload) {
        if (custom != null && at(workload, wantedPath()).isMissingNode()) {
            throw ApiFailure.internal("the spec replicas field \"" + wantedPath() + "\" does not exist");
        }
        return scale(workload);
    }

    private String wantedPath() {
        return custom == null ? ".spec.replicas" : custom.specReplicas();
    }

    private ObjectNode scale(ObjectNode workload) {
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : COPIED) {
            if (workload.path("metadata").has(field)) {
                metadata.set(field, workload.path("metadata").path(field));
            }
        }
        scale.putObject("spec").put("replicas", at(workload, wantedPath()).asInt(0));
        ObjectNode status = scale.putObject("status");
        status.put("replicas", at(workload, custom == null ? ".status.replicas" : custom.statusReplicas()).asInt(0));
        String selector = custom == null ? selector(workload.path("spec").path("selector"))
                : at(workload, custom.labelSelector()).asString("");
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    /**
     * The workload with a change of its scale applied.
     *
     * @throws ApiFailure 400 if neither the custom object nor the change sets the replicas; 422 if they are negative
     */
    ObjectNode changed(ObjectNode workload, UnaryOperator<ObjectNode> change) {
        ObjectNode former = scale(workload);
        if (custom != null && at(workload, wantedPath()).isMissingNode()) {
            Json.child(former, "spec").put("replicas", UNSAID);
        }
        ObjectNode scale = change.apply(former);
        int wanted = scale.path("spec").path("replicas").asInt(0);
        if (wanted == UNSAID) {
            throw ApiFailure.badRequest("the spec replicas field \"" + wantedPath() + "\" cannot be empty");
        } else if (wanted < 0) {
            String group = custom == null ? "autoscaling/" : Json.text(workload, "apiVersion");
            String why = custom == null ? "must be greater than or equal to 0" : "should be a non-negative integer";
            throw ApiFailure.invalid(group.substring(0, group.indexOf('/')), custom == null ? "Scale" : Json.text(workload, "kind"),
                    Json.text(workload, "metadata", "name"), List.of(new Problem("FieldValueInvalid",
                            "Invalid value: " + wanted + ": " + why, custom == null ? "spec.replicas" : wantedPath())));
        }
        put(workload, wanted);
        String version = Json.text(scale, "metadata", "resourceVersion");
        if (!version.isEmpty()) {
            Json.child(workload, "metadata").put("resourceVersion", version);
        }
        return workload;
    }

    /** The apply to the workload that corresponds to an apply to its scale. */
    ObjectNode applied(String apiVersion, String kind, ObjectNode scale) {
        ObjectNode wanted = Json.object().put("apiVersion", apiVersion).put("kind", kind);
        wanted.set("metadata", Json.child(scale, "metadata").deepCopy().retain(COPIED));
        put(wanted, scale.path("spec").path("replicas").asInt(0));
        return wanted;
    }

    private void put(ObjectNode workload, int replicas) {
        String[] steps = steps(wantedPath());
        ObjectNode parent = workload;
        for (int i = 0; i < steps.length - 1; i++) {
            parent = Json.child(parent, steps[i]);
        }
        parent.put(steps[steps.length - 1], replicas);
    }

    private static String[] steps(String path) {
        return (path.startsWith(".") ? path.substring(1) : path).split("\\.", -1);
    }

    /** @param path such as {@code .spec.replicas}; empty for none */
    private static JsonNode at(JsonNode tree, String path) {
        if (path.isEmpty()) {
            return MissingNode.getInstance();
        }
        JsonNode at = tree;
        for (String step : steps(path)) {
            at = at.path(step);
        }
        return at;
    }

    /** The selector as text, sorted by label. */
    static String selector(JsonNode selector) {
        var requirements = new TreeMap<String, String>();
        boolean plain = !selector.has("matchLabels") && !selector.has("matchExpressions"); // of a ReplicationController
        (plain ? selector : selector.path("matchLabels")).properties()
                .forEach(label -> requirements.put(label.getKey(), label.getKey() + "=" + label.getValue().asString()));
        selector.path("matchExpressions").forEach(expression -> {
            String label = Json.text(expression, "key");
            String values = String.join(",", expression.path("values").valueStream().map(JsonNode::asString).sorted().toList());
            requirements.merge(
                    label,
                    switch (Json.text(expression, "operator")) {
                        case "In" -> label + " in (" + values + ")";
                        case "NotIn" -> label + " notin (" + values + ")";
                        case "DoesNotExist" -> "!" + label;
                        default -> label;
                    },
                    (one, other) -> one + "," + other);
        });
        return String.join(",", requirements.values());
    }
}
