package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One change of the rows, as one subscriber receives it. The changes that it received, applied in order to an empty map, give the current
 * rows once no more changes are pending. {@code before} and {@code last} are the states that this subscriber received last. Immutable.
 *
 * <p>Match the kinds with {@link #match} and {@link #accept}, or from Java 21 on with the patterns of a {@code switch}:
 * {@code case Change.Updated(var key, var before, var after, var entryBefore, var entryAfter)}. An entry is the object with its uid and
 * resourceVersion. Objects are shared and must not be changed.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public sealed interface Change<K, T> {

    /**
     * Calls the function for this kind of change, and returns its result. If a later release adds a kind, callers that do not handle it no
     * longer compile.
     */
    default <R extends @Nullable Object> R match(
            Function<? super Added<K, T>, ? extends R> onAdded,
            Function<? super Updated<K, T>, ? extends R> onUpdated,
            Function<? super Deleted<K, T>, ? extends R> onDeleted,
            Function<? super Synced<K, T>, ? extends R> onSynced) {
        if (this instanceof Added<K, T> added) {
            return onAdded.apply(added);
        }
        if (this instanceof Updated<K, T> updated) {
            return onUpdated.apply(updated);
        }
        if (this instanceof Deleted<K, T> deleted) {
            return onDeleted.apply(deleted);
        }
        return onSynced.apply((Synced<K, T>) this);
    }

    /** Calls the consumer for this kind of change: {@link #match} for side effects. */
    default void accept(
            Consumer<? super Added<K, T>> onAdded,
            Consumer<? super Updated<K, T>> onUpdated,
            Consumer<? super Deleted<K, T>> onDeleted,
            Consumer<? super Synced<K, T>> onSynced) {
        if (this instanceof Added<K, T> added) {
            onAdded.accept(added);
        } else if (this instanceof Updated<K, T> updated) {
            onUpdated.accept(updated);
        } else if (this instanceof Deleted<K, T> deleted) {
            onDeleted.accept(deleted);
        } else {
            onSynced.accept((Synced<K, T>) this);
        }
    }

    /**
     * An object was added, as far as the subscriber knows.
     *
     * @param key the key of the row
     * @param object the object
     * @param initial whether this is emitted before {@link Synced}: the row existed when the subscription began
     * @param entry {@code object}, with its uid and version
     */
    record Added<K, T>(K key, T object, boolean initial, Versioned<T> entry) implements Change<K, T> {

        /**
         * All components.
         *
         * @throws IllegalArgumentException if {@code object} is not the same instance as the object of {@code entry}
         */
        public Added {
            requireObjectOf(entry, object, "object", key);
        }

        /** As the canonical constructor, with the object of {@code entry}. */
        public Added(K key, Versioned<T> entry, boolean initial) {
            this(key, entry.object(), initial, entry);
        }

        /** Prints the object once, as a part of the entry. */
        @Override
        public String toString() {
            return "Added[key=" + key + ", initial=" + initial + ", entry=" + entry + "]";
        }
    }

    /**
     * An object has changed; in a resync, an unchanged object is emitted again.
     *
     * @param key the key of the row
     * @param before the state that this subscriber received last
     * @param after the new state
     * @param entryBefore {@code before}, with its uid and version
     * @param entryAfter {@code after}, with its uid and version
     */
    record Updated<K, T>(K key, T before, T after, Versioned<T> entryBefore, Versioned<T> entryAfter) implements Change<K, T> {

        /**
         * All components.
         *
         * @throws IllegalArgumentException if {@code before} or {@code after} is not the same instance as the object of its entry
         */
        public Updated {
            requireObjectOf(entryBefore, before, "before", key);
            requireObjectOf(entryAfter, after, "after", key);
        }

        /** As the canonical constructor, with the objects of the entries. */
        public Updated(K key, Versioned<T> entryBefore, Versioned<T> entryAfter) {
            this(key, entryBefore.object(), entryAfter.object(), entryBefore, entryAfter);
        }

        /** Prints each object once, as a part of its entry. */
        @Override
        public String toString() {
            return "Updated[key=" + key + ", entryBefore=" + entryBefore + ", entryAfter=" + entryAfter + "]";
        }
    }

    /**
     * An object no longer exists, or is no longer part of the view; see {@code cause}.
     *
     * @param key the key of the row
     * @param last the state that this subscriber received last
     * @param cause how the deletion is known
     * @param deletedAt the version of the deletion; if the server sent none, that of {@code entry}
     * @param entry {@code last}, with its uid and version
     */
    record Deleted<K, T>(K key, T last, DeletionCause cause, @Nullable String deletedAt, Versioned<T> entry) implements Change<K, T> {

        /**
         * All components.
         *
         * @throws IllegalArgumentException if {@code last} is not the same instance as the object of {@code entry}
         */
        public Deleted {
            requireObjectOf(entry, last, "last", key);
        }

        /** As the canonical constructor, with the object of {@code entry}. */
        public Deleted(K key, Versioned<T> entry, DeletionCause cause, @Nullable String deletedAt) {
            this(key, entry.object(), cause, deletedAt, entry);
        }

        /** Prints the object once, as a part of the entry. */
        @Override
        public String toString() {
            return "Deleted[key=" + key + ", cause=" + cause + ", deletedAt=" + deletedAt + ", entry=" + entry + "]";
        }
    }

    /**
     * All rows that existed when the subscription began were emitted. Emitted exactly once in a subscription.
     *
     * @param resourceVersion the version up to which these rows are complete; null if there is no single one
     * @param count the number of {@link Added} that were emitted before this
     */
    record Synced<K, T>(@Nullable String resourceVersion, long count) implements Change<K, T> {
    }

    private static void requireObjectOf(Versioned<?> entry, Object object, String what, Object key) {
        if (entry.object() != object) {
            throw new IllegalArgumentException(what + " must be the same instance as the object of its entry; key " + key);
        }
    }
}
