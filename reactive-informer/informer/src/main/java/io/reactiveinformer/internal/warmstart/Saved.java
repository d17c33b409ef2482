package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.Versioned;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The state that an earlier process saved.
 *
 * @param at when the state was current
 * @param parts the state of each part of the namespaces
 */
public record Saved<T>(Instant at, Map<Namespaces, Part<T>> parts) {

    /**
     * The saved state of one part.
     *
     * @param resourceVersion the version up to which the rows are complete
     * @param rows {@link Delta.Upserted}, and {@link Delta.Unreadable} for states that could not be read
     */
    public record Part<T>(String resourceVersion, List<Delta<T>> rows) {

        /** Whether the state of an object could not be read. */
        public boolean hasUnread() {
            return rows.stream().anyMatch(row -> row instanceof Delta.Unreadable);
        }
    }

    /** The version up to which each part is complete. */
    Map<Namespaces, String> versions() {
        Map<Namespaces, String> versions = new LinkedHashMap<>();
        parts.forEach((part, held) -> versions.put(part, held.resourceVersion()));
        return versions;
    }

    /** The {@code known} objects in {@code namespaces}, with all parts complete up to the same version. */
    public static <T> Saved<T> of(Known<T> known, Namespaces namespaces, String resourceVersion, Instant at) {
        Map<Namespaces, Part<T>> parts = new LinkedHashMap<>();
        for (Namespaces part : namespaces.parts()) {
            List<Delta<T>> rows = new ArrayList<>();
            known.forEachKey(part, key -> {
                Versioned<T> entry = known.find(key);
                if (entry != null) {
                    rows.add(new Delta.Upserted<>(part, key, entry));
                }
            });
            parts.put(part, new Part<>(resourceVersion, rows));
        }
        return new Saved<>(at, parts);
    }
}
