package io.reactiveinformer.internal.codec;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;

/**
 * Reads what is absent, or null, as an empty collection, and does not write it unless it was changed: what the server does not have must
 * not become an empty list, which keeps a default away. Objects that are shared have {@link #LIST} and {@link #MAP}.
 */
public final class AbsentCollections extends ValueDeserializerModifier {

    private static final long serialVersionUID = 1L;

    /** Of collections that were read although there was nothing. */
    private interface Absent {}

    private static final class AbsentList<E> extends ArrayList<E> implements Absent {
        private static final long serialVersionUID = 1L;
    }

    private static final class AbsentSet<E> extends HashSet<E> implements Absent {
        private static final long serialVersionUID = 1L;
    }

    private static final class AbsentMap<K, V> extends LinkedHashMap<K, V> implements Absent {
        private static final long serialVersionUID = 1L;
    }

    private static final class NoElements extends AbstractList<Object> implements Absent {
        @Override
        public Object get(int index) {
            throw new IndexOutOfBoundsException(index);
        }

        @Override
        public int size() {
            return 0;
        }
    }

    private static final class NoEntries extends AbstractMap<Object, Object> implements Absent {
        @Override
        public Set<Entry<Object, Object>> entrySet() {
            return Set.of();
        }
    }

    /** The absent list of objects that are shared. It cannot be changed. */
    public static final List<?> LIST = new NoElements();

    /** As {@link #LIST}. */
    public static final Map<?, ?> MAP = new NoEntries();

    /** Equal to what is not written. */
    static final class Filter {

        @Override
        @SuppressWarnings("EqualsUnsafeCast") // as Jackson calls it
        public boolean equals(@Nullable Object value) {
            return value == null || value instanceof Absent
                    && (value instanceof Collection<?> collection ? collection.isEmpty() : ((Map<?, ?>) value).isEmpty());
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    @Override
    public ValueDeserializer<?> modifyCollectionDeserializer(
            DeserializationConfig config, CollectionType type, BeanDescription.Supplier bean, ValueDeserializer<?> deserializer) {
        return type.hasRawClass(ArrayList.class) ? new OrAbsent(deserializer, AbsentList::new)
                : type.hasRawClass(HashSet.class) ? new OrAbsent(deserializer, AbsentSet::new)
                : deserializer;
    }

    @Override
    public ValueDeserializer<?> modifyMapDeserializer(
            DeserializationConfig config, MapType type, BeanDescription.Supplier bean, ValueDeserializer<?> deserializer) {
        return type.hasRawClass(LinkedHashMap.class) ? new OrAbsent(deserializer, AbsentMap::new) : deserializer;
    }

    private static final class OrAbsent extends DelegatingDeserializer {

        private final Supplier<Object> absent;

        OrAbsent(ValueDeserializer<?> delegate, Supplier<Object> absent) {
            super(delegate);
            this.absent = absent;
        }

        @Override
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
            return new OrAbsent(delegate, absent);
        }

        @Override
        public Object getEmptyValue(DeserializationContext context) {
            return absent.get();
        }
    }
}
