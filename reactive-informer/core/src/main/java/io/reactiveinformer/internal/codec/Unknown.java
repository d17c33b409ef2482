package io.reactiveinformer.internal.codec;

import org.jspecify.annotations.Nullable;

/** A {@code runtime.Unknown}: the kind of an object, and where its bytes are. They may end before the object does. */
final class Unknown {

    private static final int TYPE = Wire.tag(1, Wire.LENGTH);
    private static final int RAW = Wire.tag(2, Wire.LENGTH);

    @Nullable String apiVersion;
    @Nullable String kind;
    int from;
    int to;

    /** @throws MalformedMessageException if the bytes at which {@code wire} is are none */
    Unknown(Wire wire) {
        if (!wire.magic()) {
            throw new MalformedMessageException("an object does not begin with k8s\\0");
        }
        from = wire.end;
        to = wire.end;
        while (wire.hasMore()) {
            int tag = wire.tag();
            if (tag == TYPE) {
                int outer = wire.enter();
                type(wire);
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

    private void type(Wire wire) {
        while (wire.hasMore()) {
            int tag = wire.tag();
            if (tag == TYPE) {
                apiVersion = wire.text();
            } else if (tag == RAW) {
                kind = wire.text();
            } else {
                wire.skip(tag);
            }
        }
    }
}
