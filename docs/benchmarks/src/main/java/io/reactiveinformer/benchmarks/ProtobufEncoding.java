package io.reactiveinformer.benchmarks;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import io.reactiveinformer.benchmarks.trial.Encoding;
import tools.jackson.databind.node.ObjectNode;

/** Encodes as the fake API server does. */
public final class ProtobufEncoding implements Encoding {

    @Override
    public byte[] encode(byte[] json) {
        return ProtobufObjects.write((ObjectNode) Json.read(json));
    }
}
