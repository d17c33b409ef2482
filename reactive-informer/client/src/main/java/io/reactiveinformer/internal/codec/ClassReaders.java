package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.ResourceType;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Readers of classes that are faster than Jackson, and share equal parts of objects. A module of ours, {@code reactive-informer-readers},
 * provides them, and is found by {@link ServiceLoader}. Without it, Jackson reads all objects, from JSON. Any thread may call.
 */
public interface ClassReaders {

    /** A reader of JSON objects of the class; null if Jackson reads them as a whole. */
    @Nullable ClassReader json(Class<?> type);

    /** A reader of objects of the type from protocol buffers; null if they are read from JSON only. */
    @Nullable ClassReader protobuf(ResourceType<?> type);

    /** Reads objects of one class. */
    interface ClassReader {

        /**
         * A reader for one body.
         *
         * @param skim has read the metadata of each object before; the object takes its strings over
         * @param shares whether objects may share equal parts
         */
        ObjectReader open(Skim skim, boolean shares);
    }

    /** Reads one object after the other. */
    @FunctionalInterface
    interface ObjectReader {

        /**
         * Reads the object in the bytes; null if Jackson must read it.
         *
         * @param apiVersion if it is not in the bytes, as is {@code kind}
         * @param before its cached state, with which it may share parts, but is not the same; null if there is none
         */
        @Nullable Object read(byte[] bytes, int from, int to, @Nullable String apiVersion, @Nullable String kind, @Nullable Object before);
    }

    /** Makes the readers of a codec. */
    interface Provider {

        /**
         * Cheap: readers are made on first use.
         *
         * @param mapper for what only Jackson reads; made on first use
         * @param managedFields whether those of whole objects are read
         */
        ClassReaders create(SharedStrings strings, SharedScalars scalars, Supplier<JsonMapper> mapper, boolean managedFields);
    }

    /** Jackson reads all. */
    ClassReaders NONE = new ClassReaders() {
        @Override
        public @Nullable ClassReader json(Class<?> type) {
            return null;
        }

        @Override
        public @Nullable ClassReader protobuf(ResourceType<?> type) {
            return null;
        }
    };

    /** The provider beside this module; one that makes {@link #NONE} if there is none, or none that can be loaded. */
    static Provider provider() {
        Provider none = (strings, scalars, mapper, managedFields) -> NONE;
        try {
            return ServiceLoader.load(Provider.class, ClassReaders.class.getClassLoader()).findFirst().orElse(none);
        } catch (ServiceConfigurationError | LinkageError broken) { // of another version, say
            LoggerFactory.getLogger(ClassReaders.class)
                    .warn("reactive-informer-readers cannot be used: Jackson reads all objects, from JSON", broken);
            return none;
        }
    }
}
