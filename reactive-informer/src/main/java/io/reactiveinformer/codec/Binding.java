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
    private final FoldedTrees folded = new FoldedTrees();
    private final TreeFolder folder;
    private @Nullable TreeDeserializer root;

    /** @param reader of the type's class */
    Binding(ResourceType<T> type, Skim skim, Readers.Reader reader, SharedTrees trees) {
        this.type = type;
        this.skim = skim;
        this.reader = reader.jackson().withAttribute(Skim.class, skim).withAttribute(FoldedTrees.class, folded);
        this.root = reader.root();
        this.folder = new TreeFolder(trees, folded);
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
            object = read(bytes, from, to);
        } catch (RuntimeException failure) {
            throw Failures.unreadable(type, key, failure);
        }
        if (!type.objectClass().isInstance(object)) {
            throw new UnreadableObjectException("cannot read an object of " + type + ": it is empty", null);
        }
        return type.objectClass().cast(object);
    }

    private Object read(byte[] bytes, int from, int to) {
        TreeDeserializer sharing = root;
        if (sharing == null || !folder.fold(sharing, bytes, from, to)) {
            folded.clear();
            return reader.readValue(bytes, from, to - from);
        }
        try {
            return reader.readValue(folded.bytes(), 0, folded.length());
        } catch (RuntimeException unreadable) {
            folded.clear();
            Object object = reader.readValue(bytes, from, to - from); // a failure is told as that of the whole
            root = null; // it can be read, but not without its trees
            return object;
        }
    }
}
