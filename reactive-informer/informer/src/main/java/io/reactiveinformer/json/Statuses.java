package io.reactiveinformer.json;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.view.InformerStatus;
import java.util.Map;
import java.util.TreeMap;

/** Writes an {@link InformerStatus} as described in {@link InformerModule}. */
final class Statuses {

    private Statuses() {}

    static void write(InformerStatus status, Json json) {
        json.object(() -> fields(status, json));
    }

    private static void fields(InformerStatus status, Json json) {
        json.textOf("state", status.state().name());
        json.textOf("since", status.since());
        json.field("synced", status.synced());
        json.textOf("staleSince", status.staleSince());
        json.textOf("awaitedSince", status.awaitedSince());
        json.textOf("cause", status.cause() == null ? null : String.valueOf(status.cause().getMessage()));
        json.field("attempt", status.attempt());
        json.textOf("retryIn", status.retryIn());
        if (!status.stale().isEmpty()) {
            json.objectOf("stale", () -> byName(status.stale()).forEach((key, stale) -> json.objectOf(key, () -> stale(stale, json))));
        }
        if (!status.parts().isEmpty()) {
            json.objectOf("parts", () -> byName(status.parts()).forEach((part, one) -> json.objectOf(part, () -> fields(one, json))));
        }
    }

    private static void stale(Stale stale, Json json) {
        json.textOf("resourceVersion", stale.resourceVersion());
        json.textOf("reason", stale.reason());
    }

    private static <V> Map<String, V> byName(Map<?, V> values) {
        Map<String, V> named = new TreeMap<>();
        values.forEach((key, value) -> named.put(key.toString(), value));
        return named;
    }
}
