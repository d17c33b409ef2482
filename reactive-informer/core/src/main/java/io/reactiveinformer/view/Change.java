package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One step of a subscriber's own knowledge. Folding the changes it received over an empty map gives the rows as they are, once all is at
 * rest; what {@code before} and {@code last} hold is what this very subscriber received last.
 */
public sealed interface Change<K, T> {

    /** Handles every kind of change; a kind added later fails to compile wherever it is not handled. */
    <R> R fold(
            Function<? super Added<K, T>, ? extends R> onAdded,
            Function<? super Updated<K, T>, ? extends R> onUpdated,
            Function<? super Deleted<K, T>, ? extends R> onDeleted,
            Function<? super Synced<K, T>, ? extends R> onSynced);

    /** @param initial whether the row was there when the subscription began, so that it comes before {@link Synced} */
    record Added<K, T>(K key, Versioned<T> entry, boolean initial) implements Change<K, T> {

        public T object() {
            return entry.object();
        }

        @Override
        public <R> R fold(
                Function<? super Added<K, T>, ? extends R> onAdded,
                Function<? super Updated<K, T>, ? extends R> onUpdated,
                Function<? super Deleted<K, T>, ? extends R> onDeleted,
                Function<? super Synced<K, T>, ? extends R> onSynced) {
            return onAdded.apply(this);
        }
    }

    /** The same object in another state; in a resync, in the same one. */
    record Updated<K, T>(K key, Versioned<T> from, Versioned<T> to) implements Change<K, T> {

        public T before() {
            return from.object();
        }

        public T after() {
            return to.object();
        }

        @Override
        public <R> R fold(
                Function<? super Added<K, T>, ? extends R> onAdded,
                Function<? super Updated<K, T>, ? extends R> onUpdated,
                Function<? super Deleted<K, T>, ? extends R> onDeleted,
                Function<? super Synced<K, T>, ? extends R> onSynced) {
            return onUpdated.apply(this);
        }
    }

    /** @param deletedAt version of the deletion; where the server did not tell it, that of {@code entry} */
    record Deleted<K, T>(K key, Versioned<T> entry, @Nullable String deletedAt, DeletionCause cause) implements Change<K, T> {

        public T last() {
            return entry.object();
        }

        @Override
        public <R> R fold(
                Function<? super Added<K, T>, ? extends R> onAdded,
                Function<? super Updated<K, T>, ? extends R> onUpdated,
                Function<? super Deleted<K, T>, ? extends R> onDeleted,
                Function<? super Synced<K, T>, ? extends R> onSynced) {
            return onDeleted.apply(this);
        }
    }

    /**
     * All that was there when the subscription began has been told. Exactly once a subscription.
     *
     * @param resourceVersion up to which that is complete; null where there is no single one
     * @param count how many {@link Added} came before this
     */
    record Synced<K, T>(@Nullable String resourceVersion, long count) implements Change<K, T> {

        @Override
        public <R> R fold(
                Function<? super Added<K, T>, ? extends R> onAdded,
                Function<? super Updated<K, T>, ? extends R> onUpdated,
                Function<? super Deleted<K, T>, ? extends R> onDeleted,
                Function<? super Synced<K, T>, ? extends R> onSynced) {
            return onSynced.apply(this);
        }
    }
}
