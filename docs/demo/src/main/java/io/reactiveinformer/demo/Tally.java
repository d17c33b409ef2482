package io.reactiveinformer.demo;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state after the printed changes: replays them over an empty map. Not for several threads at once. */
final class Tally {

    private final SortedMap<ObjectKey, Versioned<?>> objects = new TreeMap<>();
    private long changes;
    private boolean synced;
    private @Nullable String version;

    void add(Change<ObjectKey, ?> change) {
        change.accept(
                added -> keep(added.key(), added.entry()),
                updated -> keep(updated.key(), updated.entryAfter()),
                deleted -> {
                    objects.remove(deleted.key());
                    count(deleted.deletedAt());
                },
                done -> {
                    synced = true;
                    version = done.resourceVersion();
                });
    }

    private void keep(ObjectKey key, Versioned<?> entry) {
        objects.put(key, entry);
        count(entry.resourceVersion());
    }

    private void count(@Nullable String changedAt) {
        if (synced && changedAt != null && (version == null || isNewer(changedAt, version))) {
            version = changedAt;
        }
        changes++;
    }

    /** Versions are decimal numbers without leading zeros. */
    private static boolean isNewer(String one, String other) {
        return one.length() == other.length() ? one.compareTo(other) > 0 : one.length() > other.length();
    }

    /** The number of changes other than {@link Change.Synced}. */
    long changes() {
        return changes;
    }

    boolean synced() {
        return synced;
    }

    /** The newest version in the changes; null before {@link Change.Synced}, while the state is not complete. */
    @Nullable String version() {
        return version;
    }

    SortedMap<ObjectKey, Versioned<?>> objects() {
        return Collections.unmodifiableSortedMap(objects);
    }
}
