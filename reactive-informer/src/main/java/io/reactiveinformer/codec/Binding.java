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
    private @Nullable Sharing sharing;

    /** @param reader of the type's class */
    Binding(ResourceType<T> type, Skim skim, Readers.Reader reader, SharedTrees trees) {
        this.type = type;
        this.skim = skim;
        ObjectReader skimming = reader.jackson().withAttribute(Skim.class, skim);
        this.sharing = reader.root() == null ? null : new Sharing(reader.root(), trees);
        this.reader = sharing == null ? skimming : skimming.withAttribute(FoldedTrees.class, sharing.folded);
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
        Sharing used = sharing;
        if (used == null || !used.folder.fold(used.root, bytes, from, to)) {
            return reader.readValue(bytes, from, to - from);
        }
        try {
            return reader.readValue(used.folded.bytes(), 0, used.folded.length());
        } catch (RuntimeException unreadable) {
            used.folded.clear();
            Object object = reader.readValue(bytes, from, to - from); // a failure is told as that of the whole
            sharing = null; // it can be read, but not without its trees
            return object;
        } finally {
            used.folded.clear();
        }
    }

    /** What it takes to take known trees out of the bytes. */
    private static final class Sharing {

        private final TreeDeserializer root;
        private final FoldedTrees folded = new FoldedTrees();
        private final TreeFolder folder;

        Sharing(TreeDeserializer root, SharedTrees trees) {
            this.root = root;
            this.folder = new TreeFolder(trees, folded);
        }
    }
}
