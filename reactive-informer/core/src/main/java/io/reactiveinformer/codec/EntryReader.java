package io.reactiveinformer.codec;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes one object after the other out of its bytes, unless it is held already. One for each body. */
final class EntryReader<T> {

    private final ResourceType<T> type;
    private final ObjectCodec.Lookup<T> known;
    private final Binding<T> binding;
    private final Skim skim;
    private final boolean managedFields;
    private final boolean selects;
    private final boolean shares;

    /** @param managedFields whether they are kept */
    EntryReader(ResourceType<T> type, ObjectCodec.Lookup<T> known, Binding<T> binding, boolean managedFields) {
        this.type = type;
        this.known = known;
        this.binding = binding;
        this.skim = binding.skim();
        this.managedFields = managedFields;
        this.selects = known.selects();
        this.shares = known.shares();
    }

    /** What is known of the object last asked for, or the bookmark last {@linkplain Skim#bookmark read}. */
    Skim skim() {
        return skim;
    }

    ResourceType<T> type() {
        return type;
    }

    /** Which object the bytes hold; null if they do not say. */
    @Nullable ObjectKey key(byte[] bytes, int from, int to) {
        skim.object(bytes, from, to);
        return skim.key();
    }

    /** Whether the bytes are to be read: they are, if they do not say which object they hold. */
    boolean isWanted(byte[] bytes, int from, int to) {
        if (!selects) {
            return true;
        }
        ObjectKey key = key(bytes, from, to);
        return key == null || skim.brokenOff || known.wants(key, skim.uid);
    }

    boolean selects() {
        return selects;
    }

    /** Whether the bytes, of which more may come, are enough to say which object they hold, and in which state. */
    boolean isKnown(byte[] bytes, int from, int to) {
        return key(bytes, from, to) != null && !skim.brokenOff;
    }

    /**
     * The object for whose key was just asked. May move its bytes.
     *
     * @throws io.reactiveinformer.resource.UnreadableObjectException if it does not fit the type
     */
    Versioned<T> entry(@Nullable ObjectKey key, byte[] bytes, int from, int to) {
        Versioned<T> held = key == null ? null : known.find(key);
        if (held != null && skim.isStateOf(held)) {
            return held;
        }
        return skim.stateOf(binding.bind(key, bytes, begin(bytes, from), to, shares ? held : null));
    }

    /** As {@link #entry}, for an item of a list: what it does not say of its type is written before its first property. */
    Versioned<T> item(ObjectKey key, byte[] bytes, int from, int to, String apiVersion, @Nullable String kind) {
        Versioned<T> held = known.find(key);
        if (held != null && skim.isStateOf(held)) {
            return held;
        }
        int begin = begin(bytes, from);
        if (!skim.hasKind && kind != null) {
            begin = insert("kind", kind, bytes, begin);
        }
        if (!skim.hasApiVersion) {
            begin = insert("apiVersion", apiVersion, bytes, begin);
        }
        return skim.stateOf(binding.bind(key, bytes, begin, to, shares ? held : null));
    }

    private int begin(byte[] bytes, int from) {
        return managedFields ? from : skim.cutManagedFields(bytes, from);
    }

    /** Bytes within which any object says which one it is: etcd takes no more for the whole of it, and some have their name after long notes. */
    static final int LARGEST_METADATA = 2 << 20;

    /** Most bytes that {@link #item} writes before an object: two names of DNS length and what goes with them. */
    static final int HEADROOM = 1 << 10;

    private static int insert(String name, String value, byte[] bytes, int from) {
        byte[] property = ("{\"" + name + "\":\"" + value + "\",").getBytes(StandardCharsets.UTF_8);
        int begin = from + 1 - property.length;
        System.arraycopy(property, 0, bytes, begin, property.length);
        return begin;
    }
}
