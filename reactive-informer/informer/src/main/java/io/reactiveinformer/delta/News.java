package io.reactiveinformer.delta;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.informer.SameContent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A received event that may be news. Whether it is depends on what is known when it is delivered. */
sealed interface News<T> {

    /**
     * The change that {@code known} needs; null if none.
     *
     * @param completeTo see {@link Delta#completeTo}; a complete listing is complete up to its own version
     */
    @Nullable Delta<T> against(Known<T> known, @Nullable String completeTo);

    /**
     * One event of a watch.
     *
     * @param resourceVersion null if the event has none: then it cannot be known to be old
     */
    record Live<T>(ReflectorEvent<T> event, @Nullable String resourceVersion) implements News<T> {

        @Override
        public @Nullable Delta<T> against(Known<T> known, @Nullable String completeTo) {
            Namespaces part = event.part();
            if (ResourceVersion.isAtMost(resourceVersion, known.reached(part))) {
                return null;
            }
            if (event instanceof ReflectorEvent.Upserted<T> upserted) {
                return isPast(known.find(upserted.key())) ? null : new Delta.Upserted<>(part, upserted.key(), upserted.entry(), completeTo);
            }
            if (event instanceof ReflectorEvent.Deleted<T> deleted) {
                return isPast(known.find(deleted.key())) ? null : deleted(deleted.key(), deleted.entry(), completeTo);
            }
            if (event instanceof ReflectorEvent.Unreadable<T> unreadable) {
                Versioned<T> held = known.find(unreadable.key());
                return isPast(held) ? null : unreadable(unreadable, held, completeTo);
            }
            return resourceVersion == null ? null : new Delta.Progressed<>(part, resourceVersion);
        }

        private boolean isPast(@Nullable Versioned<T> held) {
            return held != null && ResourceVersion.isAtMost(resourceVersion, held.resourceVersion());
        }

        private Delta<T> unreadable(ReflectorEvent.Unreadable<T> state, @Nullable Versioned<T> held, @Nullable String completeTo) {
            if (!state.deleted() || held == null) {
                return new Delta.Unreadable<>(event.part(), state.key(), resourceVersion, state.failure(), state.deleted(), completeTo);
            }
            String uid = state.uid() == null ? held.uid() : state.uid();
            return deleted(state.key(), new Versioned<>(uid, resourceVersion, held.object()), completeTo);
        }

        private Delta<T> deleted(ObjectKey key, Versioned<T> last, @Nullable String completeTo) {
            return new Delta.Deleted<>(event.part(), key, last, DeletionCause.OBSERVED, completeTo);
        }
    }

    /**
     * A complete listing.
     *
     * @param listing {@link ReflectorEvent.Upserted} and {@link ReflectorEvent.Unreadable}, one a key
     */
    record Replacement<T>(Namespaces part, Map<ObjectKey, ReflectorEvent<T>> listing, String resourceVersion, boolean newEpoch)
            implements News<T> {

        @Override
        public Delta<T> against(Known<T> known, @Nullable String completeTo) {
            var differences = new ArrayList<Delta<T>>();
            known.forEachKey(part, key -> {
                Versioned<T> held = listing.containsKey(key) ? null : known.find(key);
                if (held != null && isDue(held)) {
                    differences.add(new Delta.Deleted<>(part, key, held, DeletionCause.INFERRED));
                }
            });
            listing.forEach((key, event) -> {
                Versioned<T> held = known.find(key);
                if (held == null || isDue(held)) {
                    addIfNews(differences, key, event, held);
                }
            });
            return new Delta.Replaced<>(part, List.copyOf(differences), resourceVersion, newEpoch);
        }

        private void addIfNews(List<Delta<T>> differences, ObjectKey key, ReflectorEvent<T> event, @Nullable Versioned<T> held) {
            if (event instanceof ReflectorEvent.Upserted<T> upserted) {
                if (held == null || newEpoch || !held.sameVersion(upserted.entry()) || isShownOtherwise(held, upserted.entry())) {
                    differences.add(new Delta.Upserted<>(part, key, upserted.entry()));
                }
            } else if (event instanceof ReflectorEvent.Unreadable<T> unreadable) {
                differences.add(new Delta.Unreadable<>(part, key, unreadable.resourceVersion(), unreadable.failure()));
            }
        }

        /**
         * Whether the content differs in the same version: possible for a custom resource whose definition has changed, as defaults are
         * filled in on reading.
         */
        private static <T> boolean isShownOtherwise(Versioned<T> held, Versioned<T> listed) {
            return held.object() != listed.object() && !SameContent.of(held.object(), listed.object());
        }

        /** A listing proves nothing about later states; but it overrides earlier ones, whatever the object's version. */
        private boolean isDue(Versioned<T> held) {
            return newEpoch || !ResourceVersion.isNewer(held.resourceVersion(), resourceVersion);
        }
    }
}
