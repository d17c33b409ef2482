package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.EventForms;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;

/** The columns of events, the same in both of their forms. */
final class EventColumns {

    static final List<Column> COLUMNS = List.of(
            aged("Last Seen", EventColumns::lastSeen),
            text("Type", event -> Json.text(event, "type")),
            text("Reason", event -> Json.text(event, "reason")),
            text("Object", EventColumns::object),
            text("Subobject", event -> Json.text(event, "involvedObject", "fieldPath")).wide(),
            text("Source", EventColumns::source).wide(),
            text("Message", event -> Json.text(event, "message").strip()),
            aged("First Seen", EventColumns::firstSeen).wide(),
            new Column("Count", "integer", "", "Count", 1, (event, now) -> IntNode.valueOf(count(EventForms.core(event)))),
            Column.named().wide());

    private EventColumns() {}

    private static Column text(String name, Function<JsonNode, String> cell) {
        return Column.text(name, event -> cell.apply(EventForms.core(event)));
    }

    private static Column aged(String name, BiFunction<JsonNode, Instant, String> cell) {
        return new Column(name, "string", "", name, 0, (event, now) -> Column.string(cell.apply(EventForms.core(event), now)));
    }

    private static String firstSeen(JsonNode event, Instant now) {
        String first = Json.text(event, "firstTimestamp");
        return Ages.since(first.isEmpty() ? Json.text(event, "eventTime") : first, now);
    }

    private static String lastSeen(JsonNode event, Instant now) {
        if (event.has("series")) {
            return Ages.since(Json.text(event, "series", "lastObservedTime"), now);
        }
        String last = Json.text(event, "lastTimestamp");
        return last.isEmpty() ? firstSeen(event, now) : Ages.since(last, now);
    }

    /** The number of occurrences; 1 for an event that is no series and has no count. */
    private static int count(JsonNode event) {
        return event.has("series") ? event.path("series").path("count").asInt(0) : Math.max(1, event.path("count").asInt(0));
    }

    private static String object(JsonNode event) {
        return joined("/", Json.text(event, "involvedObject", "kind").toLowerCase(Locale.ROOT), Json.text(event, "involvedObject", "name"));
    }

    private static String source(JsonNode event) {
        String component = Json.text(event, "source", "component");
        String host = Json.text(event, "source", "host");
        return joined(
                ", ",
                component.isEmpty() ? Json.text(event, "reportingComponent") : component,
                host.isEmpty() ? Json.text(event, "reportingInstance") : host);
    }

    private static String joined(String between, String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(between));
    }
}
