package io.reactiveinformer.benchmarks;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import io.reactiveinformer.benchmarks.trial.Encoding;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.ObjectNode;

/** The protocol buffers that the fake API server writes, which are a real one's. */
public final class ProtobufEncoding implements Encoding {

    @Override
    public byte[] encode(byte[] json) {
        return ProtobufObjects.write((ObjectNode) Json.read(new String(json, StandardCharsets.UTF_8)));
    }
}
