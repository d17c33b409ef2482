package io.reactiveinformer.codec;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnreadableObjectException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;

/** Jackson's part: the bytes of one object become an object of the type's class. One for each body. */
final class Binding<T> {

    private final ResourceType<T> type;
    private final Skim skim;
    private final ObjectReader reader;

    /** @param reader of the type's class */
    Binding(ResourceType<T> type, Skim skim, ObjectReader reader) {
        this.type = type;
        this.skim = skim;
        this.reader = reader.withAttribute(Skim.class, skim);
    }

    /** What is known of the object before it is bound; its strings are used again in the object. */
    Skim skim() {
        return skim;
    }

    /**
     * Bytes after the object are not looked at.
     *
     * @throws UnreadableObjectException if the bytes do not fit the type
     */
    T bind(@Nullable ObjectKey key, byte[] bytes, int from, int to) {
        Object object;
        try {
            object = reader.readValue(bytes, from, to - from);
        } catch (RuntimeException failure) {
            throw Failures.unreadable(type, key, failure);
        }
        if (!type.objectClass().isInstance(object)) {
            throw new UnreadableObjectException("cannot read an object of " + type + ": it is empty", null);
        }
        return type.objectClass().cast(object);
    }
}
