package io.reactiveinformer.store;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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

    private static final Logger LOG = LoggerFactory.getLogger(Index.class);

    private final AtomicBoolean reported = new AtomicBoolean();
    private final String name;
    private final Function<? super T, ? extends Collection<V>> values;

    private Index(String name, Function<? super T, ? extends Collection<V>> values) {
        this.name = name;
        this.values = values;
    }

    /**
     * An index with one value for each object. If {@code value} returns null, the object is not in the index. If it throws, the object is
     * not in the index either, and the first failure is logged, once for all informers that have this index. Called on the thread that
     * writes to the store, so it must be quick.
     *
     * @param name the name, for messages
     * @param value computes the value of an object
     */
    public static <T, V> Index<T, V> of(String name, Function<? super T, ? extends @Nullable V> value) {
        return new Index<>(name, object -> {
            V found = value.apply(object);
            return found == null ? List.of() : List.of(found);
        });
    }

    /**
     * An index with any number of values for each object. If {@code values} throws, the object is not in the index, and the first failure
     * is logged. Called on the thread that writes to the store, so it must be quick.
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

    /** The function threw, or {@code equals} or {@code hashCode} of its result, for the row of {@code key}. Logs the first failure. */
    void failed(Object key, Throwable failure) {
        if (!reported.getAndSet(true)) {
            LOG.warn("{} throws for {}, which the index therefore does not find; further failures of it are not logged",
                    this, key, failure);
        }
    }

    @Override
    public String toString() {
        return "index " + name;
    }
}
