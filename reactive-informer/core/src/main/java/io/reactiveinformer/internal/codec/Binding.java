package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;

/** Binds the bytes of one object to the type's class. One for each body. */
final class Binding<T> {

    private final ResourceType<T> type;
    private final Skim skim;
    private final Readers.Reader reader;
    private final @Nullable TreeShape shape;
    private final @Nullable ShapeReader shapes;
    private @Nullable ObjectReader jackson;

    /**
     * @param reader of the type's class
     * @param trees through which objects share equal parts; null if they must not
     */
    Binding(ResourceType<T> type, Skim skim, Readers.Reader reader, SharedStrings strings, @Nullable SharedTrees trees) {
        this.type = type;
        this.skim = skim;
        this.reader = reader;
        this.shape = reader.shape();
        this.shapes = shape == null ? null : new ShapeReader(strings, trees, skim, reader.mapper());
    }

    /** Reads the object's metadata before it is bound; its strings are reused in the object. */
    Skim skim() {
        return skim;
    }

    /**
     * Bytes after the object are not read.
     *
     * @param before the cached state, with which the object may share parts; null if there is none
     * @throws UnreadableObjectException if the bytes do not fit the type
     */
    T bind(@Nullable ObjectKey key, byte[] bytes, int from, int to, @Nullable Versioned<T> before) {
        Object object;
        try {
            object = read(bytes, from, to, before == null ? null : before.object());
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failure) { // of classes that are loaded as they are needed, and of users' own
            throw Failures.unreadable(type, key, failure, bytes, from, to);
        }
        if (!type.objectClass().isInstance(object)) {
            throw new UnreadableObjectException("cannot read an object of " + type + ": it is empty", null);
        }
        return type.objectClass().cast(object);
    }

    private Object read(byte[] bytes, int from, int to, @Nullable T before) {
        Object object = shape == null || shapes == null ? null : shapes.read(shape, bytes, from, to, before);
        return object == null ? jackson().readValue(bytes, from, to - from) : object;
    }

    private ObjectReader jackson() {
        ObjectReader made = jackson;
        if (made == null) {
            made = reader.jackson().withAttribute(Skim.class, skim);
            jackson = made;
        }
        return made;
    }
}
