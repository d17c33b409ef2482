package io.reactiveinformer.delta;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.informer.SameContent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares a received event with what is known when it is delivered. */
final class Comparison<T> {

    private final Known<T> known;

    Comparison(Known<T> known) {
        this.known = known;
    }

    /**
     * The change that {@link #known} needs for one event of a watch; null if none.
     *
     * @param completeTo see {@link Delta#completeTo}
     */
    @Nullable Delta<T> live(ReflectorEvent<T> event, @Nullable String completeTo) {
        Namespaces part = event.part();
        String version = event.resourceVersion();
        if (ResourceVersion.isAtMost(version, known.reached(part))) {
            return null;
        }
        ObjectKey key = event instanceof ReflectorEvent.Received<T> received ? received.event().key() : null;
        if (key == null) {
            return version == null ? null : new Delta.Progressed<>(part, version);
        }
        Versioned<T> cached = known.find(key);
        if (cached != null && ResourceVersion.isAtMost(version, cached.resourceVersion())) {
            return null;
        }
        return changed(part, key, ((ReflectorEvent.Received<T>) event).event(), cached, completeTo);
    }

    private static <T> Delta<T> changed(
            Namespaces part, ObjectKey key, ObjectEvent<T> event, @Nullable Versioned<T> cached, @Nullable String completeTo) {
        Versioned<T> entry = event.entry();
        if (event instanceof ObjectEvent.Unreadable<T> unreadable) {
            if (!unreadable.deleted() || cached == null) {
                return new Delta.Unreadable<>(
                        part, key, unreadable.resourceVersion(), unreadable.failure(), unreadable.deleted(), completeTo);
            }
            String uid = unreadable.uid() == null ? cached.uid() : unreadable.uid();
            entry = new Versioned<>(uid, unreadable.resourceVersion(), cached.object());
        }
        Versioned<T> state = Objects.requireNonNull(entry);
        return event.deleted() ? new Delta.Deleted<>(part, key, state, DeletionCause.OBSERVED, completeTo)
                : new Delta.Upserted<>(part, key, state, completeTo);
    }

    /**
     * The change that {@link #known} needs for a complete listing, which is complete up to its own version.
     *
     * @param listing {@link ObjectEvent.Applied} and {@link ObjectEvent.Unreadable}, one a key
     */
    Delta<T> listed(ReflectorEvent.ListingEnded<T> ended, Map<ObjectKey, ObjectEvent<T>> listing) {
        Namespaces part = ended.part();
        var differences = new ArrayList<Delta<T>>();
        known.forEachKey(part, key -> {
            Versioned<T> cached = listing.containsKey(key) ? null : known.find(key);
            if (cached != null && isDue(ended, cached)) {
                differences.add(new Delta.Deleted<>(part, key, cached, DeletionCause.INFERRED));
            }
        });
        listing.forEach((key, event) -> {
            Versioned<T> cached = known.find(key);
            if (cached != null && !isDue(ended, cached)) {
                return;
            }
            Versioned<T> entry = event.entry();
            if (event instanceof ObjectEvent.Unreadable<T> unreadable) {
                differences.add(new Delta.Unreadable<>(part, key, unreadable.resourceVersion(), unreadable.failure()));
            } else if (entry != null
                    && (cached == null || ended.newEpoch() || !cached.sameVersion(entry) || isShownOtherwise(cached, entry))) {
                differences.add(new Delta.Upserted<>(part, key, entry));
            }
        });
        return new Delta.Replaced<>(part, List.copyOf(differences), ended.resourceVersion(), ended.newEpoch());
    }

    /** A listing proves nothing about later states; but it overrides earlier ones, whatever the object's version. */
    private static boolean isDue(ReflectorEvent.ListingEnded<?> ended, Versioned<?> cached) {
        return ended.newEpoch() || !ResourceVersion.isNewer(cached.resourceVersion(), ended.resourceVersion());
    }

    /**
     * Whether the content differs in the same version: possible for a custom resource whose definition has changed, as defaults are
     * filled in on reading.
     */
    private static boolean isShownOtherwise(Versioned<?> cached, Versioned<?> listed) {
        return cached.object() != listed.object() && !SameContent.of(cached.object(), listed.object());
    }
}
