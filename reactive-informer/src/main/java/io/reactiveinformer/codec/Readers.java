package io.reactiveinformer.codec;

import io.reactiveinformer.resource.ResourceType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;

/** A reader for each class, made when it is first asked for and then kept. */
final class Readers {

    /**
     * Reads objects of a class.
     *
     * @param shape by which they are read where they are as usual; null if they are Jackson's as a whole
     */
    record Reader(JsonMapper mapper, ObjectReader jackson, @Nullable TreeShape shape) {}

    private final Shapes shapes = new Shapes();
    private final Map<Class<?>, Reader> shared = new ConcurrentHashMap<>();
    private final Map<Class<?>, Reader> own = new ConcurrentHashMap<>();
    private final Once<JsonMapper> sharedMapper;
    private final Once<JsonMapper> ownMapper = new Once<>(Mappers::own);

    Readers(SharedStrings strings) {
        sharedMapper = new Once<>(() -> Mappers.shared(strings));
    }

    /** Reads objects that nobody changes. */
    Reader shared(ResourceType<?> type) {
        return reader(shared, sharedMapper, type, shapes);
    }

    /** Reads objects that are the caller's. */
    Reader own(ResourceType<?> type) {
        return reader(own, ownMapper, type, null);
    }

    boolean hasShared(ResourceType<?> type) {
        return shared.containsKey(type.objectClass());
    }

    boolean hasOwn(ResourceType<?> type) {
        return own.containsKey(type.objectClass());
    }

    JsonMapper mapper() {
        return ownMapper.get();
    }

    /** @throws IllegalArgumentException if Jackson can make no objects of the type's class */
    private static Reader reader(Map<Class<?>, Reader> readers, Once<JsonMapper> mapper, ResourceType<?> type, @Nullable Shapes shapes) {
        Reader known = readers.get(type.objectClass());
        if (known != null) {
            return known;
        }
        JavaType javaType = mapper.get().constructType(type.objectClass());
        ValueDeserializer<?> root;
        try {
            root = mapper.get()._deserializationContext().findRootValueDeserializer(javaType);
        } catch (JacksonException impossible) {
            throw new IllegalArgumentException("cannot make objects of " + type.objectClass().getName() + " from JSON", impossible);
        }
        var made = new Reader(mapper.get(), mapper.get().readerFor(javaType), shapes == null ? null : shapes.of(javaType, root));
        readers.put(type.objectClass(), made);
        return made;
    }

    /** Makes something once; who comes meanwhile waits for it. */
    private static final class Once<V> {

        private final Supplier<V> make;
        private volatile @Nullable V made;

        Once(Supplier<V> make) {
            this.make = make;
        }

        V get() {
            V known = made;
            return known == null ? make() : known;
        }

        private synchronized V make() {
            V known = made;
            if (known == null) {
                known = make.get();
                made = known;
            }
            return known;
        }
    }
}
