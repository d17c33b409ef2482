package io.reactiveinformer.json;

import io.reactiveinformer.view.Change;

/** Writes a {@link Change} as described in {@link InformerModule}. */
final class Changes {

    private Changes() {}

    static <K, T> void write(Change<K, T> change, Json json) {
        json.object(change.<Runnable>match(
                added -> () -> added(added, json), updated -> () -> updated(updated, json),
                deleted -> () -> deleted(deleted, json), synced -> () -> synced(synced, json)));
    }

    private static void begin(String type, Object key, Json json) {
        json.textOf("type", type);
        json.field("key", key);
    }

    private static void added(Change.Added<?, ?> added, Json json) {
        begin("ADDED", added.key(), json);
        json.textOf("resourceVersion", added.entry().resourceVersion());
        json.field("initial", added.initial());
        json.field("object", added.object());
    }

    private static void updated(Change.Updated<?, ?> updated, Json json) {
        begin("UPDATED", updated.key(), json);
        json.textOf("resourceVersion", updated.entryAfter().resourceVersion());
        json.field("object", updated.after());
        json.textOf("beforeResourceVersion", updated.entryBefore().resourceVersion());
        json.field("before", updated.before());
    }

    private static void deleted(Change.Deleted<?, ?> deleted, Json json) {
        begin("DELETED", deleted.key(), json);
        json.textOf("resourceVersion", deleted.entry().resourceVersion());
        json.textOf("deletedAt", deleted.deletedAt());
        json.textOf("cause", deleted.cause().name());
        json.field("object", deleted.last());
    }

    private static void synced(Change.Synced<?, ?> synced, Json json) {
        json.textOf("type", "SYNCED");
        json.textOf("resourceVersion", synced.resourceVersion());
        json.field("count", synced.count());
    }
}
