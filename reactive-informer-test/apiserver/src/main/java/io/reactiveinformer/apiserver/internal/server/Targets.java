package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import java.util.Locale;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** The targets of a HorizontalPodAutoscaler beside what was measured: {@code cpu: 30%/80%}. */
final class Targets {

    private static final String UNKNOWN = "<unknown>";

    private Targets() {}

    static String of(JsonNode scaler) {
        JsonNode metrics = scaler.path("spec").path("metrics");
        JsonNode measured = scaler.path("status").path("currentMetrics");
        return metrics.isEmpty() ? "<none>" : Cells.shown(2, ", ", IntStream.range(0, metrics.size())
                .mapToObj(i -> target(metrics.get(i), measured.path(i))).toList());
    }

    private static String target(JsonNode metric, JsonNode measured) {
        String type = Json.text(metric, "type");
        if (type.isEmpty()) {
            return "<unknown type>";
        }
        String field = type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
        JsonNode target = metric.path(field).path("target");
        JsonNode current = measured.path(field).path("current");
        boolean average = target.has("averageValue");
        if (type.endsWith("Resource")) {
            String name = Json.text(metric, field, "name") + ": ";
            return average ? name + value(current, "averageValue", "", UNKNOWN) + "/" + value(target, "averageValue", "", "")
                    : name + value(current, "averageUtilization", "%", UNKNOWN) + "/" + value(target, "averageUtilization", "%", "<auto>");
        }
        String value = average ? "averageValue" : "value";
        return value(current, value, "", UNKNOWN) + "/" + value(target, value, "", "") + (average && !type.equals("Pods") ? " (avg)" : "");
    }

    private static String value(JsonNode from, String field, String unit, String otherwise) {
        return from.has(field) ? from.path(field).asString() + unit : otherwise;
    }
}
