package io.reactiveinformer.apiserver.internal.validation;

import io.reactiveinformer.apiserver.internal.schema.FieldRules;
import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Count;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;

import static java.util.Map.entry;

/**
 * The rules of single fields, from the table: values that are required, allowed, or bounded. A field that another rule has refused is left
 * out, so that it is reported once. A number that is required may be 0.
 */
final class TableRules {

    private static final Messages MESSAGES = Messages.builtIn();
    private static final Set<String> MAY_BE_ZERO = Set.of("int32", "int64", "float64", "bool", "IntOrString", "Quantity");

    private static final Set<String> COLUMN_TYPES = Set.of("boolean", "date", "integer", "number", "string");
    private static final String SELECTOR = "meta.k8s.io/v1.LabelSelector";
    private static final Map<String, Function<String, List<String>>> FORMATS = Map.ofEntries(entry("label", Names::label),
            entry("noneOrLabel", text -> text.isEmpty() ? List.of() : Names.label(text)), entry("subdomain", Names::subdomain),
            entry("key", Names::key), entry("portName", Names::portName), entry("configKey", Names::configKey),
            entry("environment", Names::environment), entry("domainPath", Names::domainPath), entry("pathSegment", Names::pathSegment),
            entry("labelValue", Names::labelValue), entry("address", Names::address), entry("absolute", Names::absolutePath),
            entry("groupVersion", Names::groupVersion), entry("kind", Names::kind), entry("identifier",
            text -> text.matches("[_a-zA-Z]\\w*") ? List.of() : List.of("must be a valid CEL identifier")),
            entry("oldLabel", Names::oldLabel), entry("path", path(".")), entry("specPath", path(".spec.")),
            entry("statusPath", path(".status.")), entry("columnType", text -> COLUMN_TYPES.contains(text) ? List.of()
                    : List.of("must be one of boolean,date,integer,number,string")));

    /** Parts that are checked elsewhere, or only in requests to a subresource. */
    private static final Set<String> SKIPPED = Set.of("metadata", "status");

    private TableRules() {}

    private static Function<String, List<String>> path(String start) {
        return text -> text.startsWith(start) ? List.of() : List.of("must be a simple json path starting with " + start);
    }

    /**
     * Checks a part of an object.
     *
     * @param message such as {@code apps/v1.Deployment}
     * @param old the part that is replaced; missing if there is none
     */
    static void check(String message, JsonNode old, Value object) {
        for (Field field : MESSAGES.get(message).values()) {
            if (field.inline()) {
                check(field.type(), old, object);
            } else if (!SKIPPED.contains(field.name())) {
                FieldRules rules = FieldRules.of(message, field.name());
                if (old.isMissingNode() || !rules.has("created")) {
                    field(field, rules, old.path(field.name()), object.at(field.name()));
                }
            }
        }
    }

    private static void field(Field field, FieldRules rules, JsonNode old, Value value) {
        boolean part = MESSAGES.find(field.type()).isPresent() && !field.type().endsWith(".JSONSchemaProps");
        boolean one = field.count() == Count.ONE;
        if (field.type().equals(SELECTOR)) {
            (one ? List.of(value) : value.items()).stream()
                    .filter(each -> !each.isRefusedWithin() && !rules.get("format").equals("unchecked")).forEach(Selectors::check);
            part = false;
        } else if (field.type().equals("v1.NodeSelectorRequirement")) {
            value.items().forEach(expression -> Selectors.expression(expression, true));
            part = false;
        }
        if (rules.get("immutable").equals("first")) {
            unchanged(old, value);
        }
        value.requiredIf(rules.has("required") && isMissing(field, part, value) && !value.isRefused(),
                rules.get("required").replace('_', ' '));
        if (part && one && (value.isSet() || rules.has("required") && !field.pointer())) {
            check(field.type(), old, value.isSet() ? value : value.with(JsonNodeFactory.instance.objectNode()));
        } else if (part && !one) {
            (field.count() == Count.LIST ? value.items() : value.entries())
                    .forEach(each -> check(field.type(), MissingNode.getInstance(), each));
        }
        if ((field.pointer() || !one ? value.isSet() : rules.has("even-empty") || !value.isEmpty()) && !value.isRefused()) {
            limits(rules, value);
        }
        if (rules.has("immutable") && !rules.get("immutable").equals("first")) {
            unchanged(old, value);
        }
        if (rules.has("unique")) {
            value.unique(rules.get("unique"));
        }
    }

    private static void unchanged(JsonNode old, Value value) {
        value.invalidIf(!old.isMissingNode() && !old.equals(value.node()), "field is immutable");
    }

    private static boolean isMissing(Field field, boolean part, Value value) {
        return field.count() != Count.ONE ? value.isEmpty() : part ? field.pointer() && !value.isSet()
                : value.isEmpty() && (field.pointer() || !MAY_BE_ZERO.contains(field.type()));
    }

    private static void format(FieldRules rules, Value value) {
        String format = rules.get("format");
        if (FORMATS.containsKey(format)) {
            each(value).forEach(one -> one.invalid(FORMATS.get(format).apply(one.text())));
        } else if (format.equals("labels")) {
            MetadataRules.labels(value);
        } else if (format.startsWith("port")) {
            PodRules.portOrName(value);
        }
    }

    private static List<Value> each(Value value) {
        return value.node().isArray() ? value.items() : List.of(value);
    }

    private static void limits(FieldRules rules, Value value) {
        format(rules, value);
        if (!rules.allowed().isEmpty()) {
            each(value).stream().filter(one -> !rules.allowed().contains(one.text()))
                    .forEach(one -> (rules.has("in-whole") ? value.with(one.node()) : one).unsupported(rules.allowed()));
        }
        Integer least = rules.bounds().get("minimum");
        Integer most = rules.bounds().get("maximum");
        Integer from = rules.bounds().get("from");
        Integer to = rules.bounds().get("to");
        value.invalidIf(least != null && value.number() < least, "must be greater than or equal to " + least);
        value.invalidIf(most != null && value.number() > most, "must be less than or equal to " + most);
        value.invalidIf(from != null && to != null && (value.number() < from || value.number() > to),
                "must be between " + from + " and " + to + ", inclusive");
        value.invalidIf(rules.has("above") && value.number() <= 0, "must be greater than " + rules.get("above"));
        value.tooMany(rules.bounds().getOrDefault("maxItems", Integer.MAX_VALUE));
        value.tooLong(value.text().length(), rules.bounds().getOrDefault("maxLength", Integer.MAX_VALUE));
    }
}
