package io.reactiveinformer.transport;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Header fields by name, ignoring case. Immutable. */
public final class Headers {

    private static final Headers EMPTY = new Headers(new TreeMap<>(String.CASE_INSENSITIVE_ORDER));

    private final Map<String, List<String>> fields;

    private Headers(Map<String, List<String>> fields) {
        this.fields = fields;
    }

    /** No fields. */
    public static Headers empty() {
        return EMPTY;
    }

    /**
     * One field.
     *
     * @throws IllegalArgumentException if {@link #with} refuses the value
     */
    public static Headers of(String name, String value) {
        return EMPTY.with(name, value);
    }

    /** The fields of {@code entries}, as a server or client library lists them; a name may occur more than once. Values are not checked. */
    public static Headers copyOf(Iterable<Map.Entry<String, String>> entries) {
        Headers headers = EMPTY;
        for (Map.Entry<String, String> entry : entries) {
            headers = headers.withReceived(entry.getKey(), entry.getValue());
        }
        return headers;
    }

    /**
     * A copy with one more field; fields of the same name stay.
     *
     * @throws IllegalArgumentException if the value contains a control character other than a tab, and so could begin another field
     */
    public Headers with(String name, String value) {
        if (value.chars().anyMatch(character -> character != '\t' && Character.isISOControl(character))) {
            throw new IllegalArgumentException("the header " + name + " must be text on one line, and holds a control character");
        }
        return withReceived(name, value);
    }

    private Headers withReceived(String name, String value) {
        var more = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        more.putAll(fields);
        more.merge(name, List.of(value), (old, added) -> Stream.concat(old.stream(), added.stream()).toList());
        return new Headers(more);
    }

    /** The first value of {@code name}; empty if there is none. */
    public Optional<String> first(String name) {
        return all(name).stream().findFirst();
    }

    /** All values of {@code name} in the order in which they were added; empty if there is none. Unmodifiable. */
    public List<String> all(String name) {
        return Collections.unmodifiableList(fields.getOrDefault(name, List.of()));
    }

    /**
     * Calls {@code action} with name and value of each field: names in alphabetical order, ignoring case; values in the order of addition.
     */
    public void forEach(BiConsumer<String, String> action) {
        fields.forEach((name, values) -> values.forEach(value -> action.accept(name, value)));
    }

    /** Names only: values may be credentials. */
    @Override
    public String toString() {
        return fields.keySet().toString();
    }
}
