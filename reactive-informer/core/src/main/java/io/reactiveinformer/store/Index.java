package io.reactiveinformer.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds objects by a value computed from them. Indexes are compared by identity: keep one in a constant, register it, and query by the same
 * instance.
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

    /**
     * An index with one value for each object. If {@code value} returns null, the object is not in the index. If it throws, the object is
     * not in the index either, and {@link Failures} is notified. Called on the thread that writes to the store, so it must be quick.
     *
     * @param name the name, for messages
     * @param value computes the value of an object
     */
    @SuppressWarnings("NullAway") // null means "not indexed"
    public static <T, V> Index<T, V> of(String name, Function<? super T, V> value) {
        return new Index<>(name, object -> {
            V found = value.apply(object);
            return found == null ? List.of() : List.of(found);
        });
    }

    /**
     * An index with any number of values for each object. If {@code values} throws, the object is not in the index, and {@link Failures} is
     * notified. Called on the thread that writes to the store, so it must be quick.
     *
     * @param name the name, for messages
     * @param values computes the values of an object, none of them null; equal values count once
     */
    public static <T, V> Index<T, V> ofMany(String name, Function<? super T, ? extends Collection<V>> values) {
        return new Index<>(name, values);
    }

    /** The name, for messages. Need not be unique. */
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

    /** Is notified of index functions that throw. The object is cached nevertheless, but the index does not find it. */
    @FunctionalInterface
    public interface Failures {

        /**
         * An index function, or {@code equals} or {@code hashCode} of its result, threw for a row. Called on the thread that writes to the
         * store, so it must be quick; must not throw.
         *
         * @param index the index
         * @param key the key of the row
         * @param failure the exception
         */
        void failed(Index<?, ?> index, Object key, Throwable failure);

        /** Logs the first failure of each index as a warning, and ignores later ones. */
        static Failures logged() {
            Logger log = LoggerFactory.getLogger(Index.class);
            Set<Index<?, ?>> known = ConcurrentHashMap.newKeySet();
            return (index, key, failure) -> {
                if (known.add(index)) {
                    log.warn("{} throws for {}, which the index therefore does not find; further failures of it are not logged",
                            index, key, failure);
                }
            };
        }
    }
}
