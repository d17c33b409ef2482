package io.reactiveinformer.codec;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads back what {@link ObjectCodec#write} made of cached objects: read-only, sharing what is equal, as they were. For one thread at a time. */
public final class WrittenObjects<T> {

    private final Skim skim;
    private final Binding<T> binding;

    WrittenObjects(ResourceType<T> type, Skim skim, Readers.Reader reader, SharedStrings strings, SharedTrees trees) {
        this.skim = skim;
        this.binding = new Binding<>(type, skim, reader, strings, trees);
    }

    /**
     * The object that {@code bytes} hold from {@code from} to {@code to}. A projection does not say its key, uid and version.
     *
     * @throws io.reactiveinformer.resource.UnreadableObjectException if they do not fit the type
     */
    public Versioned<T> read(ObjectKey key, @Nullable String uid, @Nullable String resourceVersion, byte[] bytes, int from, int to) {
        skim.object(bytes, from, to);
        T object = binding.bind(key, bytes, from, to, null);
        return skim.isInObject ? new Versioned<>(same(skim.uid, uid), same(skim.resourceVersion, resourceVersion), object)
                : Versioned.packed(uid, resourceVersion, object);
    }

    /** The very string that is in the object, so that it is held once. */
    private static @Nullable String same(@Nullable String inObject, @Nullable String said) {
        return Objects.equals(inObject, said) ? inObject : said;
    }
}
