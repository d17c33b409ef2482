package io.reactiveinformer.view;

import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * What a view is kept current by, for those derived from it: its commits, whole. Opaque: handed on by {@link View#feed}, read by
 * {@link View#filter} and its like.
 *
 * @param <K> what names a row
 * @param <T> the row
 */
public abstract class Feed<K, T> {

    Feed() {}

    /** Of any view, by its changes. Those are told one by one, so that a list of the server is seen in parts. */
    static <K, T> Feed<K, T> of(Flux<Change<K, T>> changes) {
        return new Feed<>() {
            @Override
            Disposable attach(Follower<K, T> follower) {
                return changes.subscribeWith(new ChangesToCommits<>(follower));
            }
        };
    }

    /** {@code follower} begins with the rows as they are, and is told of each commit after them, until disposed. */
    abstract Disposable attach(Follower<K, T> follower);
}
