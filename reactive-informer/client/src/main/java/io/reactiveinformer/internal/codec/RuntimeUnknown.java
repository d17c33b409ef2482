package io.reactiveinformer.internal.codec;

import org.jspecify.annotations.Nullable;

/** A {@code runtime.Unknown}: the kind of an object, and where its bytes are. They may end before the object does. */
final class RuntimeUnknown {

    private static final int TYPE = Wire.tag(1, Wire.LENGTH);
    private static final int RAW = Wire.tag(2, Wire.LENGTH);

    @Nullable String apiVersion;
    @Nullable String kind;
    int from;
    int to;

    /** @throws MalformedMessageException if the bytes at which {@code wire} is are none */
    RuntimeUnknown(Wire wire) {
        if (!wire.magic()) {
            throw new MalformedMessageException("an object does not begin with k8s\\0");
        }
        from = wire.end;
        to = wire.end;
        while (wire.hasMore()) {
            int tag = wire.tag();
            if (tag == TYPE) {
                int outer = wire.enter();
                Type type = Type.read(wire);
                apiVersion = type.apiVersion;
                kind = type.kind;
                wire.leave(outer);
            } else if (tag == RAW) {
                int outer = wire.enterPart();
                from = wire.at;
                to = wire.end;
                wire.leave(outer);
            } else {
                wire.skip(tag);
            }
        }
    }

    /** The kind of an object or a list. */
    record Type(@Nullable String apiVersion, @Nullable String kind) {

        private static final int API_VERSION = Wire.tag(1, Wire.LENGTH);
        private static final int KIND = Wire.tag(2, Wire.LENGTH);

        /** Reads the rest of the message that {@code wire} has entered. */
        static Type read(Wire wire) {
            String apiVersion = null;
            String kind = null;
            while (wire.hasMore()) {
                int tag = wire.tag();
                if (tag == API_VERSION) {
                    apiVersion = wire.text();
                } else if (tag == KIND) {
                    kind = wire.text();
                } else {
                    wire.skip(tag);
                }
            }
            return new Type(apiVersion, kind);
        }
    }
}
