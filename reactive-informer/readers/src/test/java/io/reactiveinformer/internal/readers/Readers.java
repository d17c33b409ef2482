package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.Lazy;
import io.reactiveinformer.internal.codec.Mappers;
import io.reactiveinformer.internal.codec.SharedScalars;
import io.reactiveinformer.internal.codec.SharedStrings;
import io.reactiveinformer.resource.ResourceType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** The shape of each class, and Jackson's reader of it, as a codec makes them: on first use. */
final class Readers {

    private final Lazy<JsonMapper> mapper;
    private final Shapes shapes;
    private final Map<Class<?>, Reader> known = new ConcurrentHashMap<>();

    Readers(SharedStrings strings) {
        var scalars = new SharedScalars();
        mapper = new Lazy<>(() -> Mappers.shared(strings, scalars));
        shapes = new Shapes(mapper, scalars);
    }

    Reader shared(ResourceType<?> type) {
        return known.computeIfAbsent(type.objectClass(), made -> new Reader(mapper, made, shapes.root(made)));
    }

    /** Of one class. */
    record Reader(Supplier<JsonMapper> mapper, Class<?> type, @Nullable TreeShape shape, Supplier<ObjectReader> ofJackson) {

        Reader(Supplier<JsonMapper> mapper, Class<?> type, @Nullable TreeShape shape) {
            this(mapper, type, shape, new Lazy<>(() -> mapper.get().readerFor(type)));
        }

        ObjectReader jackson() {
            return ofJackson.get();
        }
    }
}
