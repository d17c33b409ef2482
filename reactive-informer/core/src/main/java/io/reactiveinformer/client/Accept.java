package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.Headers;

/** In which form answers are asked for. */
final class Accept {

    static final Headers JSON = Headers.of("Accept", "application/json");

    /** The list form on a watch would give an empty stream that ends at once, and each form has its own name. */
    private static final Headers METADATA = metadata("PartialObjectMetadata");
    private static final Headers METADATA_LIST = metadata("PartialObjectMetadataList");

    private Accept() {}

    static Headers object(ResourceType<?> type) {
        return type.form() == ResourceType.Form.METADATA ? METADATA : JSON;
    }

    static Headers list(ResourceType<?> type) {
        return type.form() == ResourceType.Form.METADATA ? METADATA_LIST : JSON;
    }

    /** Servers that do not know the form send the whole, of which the metadata is read. */
    private static Headers metadata(String form) {
        return Headers.of("Accept", "application/json;as=" + form + ";g=meta.k8s.io;v=v1,application/json");
    }
}
