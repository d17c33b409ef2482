package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ObjectForm;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.schema.GoForm;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** Whole objects: the stored bytes, preceded by the head of the requested version. */
final class FullForm implements Representation {

    private final ResourceDefinition type;
    private final String version;
    private final String apiVersion;
    private final byte[] head;
    private final byte[] itemHead;

    FullForm(ResourceDefinition type, String version) {
        this.type = type;
        this.version = version;
        this.apiVersion = type.apiVersion(version);
        this.head = ObjectForm.head(type, version);
        this.itemHead = ObjectForm.itemHead(type, version);
    }

    @Override
    public List<byte[]> single(StoredObject object) {
        return List.of(head, object.body(type, version));
    }

    @Override
    public byte[] listStart(ListHead list) {
        return Json.utf8(
                type.isCustom()
                        ? "{\"apiVersion\":\"" + apiVersion + "\",\"items\":["
                        : "{\"kind\":\"" + type.listKind() + "\",\"apiVersion\":\"" + apiVersion + "\",\"metadata\":" + metadata(list)
                                + ",\"items\":[");
    }

    @Override
    public List<byte[]> item(StoredObject object) {
        return List.of(itemHead, object.body(type, version));
    }

    @Override
    public byte[] listEnd(ListHead list) {
        return Json.utf8(type.isCustom() ? "],\"kind\":\"" + type.listKind() + "\",\"metadata\":" + customMetadata(list) + "}\n" : "]}\n");
    }

    @Override
    public byte[] bookmarkObject(long version, boolean initialEventsEnd) {
        ObjectNode object = GoForm.zero(apiVersion, type.kind()).put("kind", type.kind()).put("apiVersion", apiVersion);
        object.set("metadata", bookmarkMetadata(version, initialEventsEnd));
        return Json.write(ObjectForm.order(type, object));
    }

    static ObjectNode bookmarkMetadata(long version, boolean initialEventsEnd) {
        ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(version));
        if (initialEventsEnd) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        return metadata;
    }

    static ObjectNode metadata(ListHead list) {
        ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(list.version()));
        if (!list.continuation().isEmpty()) {
            metadata.put("continue", list.continuation());
        }
        if (list.remaining() > 0) {
            metadata.put("remainingItemCount", list.remaining());
        }
        if (!list.shards().isEmpty()) {
            metadata.putObject("shardInfo").put("selector", list.shards());
        }
        return metadata;
    }

    /** Custom types have a continue token, also an empty one, and other fields in the order of their names. */
    private static ObjectNode customMetadata(ListHead list) {
        ObjectNode metadata = Json.object().put("continue", list.continuation());
        ObjectNode others = metadata(list);
        Stream.of("remainingItemCount", "resourceVersion", "shardInfo").filter(others::has)
                .forEach(field -> metadata.set(field, others.path(field)));
        return metadata;
    }
}
