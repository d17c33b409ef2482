package io.reactiveinformer.internal.codec;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.internal.codec.ClassReaders.ClassReader;
import io.reactiveinformer.resource.ResourceType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Makes a reader for each class on first use, and caches it. */
public final class Readers {

    /** Reads objects of a class. */
    public static final class Reader {

        private final @Nullable ClassReader bytes;
        private final Lazy<ObjectReader> jackson;
        private volatile boolean hasMetUnknown;

        Reader(Lazy<JsonMapper> mapper, Class<?> type, @Nullable ClassReader bytes) {
            this.bytes = bytes;
            this.jackson = new Lazy<>(() -> mapper.get().readerFor(type));
        }

        /** What reads usual objects; null if Jackson reads them as a whole. */
        @Nullable ClassReader bytes() {
            return bytes;
        }

        /** To be called if an object of the class had a field that the class, or one within, does not have. */
        void meetUnknown() {
            hasMetUnknown = true;
        }

        /** Jackson's reader, which reads all objects. Made on first use: Jackson's analysis of a class and those within takes a second. */
        ObjectReader jackson() {
            return jackson.get();
        }
    }

    /**
     * For objects that callers own, of classes from the loader of the models: one for the process, since each mapper analyses a model anew,
     * which takes up to 40 ms.
     */
    private static final Lazy<JsonMapper> MODELS = new Lazy<>(Mappers::own);

    private final Map<Class<?>, Reader> shared = new ConcurrentHashMap<>();
    private final Map<Class<?>, Reader> own = new ConcurrentHashMap<>();
    private final Lazy<JsonMapper> sharedMapper;

    /** For classes of other loaders, which may be unloaded: nothing static may refer to them. */
    private final Lazy<JsonMapper> othersMapper = new Lazy<>(Mappers::own);
    private final ClassReaders faster;

    /**
     * False leaves every object to Jackson: slower, with equal objects that share fewer parts, so that they need more memory. For support.
     */
    public static final String SHAPES_PROPERTY = "io.reactiveinformer.shapes";

    private static final ClassReaders.Provider FASTER = ClassReaders.provider();

    /** @param managedFields whether those of whole objects are read */
    Readers(SharedStrings strings, boolean managedFields) {
        var scalars = new SharedScalars();
        sharedMapper = new Lazy<>(() -> Mappers.shared(strings, scalars));
        faster = Boolean.parseBoolean(System.getProperty(SHAPES_PROPERTY, "true"))
                ? FASTER.create(strings, scalars, sharedMapper, managedFields) : ClassReaders.NONE;
    }

    /** A reader of objects in protocol buffers; null if they are read from JSON only. */
    @Nullable ClassReader protobuf(ResourceType<?> type) {
        return faster.protobuf(type);
    }

    /** A reader of objects that are never changed. */
    public Reader shared(ResourceType<?> type) {
        return reader(shared, type.objectClass(), sharedMapper, faster::json);
    }

    /** A reader of objects that the caller owns. */
    Reader own(ResourceType<?> type) {
        return reader(own, type.objectClass(), ownMapper(type.objectClass()), untried -> null);
    }

    boolean hasShared(ResourceType<?> type) {
        return shared.containsKey(type.objectClass());
    }

    boolean hasOwn(ResourceType<?> type) {
        return own.containsKey(type.objectClass());
    }

    /** Whether no object of the class had a field that the class does not have. */
    boolean haveReadAll(ResourceType<?> type) {
        return Stream.of(shared, own).map(readers -> readers.get(type.objectClass()))
                .noneMatch(reader -> reader != null && reader.hasMetUnknown);
    }

    /** Reads and writes objects of {@code type} that the caller owns. */
    JsonMapper mapper(Class<?> type) {
        return ownMapper(type).get();
    }

    private Lazy<JsonMapper> ownMapper(Class<?> type) {
        return type.getClassLoader() == V1ObjectMeta.class.getClassLoader() ? MODELS : othersMapper;
    }

    private static Reader reader(
            Map<Class<?>, Reader> readers, Class<?> type, Lazy<JsonMapper> mapper, Function<Class<?>, @Nullable ClassReader> faster) {
        Reader known = readers.get(type);
        if (known != null) {
            return known;
        }
        Reader made = make(type, mapper, faster);
        Reader first = readers.putIfAbsent(type, made);
        return first == null ? made : first;
    }

    /** @throws IllegalArgumentException if Jackson cannot make objects of {@code type} */
    private static Reader make(Class<?> type, Lazy<JsonMapper> mapper, Function<Class<?>, @Nullable ClassReader> faster) {
        try {
            var made = new Reader(mapper, type, faster.apply(type));
            if (made.bytes() == null) {
                mapper.get()._deserializationContext().findRootValueDeserializer(mapper.get().constructType(type));
                made.jackson();
            }
            return made;
        } catch (JacksonException | TypeNotPresentException | LinkageError impossible) {
            throw new IllegalArgumentException("cannot make objects of " + type.getName() + " from JSON", impossible);
        }
    }
}
