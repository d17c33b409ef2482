package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.Quantities;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What a pod as a whole asks for: its containers together, or what starts before them if that is more. */
final class PodResources {

    private PodResources() {}

    /** @param which {@code requests} or {@code limits} */
    static Map<String, BigDecimal> total(JsonNode spec, String which) {
        Map<String, BigDecimal> sum = new TreeMap<>();
        Map<String, BigDecimal> sidecars = new TreeMap<>();
        Map<String, BigDecimal> most = new TreeMap<>();
        spec.path("containers").forEach(container -> add(sum, container.path("resources").path(which)));
        for (JsonNode init : spec.path("initContainers")) {
            Map<String, BigDecimal> running = Json.text(init, "restartPolicy").equals("Always") ? sidecars : new TreeMap<>(sidecars);
            add(running, init.path("resources").path(which));
            running.forEach((name, amount) -> most.merge(name, amount, BigDecimal::max));
        }
        sidecars.forEach((name, amount) -> sum.merge(name, amount, BigDecimal::add));
        most.forEach((name, amount) -> sum.merge(name, amount, BigDecimal::max));
        add(sum, spec.path("overhead"));
        return sum;
    }

    private static void add(Map<String, BigDecimal> sum, JsonNode amounts) {
        amounts.properties().forEach(each -> sum.merge(each.getKey(), Quantities.value(each.getValue().asString("")), BigDecimal::add));
    }
}
