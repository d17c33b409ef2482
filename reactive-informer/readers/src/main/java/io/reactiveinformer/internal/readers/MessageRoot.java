package io.reactiveinformer.internal.readers;

import org.jspecify.annotations.Nullable;

/** Reads whole objects from protocol buffers, which have their {@code apiVersion} and {@code kind} elsewhere. */
interface MessageRoot {

    /** Reads the message that {@code in} is at, to its end. The object is a new one in any case. */
    Object read(MessageReader in, @Nullable String apiVersion, @Nullable String kind, @Nullable Object before);
}
