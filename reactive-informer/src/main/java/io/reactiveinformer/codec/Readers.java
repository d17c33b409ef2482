package io.reactiveinformer.codec;

import io.reactiveinformer.resource.ResourceType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** A reader for each class, made when it is first asked for and then kept. */
final class Readers {

    private final Map<Class<?>, ObjectReader> shared = new ConcurrentHashMap<>();
    private final Map<Class<?>, ObjectReader> own = new ConcurrentHashMap<>();
    private final Once<JsonMapper> sharedMapper;
    private final Once<JsonMapper> ownMapper = new Once<>(Mappers::own);

    Readers(SharedStrings strings) {
        sharedMapper = new Once<>(() -> Mappers.shared(strings));
    }

    /** Reads objects that nobody changes. */
    ObjectReader shared(ResourceType<?> type) {
        return reader(shared, sharedMapper, type);
    }

    /** Reads objects that are the caller's. */
    ObjectReader own(ResourceType<?> type) {
        return reader(own, ownMapper, type);
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
    private static ObjectReader reader(Map<Class<?>, ObjectReader> readers, Once<JsonMapper> mapper, ResourceType<?> type) {
        ObjectReader known = readers.get(type.objectClass());
        if (known != null) {
            return known;
        }
        ObjectReader made = mapper.get().readerFor(type.objectClass());
        try {
            made.readValue("null");
        } catch (JacksonException impossible) {
            throw new IllegalArgumentException("cannot make objects of " + type.objectClass().getName() + " from JSON", impossible);
        }
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
