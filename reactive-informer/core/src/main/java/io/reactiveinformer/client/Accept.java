package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest.Headers;

/** The {@code Accept} headers of requests. */
final class Accept {

    static final Headers JSON = Headers.of("Accept", "application/json");

    /** Metadata only. Each form has its own name: the list form on a watch would give an empty stream that ends at once. */
    private static final Headers METADATA = metadata("PartialObjectMetadata");
    private static final Headers METADATA_LIST = metadata("PartialObjectMetadataList");

    private Accept() {}

    static Headers object(ResourceType<?> type) {
        return type.form() == ResourceType.Form.METADATA ? METADATA : JSON;
    }

    static Headers list(ResourceType<?> type) {
        return type.form() == ResourceType.Form.METADATA ? METADATA_LIST : JSON;
    }

    /** A server that does not support the form sends whole objects; only their metadata is read. */
    private static Headers metadata(String form) {
        return Headers.of("Accept", "application/json;as=" + form + ";g=meta.k8s.io;v=v1,application/json");
    }
}
