package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads cached objects back that {@link ObjectCodec#write} has written: read-only and with shared equal parts, as they were. For one thread
 * at a time.
 */
public final class WrittenObjects<T> {

    private final Skim skim;
    private final Binding<T> binding;

    WrittenObjects(ResourceType<T> type, Skim skim, Readers.Reader reader) {
        this.skim = skim;
        this.binding = new Binding<>(type, skim, reader, true);
    }

    /**
     * Reads the object in {@code bytes} from {@code from} to {@code to}. Key, uid and version are parameters since a projection does not
     * contain them.
     *
     * @throws io.reactiveinformer.resource.UnreadableObjectException if they do not fit the type
     */
    public Versioned<T> read(ObjectKey key, @Nullable String uid, @Nullable String resourceVersion, byte[] bytes, int from, int to) {
        skim.object(bytes, from, to);
        T object = binding.bind(key, bytes, from, to, null);
        return skim.isInObject ? new Versioned<>(same(skim.uid, uid), same(skim.resourceVersion, resourceVersion), object)
                : Versioned.packed(uid, resourceVersion, object);
    }

    /** The string instance of the object, so that it is kept once. */
    private static @Nullable String same(@Nullable String inObject, @Nullable String said) {
        return Objects.equals(inObject, said) ? inObject : said;
    }
}
