package io.reactiveinformer.demo;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the printed changes amount to: the objects that they leave, replayed over nothing. Not for several threads at once. */
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

    /** How many changes other than {@link Change.Synced} there were. */
    long changes() {
        return changes;
    }

    boolean synced() {
        return synced;
    }

    /** The newest version that was told of; null before {@link Change.Synced}, when nothing was complete yet. */
    @Nullable String version() {
        return version;
    }

    SortedMap<ObjectKey, Versioned<?>> objects() {
        return Collections.unmodifiableSortedMap(objects);
    }
}
