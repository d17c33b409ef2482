package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest.Headers;

/** The {@code Accept} headers of requests. */
final class Accept {

    static final Headers JSON = Headers.of("Accept", "application/json");

    static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final Headers EITHER = Headers.of("Accept", PROTOBUF + ",application/json");

    /** Metadata only. Each form has its own name: the list form on a watch would give an empty stream that ends at once. */
    private static final Headers METADATA = metadata("PartialObjectMetadata", false);
    private static final Headers METADATA_LIST = metadata("PartialObjectMetadataList", false);
    private static final Headers EITHER_METADATA = metadata("PartialObjectMetadata", true);
    private static final Headers EITHER_METADATA_LIST = metadata("PartialObjectMetadataList", true);

    private Accept() {}

    static Headers object(ResourceType<?> type) {
        return type.form() == ResourceType.Form.METADATA ? METADATA : JSON;
    }

    /** @param protobuf whether the answer may be in protocol buffers, too */
    static Headers watch(ResourceType<?> type, boolean protobuf) {
        return !protobuf ? object(type) : type.form() == ResourceType.Form.METADATA ? EITHER_METADATA : EITHER;
    }

    /** @param protobuf whether the answer may be in protocol buffers, too */
    static Headers list(ResourceType<?> type, boolean protobuf) {
        boolean metadata = type.form() == ResourceType.Form.METADATA;
        return protobuf ? metadata ? EITHER_METADATA_LIST : EITHER : metadata ? METADATA_LIST : JSON;
    }

    /** A server that does not support the form sends whole objects; only their metadata is read. */
    private static Headers metadata(String form, boolean protobuf) {
        String as = ";as=" + form + ";g=meta.k8s.io;v=v1,";
        return Headers.of("Accept", (protobuf ? PROTOBUF + as : "") + "application/json" + as + "application/json");
    }
}
