package io.reactiveinformer.spring;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A row as it is sent to all browsers. */
record StreamRow(ObjectKey key, Map<String, String> labels, String json) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    static StreamRow of(Object object, @Nullable Object row) {
        var metadata = PartialObjectMetadata.of(object).metadata();
        if (metadata.getName() == null) {
            throw new IllegalArgumentException("an object without a name cannot be streamed");
        }
        ObjectKey key = ObjectKey.of(metadata.getNamespace(), metadata.getName());
        String json = JSON.writeValueAsString(row).replace('\n', ' ').replace('\r', ' '); // one line; a class may write JSON of its own
        return new StreamRow(key, PartialObjectMetadata.labels(object), "{\"key\":" + quoted(key) + ",\"row\":" + json + "}");
    }

    static String quoted(ObjectKey key) {
        return JSON.writeValueAsString(key.toString());
    }
}
