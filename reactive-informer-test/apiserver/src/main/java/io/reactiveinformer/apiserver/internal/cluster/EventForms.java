package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.stream.Collectors.toUnmodifiableMap;

/**
 * The two forms of events, which are one resource in two groups: {@code v1} and {@code events.k8s.io/v1}. Both show the same objects, with
 * different names of some fields. They are stored in the first form.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/events/v1/conversion.go">Kubernetes: how they are
 *     converted</a>
 */
public final class EventForms {

    /**
     * A field of one form.
     *
     * @param other its name in the other form
     * @param zero the JSON that is shown if the field is empty; null to omit the field
     */
    private record Field(String name, String other, @Nullable String zero) {}

    /** In the order of the Go structure, as are those of the other form. */
    private static final List<Field> OF_CORE = fields("involvedObject=regarding {},reason=reason,message=note,source=deprecatedSource {},"
            + "firstTimestamp=deprecatedFirstTimestamp null,lastTimestamp=deprecatedLastTimestamp null,count=deprecatedCount,type=type,"
            + "eventTime=eventTime null,series=series,action=action,related=related,reportingComponent=reportingController \"\","
            + "reportingInstance=reportingInstance \"\"");

    private static final List<Field> OF_LATER = fields("eventTime=eventTime null,series=series,reportingController=reportingComponent,"
            + "reportingInstance=reportingInstance,action=action,reason=reason,regarding=involvedObject {},related=related,note=message,"
            + "type=type,deprecatedSource=source {},deprecatedFirstTimestamp=firstTimestamp null,"
            + "deprecatedLastTimestamp=lastTimestamp null,deprecatedCount=count");

    private static final Map<String, String> CORE_NAMES = OF_LATER.stream().collect(toUnmodifiableMap(Field::name, Field::other));

    private EventForms() {}

    private static List<Field> fields(String table) {
        return Stream.of(table.split(",")).map(field -> field.split("[= ]"))
                .map(parts -> new Field(parts[0], parts[1], parts.length > 2 ? parts[2] : null)).toList();
    }

    static boolean isCore(ResourceDefinition type) {
        return type.group().isEmpty() && type.plural().equals("events");
    }

    static boolean isLater(ResourceDefinition type) {
        return type.group().equals("events.k8s.io");
    }

    /** An event of either form in the form of {@code v1}. */
    public static ObjectNode core(JsonNode event) {
        return converted(event, "v1", OF_CORE);
    }

    /** An event of either form in the form of {@code events.k8s.io/v1}. */
    static ObjectNode later(JsonNode event) {
        return converted(event, "events.k8s.io/v1", OF_LATER);
    }

    /** The name in the stored form of a selectable field such as {@code regarding.name}. */
    static String coreField(String field) {
        String first = field.split("\\.", 2)[0];
        return CORE_NAMES.getOrDefault(first, first) + field.substring(first.length());
    }

    /** The value of the selectable field {@code source}: the component that reported the event. */
    static String source(JsonNode core) {
        String component = Json.text(core, "source", "component");
        return component.isEmpty() ? Json.text(core, "reportingComponent") : component;
    }

    private static ObjectNode converted(JsonNode event, String apiVersion, List<Field> form) {
        ObjectNode converted = Json.object().put("kind", "Event").put("apiVersion", apiVersion);
        converted.set("metadata", event.path("metadata").deepCopy());
        for (Field field : form) {
            JsonNode value = event.has(field.name()) ? event.path(field.name()) : event.path(field.other());
            boolean nothing = value.isMissingNode() || value.isNull() || value.isString() && value.asString().isEmpty()
                    || value.isNumber() && value.asInt() == 0;
            if (!nothing) {
                converted.set(field.name(), value.deepCopy());
            } else if (field.zero() != null) {
                converted.set(field.name(), Json.read(field.zero()));
            }
        }
        return converted;
    }
}
