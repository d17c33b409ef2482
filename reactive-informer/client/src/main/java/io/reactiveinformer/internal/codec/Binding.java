package io.reactiveinformer.internal.codec;

import io.reactiveinformer.internal.codec.ClassReaders.ClassReader;
import io.reactiveinformer.internal.codec.ClassReaders.ObjectReader;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Binds the bytes of one object to the type's class. One for each body. */
public class Binding<T> {

    private static final Logger LOG = LoggerFactory.getLogger(ObjectCodec.class);
    /** The number of failures, by class of the object and kind of failure. */
    private static final Map<String, AtomicLong> BUGS = new ConcurrentHashMap<>();

    private final ResourceType<T> type;
    private final Skim skim;
    private final Readers.Reader reader;
    private final @Nullable ObjectReader faster;
    private tools.jackson.databind.@Nullable ObjectReader jackson;

    /**
     * @param reader of the type's class
     * @param shares whether objects may share equal parts
     */
    Binding(ResourceType<T> type, Skim skim, Readers.Reader reader, boolean shares) {
        this.type = type;
        this.skim = skim;
        this.reader = reader;
        ClassReader ofClass = reader.bytes();
        this.faster = ofClass == null ? null : ofClass.open(skim, shares);
    }

    /** Reads the object's metadata before it is bound; its strings are reused in the object. */
    Skim skim() {
        return skim;
    }

    ResourceType<T> type() {
        return type;
    }

    /**
     * Makes the object of its bytes. Bytes after it are not read.
     *
     * @param before the cached state, with which the object may share parts; null if there is none
     * @throws UnreadableObjectException if the bytes do not fit the type
     */
    T bind(@Nullable ObjectKey key, byte[] bytes, int from, int to, @Nullable Versioned<T> before) {
        Object object;
        try {
            object = read(bytes, from, to, before == null ? null : before.object());
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failure) {
            // errors, too: classes are loaded as they are needed, and users' classes run here
            throw Failures.unreadable(type, key, failure, bytes, from, to);
        }
        if (skim.hasMetUnknown) {
            skim.hasMetUnknown = false;
            reader.meetUnknown();
        }
        if (!type.objectClass().isInstance(object)) {
            throw new UnreadableObjectException("cannot read an object of " + type + ": it is empty", null);
        }
        return type.objectClass().cast(object);
    }

    Object read(byte[] bytes, int from, int to, @Nullable T before) {
        RuntimeException unexpected = null;
        if (faster != null) {
            try {
                Object object = faster.read(bytes, from, to, null, null, before);
                if (object != null) {
                    return object;
                }
            } catch (RuntimeException thrown) {
                unexpected = thrown;
            }
        }
        Object object = jackson().readValue(bytes, from, to - from); // an exception of the object's class recurs here
        if (unexpected != null) {
            report(unexpected, "read by Jackson; -D" + Readers.SHAPES_PROPERTY + "=false reads all objects by it");
        }
        return object;
    }

    /** Another way is used for an object at which a reader of ours threw: it must not remain a slow path without notice. */
    final void report(RuntimeException bug, String instead) {
        long count = BUGS.computeIfAbsent(type.objectClass().getName() + " " + bug.getClass().getName(), first -> new AtomicLong())
                .incrementAndGet();
        if (Long.bitCount(count) == 1) {
            LOG.warn("{} objects of {} were {}. This is a bug in the reader for usual objects: please report it",
                    count, type.objectClass().getName(), instead, bug);
        }
    }

    private tools.jackson.databind.ObjectReader jackson() {
        tools.jackson.databind.ObjectReader made = jackson;
        if (made == null) {
            made = reader.jackson().withAttribute(Skim.class, skim);
            jackson = made;
        }
        return made;
    }
}
