package io.reactiveinformer.apiserver.internal.validation;

import io.reactiveinformer.apiserver.internal.schema.Quantities;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** A value of an object that is checked, with its path. What is wrong with it, and with the values in it, is collected in one list. */
final class Value {

    static final JsonNode NO_TEXT = StringNode.valueOf("");

    private final JsonNode node;
    private final String path;
    private final List<Problem> problems;

    private Value(JsonNode node, String path, List<Problem> problems) {
        this.node = node;
        this.path = path;
        this.problems = problems;
    }

    static Value root(JsonNode object) {
        return new Value(object, "", new ArrayList<>());
    }

    List<Problem> problems() {
        return problems;
    }

    JsonNode node() {
        return node;
    }

    /** The value at a path of fields. */
    Value at(String... names) {
        Value at = this;
        for (String name : names) {
            at = new Value(at.node.path(name), at.path.isEmpty() ? name : at.path + "." + name, problems);
        }
        return at;
    }

    /** The value of a key in a map. */
    Value key(String key) {
        return new Value(node.path(key), path + "[" + key + "]", problems);
    }

    /** The items of a list. */
    List<Value> items() {
        List<Value> items = new ArrayList<>();
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            items.add(new Value(node.path(i), path + "[" + i + "]", problems));
        }
        return items;
    }

    /** The values of a map. */
    List<Value> entries() {
        return node.properties().stream().map(entry -> key(entry.getKey())).toList();
    }

    /** The key of this value in its map. */
    String lastKey() {
        return path.substring(path.lastIndexOf('[') + 1, path.length() - 1);
    }

    /** The same place in the object that is replaced, or another value that is reported here. */
    Value with(JsonNode other) {
        return new Value(other, path, problems);
    }

    String text() {
        return node.isValueNode() && !node.isNull() ? node.asString() : "";
    }

    boolean has(String text) {
        return text().equals(text);
    }

    long number() {
        return node.isNumber() ? node.asLong() : 0;
    }

    BigDecimal quantity() {
        return Quantities.value(text());
    }

    boolean isSet() {
        return !node.isMissingNode() && !node.isNull();
    }

    /** Whether Go has the zero value for it: nothing, or an empty text, list or map. */
    boolean isEmpty() {
        return !isSet() || node.isContainer() && node.isEmpty() || node.isString() && node.asString().isEmpty();
    }

    /** Whether this field has been refused already, or what it is a part of is forbidden. */
    boolean isRefused() {
        return problems.stream().anyMatch(problem -> problem.field().equals(path)
                || problem.reason().equals("FieldValueForbidden") && path.startsWith(problem.field() + "."));
    }

    /** Whether something in this value has been refused already. */
    boolean isRefusedWithin() {
        return problems.stream().anyMatch(problem -> problem.field().startsWith(path));
    }

    private void add(String reason, String words, String detail) {
        problems.add(new Problem(reason, detail.isEmpty() ? words : words + ": " + detail, path));
    }

    void required(String detail) {
        add("FieldValueRequired", "Required value", detail);
    }

    /** Refuses an empty value. Returns whether there is one. */
    boolean require() {
        return require("");
    }

    boolean require(String detail) {
        requiredIf(isEmpty(), detail);
        return !isEmpty();
    }

    void invalid(String detail) {
        add("FieldValueInvalid", "Invalid value: " + shown(), detail);
    }

    /** Refuses the value for each of the reasons. */
    void invalid(List<String> details) {
        details.forEach(this::invalid);
    }

    void invalidIf(boolean wrong, String detail) {
        invalid(wrong ? List.of(detail) : List.of());
    }

    void invalidIf(boolean wrong, List<String> details) {
        invalid(wrong ? details : List.of());
    }

    void requiredIf(boolean missing, String detail) {
        if (missing) {
            required(detail);
        }
    }

    void forbiddenIf(boolean wrong, String detail) {
        if (wrong) {
            forbidden(detail);
        }
    }

    void forbidden(String detail) {
        add("FieldValueForbidden", "Forbidden", detail);
    }

    void duplicate() {
        add("FieldValueDuplicate", "Duplicate value: " + shown(), "");
    }

    void notFound() {
        add("FieldValueNotFound", "Not found: " + shown(), "");
    }

    void tooLong(int length, int most) {
        if (length > most) {
            add("FieldValueTooLong", "Too long", "may not be more than " + most + " bytes");
        }
    }

    void tooMany(int most) {
        if (node.size() > most) {
            add("FieldValueTooMany", "Too many: " + node.size(), "must have at most " + most + " items");
        }
    }

    void unsupported(Collection<String> supported) {
        add("FieldValueNotSupported", "Unsupported value: " + shown(), "supported values: "
                + supported.stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(", ")));
    }

    /** Refuses a value that is none of these; no value is allowed. */
    void oneOf(String... supported) {
        if (!isEmpty() && !List.of(supported).contains(text())) {
            unsupported(List.of(supported));
        }
    }

    /** Refuses items of this list whose field repeats one of an earlier item. */
    void unique(String name) {
        unique(items().stream().map(item -> item.at(name)).filter(value -> !value.isEmpty()));
    }

    /** Refuses values whose text repeats that of an earlier one. */
    static void unique(Stream<Value> values) {
        Set<String> seen = new HashSet<>();
        values.filter(value -> !seen.add(value.text())).forEach(Value::duplicate);
    }

    private String shown() {
        return (node.isMissingNode() ? StringNode.valueOf("") : node).toString();
    }
}
