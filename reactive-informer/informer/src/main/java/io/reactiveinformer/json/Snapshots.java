package io.reactiveinformer.json;

import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;

/** Writes a {@link Snapshot} as described in {@link InformerModule}. */
final class Snapshots {

    private Snapshots() {}

    static <K, T> void write(Snapshot<K, T> snapshot, Json json) {
        json.object(() -> {
            json.field("revision", snapshot.revision());
            json.field("complete", snapshot.complete());
            json.textOf("resourceVersion", snapshot.resourceVersion().orElse(null));
            json.arrayOf("objects", () -> snapshot.forEach((key, row) -> json.object(() -> row(key, row, json))));
        });
    }

    private static void row(Object key, Versioned<?> row, Json json) {
        json.field("key", key);
        json.textOf("resourceVersion", row.resourceVersion());
        json.field("object", row.object());
    }
}
