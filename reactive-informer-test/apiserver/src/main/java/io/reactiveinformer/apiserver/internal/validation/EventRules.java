package io.reactiveinformer.apiserver.internal.validation;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The rules of events, in the form of the core group, by which the server checks and reports those of the later group, too. */
final class EventRules {

    private static final Map<String, Integer> LONGEST =
            Map.of("reportingInstance", 128, "action", 128, "reason", 128, "message", 1024);
    private static final List<String> IMMUTABLE = List.of("involvedObject", "reason", "message", "source", "firstTimestamp",
            "lastTimestamp", "count", "type", "eventTime", "action", "related", "reportingController", "reportingInstance");

    private EventRules() {}

    static List<Problem> problems(String type, @Nullable JsonNode old, JsonNode object) {
        Value event = Value.root(object);
        boolean later = type.contains(".");
        boolean timed = !event.at("eventTime").isEmpty();
        Value owner = event.at("involvedObject", "namespace");
        String namespace = event.at("metadata", "namespace").text();
        owner.invalidIf(owner.isEmpty() ? !namespace.equals("default") && !(timed && namespace.equals("kube-system"))
                : !timed && !owner.has(namespace),
                "does not match event.namespace");
        if (timed) {
            Value controller = event.at(later ? "reportingController" : "reportingComponent").with(event.at("reportingComponent").node());
            controller.require();
            controller.invalid(Names.key(controller.text()));
            for (String field : List.of("reportingInstance", "action", "reason", "message")) {
                Value text = event.at(field);
                text.requiredIf(!field.equals("message") && text.isEmpty(), "");
                text.with(Value.NO_TEXT).invalidIf(text.text().getBytes(StandardCharsets.UTF_8).length > LONGEST.getOrDefault(field, 0),
                        "can have at most " + LONGEST.get(field) + " characters");
            }
        }
        if (later && old == null) {
            event.at("eventTime").require();
            event.at("type").with(Value.NO_TEXT).invalidIf(!List.of("Normal", "Warning").contains(event.at("type").text()),
                    "has invalid value: " + event.at("type").text());
            Stream.of("firstTimestamp", "lastTimestamp", "count", "source").map(event::at)
                    .filter(value -> !value.isEmpty() && !value.has("0"))
                    .forEach(value -> value.with(Value.NO_TEXT).invalid("needs to be unset"));
        } else if (later && old != null) {
            IMMUTABLE.forEach(field -> ImmutableRules.unchanged(old.path(in(field)), event.at(field).with(event.at(in(field)).node())));
        }
        return event.problems();
    }

    private static String in(String field) {
        return field.equals("reportingController") ? "reportingComponent" : field;
    }
}
