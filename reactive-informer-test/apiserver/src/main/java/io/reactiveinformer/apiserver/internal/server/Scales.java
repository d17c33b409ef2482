package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.CustomType;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /scale}: the wanted and actual replicas of built-in workloads, and of custom types that define the paths of both. */
final class Scales {

    private static final List<String> COPIED = List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp");

    /** In place of an unset number while a change is evaluated, so that a change that does not set it is recognized. */
    private static final int UNSAID = Integer.MIN_VALUE;

    private final boolean custom;
    private final String wanted;
    private final String actual;
    private final String selector;

    Scales(ResourceDefinition type, String version) {
        CustomType.Version of = type.custom(version);
        JsonNode scale = of == null ? MissingNode.getInstance() : of.scale();
        this.custom = scale.has("specReplicasPath");
        this.wanted = custom ? Json.text(scale, "specReplicasPath") : ".spec.replicas";
        this.actual = custom ? Json.text(scale, "statusReplicasPath") : ".status.replicas";
        this.selector = Json.text(scale, "labelSelectorPath");
    }

    /**
     * The scale of a workload.
     *
     * @throws ApiFailure 500 if a custom object does not set its replicas
     */
    ObjectNode of(ObjectNode workload) {
        if (custom && at(workload, wanted).isMissingNode()) {
            throw ApiFailure.internal("the spec replicas field \"" + wanted + "\" does not exist");
        }
        return scale(workload);
    }

    private ObjectNode scale(ObjectNode workload) {
        ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : COPIED) {
            if (workload.path("metadata").has(field)) {
                metadata.set(field, workload.path("metadata").path(field));
            }
        }
        scale.putObject("spec").put("replicas", at(workload, wanted).asInt(0));
        ObjectNode status = scale.putObject("status");
        status.put("replicas", at(workload, actual).asInt(0));
        String labels = custom ? at(workload, selector).asString("") : selector(workload.path("spec").path("selector"));
        if (!labels.isEmpty()) {
            status.put("selector", labels);
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
        if (custom && at(workload, wanted).isMissingNode()) {
            Json.child(former, "spec").put("replicas", UNSAID);
        }
        ObjectNode scale = change.apply(former);
        int replicas = scale.path("spec").path("replicas").asInt(0);
        if (replicas == UNSAID) {
            throw ApiFailure.badRequest("the spec replicas field \"" + wanted + "\" cannot be empty");
        } else if (replicas < 0) {
            String group = custom ? Json.text(workload, "apiVersion") : "autoscaling/";
            String why = custom ? "should be a non-negative integer" : "must be greater than or equal to 0";
            throw ApiFailure.invalid(group.substring(0, group.indexOf('/')), custom ? Json.text(workload, "kind") : "Scale",
                    Json.text(workload, "metadata", "name"), List.of(new Problem("FieldValueInvalid",
                            "Invalid value: " + replicas + ": " + why, custom ? wanted : "spec.replicas")));
        }
        put(workload, replicas);
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
        List<String> steps = Stream.of(wanted.split("\\.", -1)).filter(step -> !step.isEmpty()).toList();
        ObjectNode parent = workload;
        for (String step : steps.subList(0, steps.size() - 1)) {
            parent = Json.child(parent, step);
        }
        parent.put(steps.get(steps.size() - 1), replicas);
    }

    /** @param path such as {@code .spec.replicas}; empty for none */
    private static JsonNode at(JsonNode tree, String path) {
        return path.isEmpty() ? MissingNode.getInstance() : SimplePath.find(tree, path);
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
