package io.reactiveinformer.internal.codec;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decodes one object after the other, unless it is cached already. One for each body. */
final class EntryReader<T> {

    private final ResourceType<T> type;
    private final Reading<T> reading;
    private final Binding<T> binding;
    private final Skim skim;
    private final boolean managedFields;

    /** @param managedFields whether they are kept */
    EntryReader(ResourceType<T> type, Reading<T> reading, Binding<T> binding, boolean managedFields) {
        this.type = type;
        this.reading = reading;
        this.binding = binding;
        this.skim = binding.skim();
        this.managedFields = managedFields;
    }

    /** The metadata of the object last read, or the bookmark last {@linkplain Skim#bookmark read}. */
    Skim skim() {
        return skim;
    }

    ResourceType<T> type() {
        return type;
    }

    /** The key of the object in the bytes; null if they contain none. */
    @Nullable ObjectKey key(byte[] bytes, int from, int to) {
        skim.object(bytes, from, to);
        return skim.key();
    }

    /** Whether the bytes are to be read; true if they contain no key. */
    boolean isWanted(byte[] bytes, int from, int to) {
        if (reading.wanted() == null) {
            return true;
        }
        ObjectKey key = key(bytes, from, to);
        return key == null || skim.brokenOff || reading.wanted().test(key, skim.uid);
    }

    boolean selects() {
        return reading.wanted() != null;
    }

    /** Whether the bytes, of which more may arrive, suffice to identify the object and its state. */
    boolean isKnown(byte[] bytes, int from, int to) {
        return key(bytes, from, to) != null && !skim.brokenOff;
    }

    /**
     * The object whose {@link #key} was just read: decoded, or the cached entry. May move its bytes.
     *
     * @throws io.reactiveinformer.resource.UnreadableObjectException if it does not fit the type
     */
    Versioned<T> entry(@Nullable ObjectKey key, byte[] bytes, int from, int to) {
        return entry(key, bytes, from, to, null, null);
    }

    /** As above, for an item of a list: a missing {@code apiVersion} or {@code kind} is written before its first property. */
    Versioned<T> entry(@Nullable ObjectKey key, byte[] bytes, int from, int to, @Nullable String apiVersion, @Nullable String kind) {
        Versioned<T> held = key == null ? null : reading.find(key);
        if (held != null && skim.isStateOf(held)) {
            return held;
        }
        int begin = managedFields ? from : skim.cutManagedFields(bytes, from);
        if (!skim.hasKind && kind != null) {
            begin = insert("kind", kind, bytes, begin);
        }
        if (!skim.hasApiVersion && apiVersion != null) {
            begin = insert("apiVersion", apiVersion, bytes, begin);
        }
        return skim.stateOf(binding.bind(key, bytes, begin, to, reading.shares() ? held : null));
    }

    /**
     * Within this number of bytes each object has its name: etcd accepts no larger object, and some have their name after long annotations.
     */
    static final int LARGEST_METADATA = 2 << 20;

    /** Limit of bytes that {@link #entry} writes before an object: two names of DNS length and the JSON around them. */
    static final int HEADROOM = 1 << 10;

    private static int insert(String name, String value, byte[] bytes, int from) {
        byte[] property = ("{\"" + name + "\":\"" + value + "\",").getBytes(StandardCharsets.UTF_8);
        int begin = from + 1 - property.length;
        System.arraycopy(property, 0, bytes, begin, property.length);
        return begin;
    }
}
