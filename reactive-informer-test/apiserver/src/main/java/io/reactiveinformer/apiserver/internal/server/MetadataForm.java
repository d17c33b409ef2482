package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ObjectForm;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code PartialObjectMetadata}: only the metadata of each object, in the same form for every type. */
record MetadataForm(ResourceDefinition type, String version) implements Representation {

    private static final String HEAD = "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":";

    static ObjectNode partial(JsonNode metadata) {
        ObjectNode partial = Json.object().put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", ObjectForm.orderedMetadata(metadata));
        return partial;
    }

    @Override
    public List<byte[]> single(StoredObject object) {
        return List.of(Json.write(partial(object.tree(type, version).path("metadata"))));
    }

    @Override
    public byte[] listStart(ListHead list) {
        return Json.utf8("{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":" + FullForm.metadata(list)
                + ",\"items\":[");
    }

    @Override
    public List<byte[]> item(StoredObject object) {
        return single(object);
    }

    @Override
    public byte[] bookmarkObject(long version, boolean initialEventsEnd) {
        return Json.utf8(HEAD + FullForm.bookmarkMetadata(version, initialEventsEnd) + "}");
    }
}
