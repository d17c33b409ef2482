package io.reactiveinformer.transport;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Header fields by name, whatever its case. Immutable. */
public final class Headers {

    private static final Headers EMPTY = new Headers(new TreeMap<>(String.CASE_INSENSITIVE_ORDER));

    private final Map<String, List<String>> fields;

    private Headers(Map<String, List<String>> fields) {
        this.fields = fields;
    }

    public static Headers empty() {
        return EMPTY;
    }

    public static Headers of(String name, String value) {
        return EMPTY.with(name, value);
    }

    /** Reads fields as a server or client library lists them; a name may come more than once. */
    public static Headers copyOf(Iterable<Map.Entry<String, String>> entries) {
        Headers headers = EMPTY;
        for (Map.Entry<String, String> entry : entries) {
            headers = headers.withReceived(entry.getKey(), entry.getValue());
        }
        return headers;
    }

    /**
     * One more field; those of the same name stay.
     *
     * @throws IllegalArgumentException if the value holds a control character other than a tab, and so could be more than a value
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

    public Optional<String> first(String name) {
        return all(name).stream().findFirst();
    }

    public List<String> all(String name) {
        return Collections.unmodifiableList(fields.getOrDefault(name, List.of()));
    }

    public void forEach(BiConsumer<String, String> action) {
        fields.forEach((name, values) -> values.forEach(value -> action.accept(name, value)));
    }

    /** Names only: values may be credentials. */
    @Override
    public String toString() {
        return fields.keySet().toString();
    }
}
