package io.reactiveinformer.delta;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceVersion;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Something heard that may be news. Whether it is depends on what is known when it is told. */
sealed interface News<T> {

    /** What has to change in what is {@code known}; null if nothing. */
    @Nullable Delta<T> against(Known<T> known);

    /**
     * One event of a watch.
     *
     * @param resourceVersion null where the event has none: then nothing shows that it is old
     */
    record Live<T>(ReflectorEvent<T> event, @Nullable String resourceVersion) implements News<T> {

        @Override
        public @Nullable Delta<T> against(Known<T> known) {
            Scope scope = event.scope();
            if (ResourceVersion.isAtMost(resourceVersion, known.reached(scope))) {
                return null;
            }
            if (event instanceof ReflectorEvent.Upserted<T> upserted) {
                return isPast(known.find(upserted.key())) ? null : new Delta.Upserted<>(scope, upserted.key(), upserted.entry());
            }
            if (event instanceof ReflectorEvent.Deleted<T> deleted) {
                return deleted(scope, deleted.key(), known.find(deleted.key()), deleted.entry());
            }
            if (event instanceof ReflectorEvent.Unreadable<T> unreadable) {
                Versioned<T> held = known.find(unreadable.key());
                if (isPast(held)) {
                    return null;
                }
                return unreadable.deleted()
                        ? deleted(scope, unreadable.key(), held, held == null ? null : versioned(unreadable, held))
                        : new Delta.Unreadable<>(scope, unreadable.key(), resourceVersion, unreadable.failure());
            }
            return progressed(scope);
        }

        private boolean isPast(@Nullable Versioned<T> held) {
            return held != null && ResourceVersion.isAtMost(resourceVersion, held.resourceVersion());
        }

        /** The end of an object that we never had is no news but for its version. */
        private @Nullable Delta<T> deleted(Scope scope, ObjectKey key, @Nullable Versioned<T> held, @Nullable Versioned<T> last) {
            if (held == null || last == null) {
                return progressed(scope);
            }
            return isPast(held) ? null : new Delta.Deleted<>(scope, key, last, DeletionCause.OBSERVED);
        }

        private @Nullable Delta<T> progressed(Scope scope) {
            return resourceVersion == null ? null : new Delta.Progressed<>(scope, resourceVersion);
        }

        private Versioned<T> versioned(ReflectorEvent.Unreadable<T> end, Versioned<T> held) {
            return new Versioned<>(end.uid() == null ? held.uid() : end.uid(), resourceVersion, held.object());
        }
    }

    /**
     * A complete listing.
     *
     * @param listing {@link ReflectorEvent.Upserted} and {@link ReflectorEvent.Unreadable}, one a key
     */
    record Replacement<T>(Scope scope, Map<ObjectKey, ReflectorEvent<T>> listing, String resourceVersion, boolean newEpoch)
            implements News<T> {

        @Override
        public Delta<T> against(Known<T> known) {
            var differences = new ArrayList<Delta<T>>();
            known.forEachKey(scope, key -> {
                Versioned<T> held = known.find(key);
                if (held != null && !listing.containsKey(key) && isDue(held)) {
                    differences.add(new Delta.Deleted<>(scope, key, held, DeletionCause.INFERRED));
                }
            });
            listing.forEach((key, event) -> addIfNews(differences, key, event, known.find(key)));
            return new Delta.Replaced<>(scope, List.copyOf(differences), resourceVersion, newEpoch);
        }

        private void addIfNews(List<Delta<T>> differences, ObjectKey key, ReflectorEvent<T> event, @Nullable Versioned<T> held) {
            if (held != null && !isDue(held)) {
                return;
            }
            if (event instanceof ReflectorEvent.Upserted<T> upserted) {
                if (held == null || newEpoch || !held.sameVersion(upserted.entry())) {
                    differences.add(new Delta.Upserted<>(scope, key, upserted.entry()));
                }
            } else if (event instanceof ReflectorEvent.Unreadable<T> unreadable) {
                differences.add(new Delta.Unreadable<>(scope, key, unreadable.resourceVersion(), unreadable.failure()));
            }
        }

        /** A listing says nothing of what happened after it; but of what came before, it knows better whatever the object's version. */
        private boolean isDue(Versioned<T> held) {
            return newEpoch || !ResourceVersion.isNewer(held.resourceVersion(), resourceVersion);
        }
    }
}
