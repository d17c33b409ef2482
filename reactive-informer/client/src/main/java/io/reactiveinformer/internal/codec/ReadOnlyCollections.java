package io.reactiveinformer.internal.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.module.SimpleAbstractTypeResolver;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;

/** Makes immutable lists and maps of minimal size; all empty ones are the same instance, and all absent ones another. */
public final class ReadOnlyCollections extends ValueDeserializerModifier {

    private static final long serialVersionUID = 1L;
    private static final Class<?> LIST = List.of().getClass();
    private static final Class<?> SHORT_LIST = List.of("").getClass();

    static SimpleModule module() {
        return new SimpleModule("read-only collections") {
            private static final long serialVersionUID = 1L;

            @Override
            public void setupModule(SetupContext context) {
                super.setupModule(context);
                context.addAbstractTypeResolver(new SimpleAbstractTypeResolver()
                        .addMapping(List.class, ListInTheMaking.class)
                        .addMapping(Map.class, MapInTheMaking.class));
                context.addDeserializerModifier(new ReadOnlyCollections());
                context.addValueInstantiators(new SharedEmpties());
            }
        };
    }

    @Override
    public ValueDeserializer<?> modifyCollectionDeserializer(
            DeserializationConfig config, CollectionType type, BeanDescription.Supplier bean, ValueDeserializer<?> deserializer) {
        return type.hasRawClass(ListInTheMaking.class) ? new ReadOnlyList(deserializer) : deserializer;
    }

    @Override
    public ValueDeserializer<?> modifyMapDeserializer(
            DeserializationConfig config, MapType type, BeanDescription.Supplier bean, ValueDeserializer<?> deserializer) {
        return type.hasRawClass(MapInTheMaking.class) ? new ReadOnlyMap(deserializer) : deserializer;
    }

    /** The list that Jackson fills if a property is a {@link List}; one that is an {@link ArrayList} stays as it is. */
    static final class ListInTheMaking<E> extends ArrayList<E> {
        private static final long serialVersionUID = 1L;
    }

    static final class MapInTheMaking<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1L;
    }

    /** Lists of other classes may be read-only, too, but that is not certain. */
    public static boolean isReadOnly(List<?> list) {
        return list.getClass() == LIST || list.getClass() == SHORT_LIST;
    }

    public static List<?> readOnly(Collection<?> elements) {
        return elements.contains(null)
                ? Collections.unmodifiableList(Arrays.asList(elements.toArray()))
                : List.copyOf(elements);
    }

    /** @param elements must not be changed afterwards */
    public static List<?> readOnly(@Nullable Object[] elements) {
        List<?> all = Arrays.asList(elements);
        return all.contains(null) ? Collections.unmodifiableList(all) : List.of(elements);
    }

    public static Map<?, ?> readOnly(Map<?, ?> entries) {
        if (entries.isEmpty()) {
            return Map.of();
        }
        return entries.size() <= SmallMap.LARGEST ? new SmallMap<>(entries) : Collections.unmodifiableMap(entries);
    }

    private static final class ReadOnlyList extends DelegatingDeserializer {

        ReadOnlyList(ValueDeserializer<?> delegate) {
            super(delegate);
        }

        @Override
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
            return new ReadOnlyList(delegate);
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
            return super.deserialize(parser, context) instanceof Collection<?> elements ? readOnly(elements) : null;
        }

        @Override
        public Object getEmptyValue(DeserializationContext context) {
            return AbsentCollections.LIST;
        }
    }

    private static final class ReadOnlyMap extends DelegatingDeserializer {

        ReadOnlyMap(ValueDeserializer<?> delegate) {
            super(delegate);
        }

        @Override
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
            return new ReadOnlyMap(delegate);
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
            return super.deserialize(parser, context) instanceof Map<?, ?> entries ? readOnly(entries) : null;
        }

        @Override
        public Object getEmptyValue(DeserializationContext context) {
            return AbsentCollections.MAP;
        }
    }

    /** Shares the empty collections that the bytes do not mention. */
    private static final class SharedEmpties extends ValueInstantiators.Base {


        @Override
        public ValueInstantiator modifyValueInstantiator(
                DeserializationConfig config, BeanDescription.Supplier bean, ValueInstantiator instantiator) {
            return SerializedNames.areOn(bean.getBeanClass()) ? new WithSharedEmpties(instantiator, bean.getBeanClass()) : instantiator;
        }
    }

    private static final class WithSharedEmpties extends ValueInstantiator.Delegating {

        private static final long serialVersionUID = 1L;

        private final transient EmptyCollections empties;

        WithSharedEmpties(ValueInstantiator delegate, Class<?> type) {
            super(delegate);
            empties = new EmptyCollections(type, SerializedNames.fields(type).values());
        }

        @Override
        public Object createUsingDefault(DeserializationContext context) {
            Object made = delegate().createUsingDefault(context);
            empties.fill(made);
            return made;
        }
    }
}
