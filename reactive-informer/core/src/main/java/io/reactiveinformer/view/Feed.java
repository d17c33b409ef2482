package io.reactiveinformer.view;

import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * The commits of a view, whole, for the views that are derived from it. Opaque: {@link View#feed} returns it, and {@link View#filter} and
 * the like read it.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public abstract class Feed<K, T> {

    Feed() {}

    /** The feed of any view, made of its changes. These are emitted one by one, so that a list of the server is seen in parts. */
    static <K, T> Feed<K, T> of(Flux<Change<K, T>> changes) {
        return new Feed<>() {
            @Override
            Disposable attach(Follower<K, T> follower) {
                return changes.subscribeWith(new ChangesToCommits<>(follower));
            }
        };
    }

    /** Starts {@code follower} with the current rows, and notifies it of each commit after them, until the result is disposed. */
    abstract Disposable attach(Follower<K, T> follower);
}
