package io.reactiveinformer.store;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Finds objects by a value computed from them. An index is its identity: register one, keep it in a constant, and ask by it.
 *
 * @param <T> the objects
 * @param <V> the values, with {@code equals} and {@code hashCode}
 */
public final class Index<T, V> {

    private final String name;
    private final Function<? super T, ? extends Collection<V>> values;

    private Index(String name, Function<? super T, ? extends Collection<V>> values) {
        this.name = name;
        this.values = values;
    }

    /** One value an object; where {@code value} gives null, the object is not in the index. Called on the writer's thread: must be quick. */
    @SuppressWarnings("NullAway") // null is what "not indexed" is written as
    public static <T, V> Index<T, V> of(String name, Function<? super T, V> value) {
        return new Index<>(name, object -> {
            V found = value.apply(object);
            return found == null ? List.of() : List.of(found);
        });
    }

    /** Any number of values an object. Called on the writer's thread: must be quick. */
    public static <T, V> Index<T, V> ofMany(String name, Function<? super T, ? extends Collection<V>> values) {
        return new Index<>(name, values);
    }

    public String name() {
        return name;
    }

    Collection<V> valuesOf(T object) {
        return values.apply(object);
    }

    @Override
    public String toString() {
        return "index " + name;
    }
}
