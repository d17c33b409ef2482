package io.reactiveinformer.benchmarks.trial;

import java.util.Optional;
import java.util.ServiceLoader;

/** Writes protocol buffers for a {@link LoadServer}, which without one on its class path serves JSON only. */
public interface Encoding {

    /** An object in JSON, with its kind, as {@code application/vnd.kubernetes.protobuf}. */
    byte[] encode(byte[] json);

    static Optional<Encoding> find() {
        return ServiceLoader.load(Encoding.class).findFirst();
    }
}
