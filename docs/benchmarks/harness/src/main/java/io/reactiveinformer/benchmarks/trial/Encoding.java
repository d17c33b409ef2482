package io.reactiveinformer.benchmarks.trial;

import java.util.Optional;
import java.util.ServiceLoader;

/** Encodes what a {@link LoadServer} serves in protocol buffers. Without one on its class path it serves JSON only. */
public interface Encoding {

    /** An object in JSON, with its kind, as {@code application/vnd.kubernetes.protobuf}. */
    byte[] encode(byte[] json);

    static Optional<Encoding> find() {
        return ServiceLoader.load(Encoding.class).findFirst();
    }
}
