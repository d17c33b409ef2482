package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Snapshot;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A complete state of an informer's cache at one instant.
 *
 * @param at when this state was current
 * @param changes the number of changes of objects up to this state
 */
public record Held<T>(Instant at, long changes, Namespaces namespaces, Snapshot<ObjectKey, T> rows, Map<ObjectKey, Stale> stale) {

    /** The version up to which each part is complete. */
    Map<Namespaces, String> versions() {
        Map<Namespaces, String> versions = new LinkedHashMap<>();
        namespaces.parts().forEach(part -> rows.resourceVersion(part).ifPresent(version -> versions.put(part, version)));
        return versions;
    }
}
