package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.time.Duration;
import java.util.function.Function;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.util.retry.Retry;

/** Makes each value the only row of a table, and notifies a follower of it. All rows of a view may depend on it, so it is a batch. */
final class ValuesToCommits<K, V> extends BaseSubscriber<V> {

    private final K key;
    private final CommitListener<K, V> follower;
    private final Table<K, V> table = Table.create();

    private ValuesToCommits(K key, CommitListener<K, V> follower) {
        this.key = key;
        this.follower = follower;
    }

    /** @param instead the value in place of those that are missing after a failure, until one is emitted again */
    static <K, V> Feed<K, V> feed(K key, Flux<V> values, Function<Throwable, V> instead) {
        return new Feed<>(follower -> {
            var commits = new ValuesToCommits<>(key, follower);
            Flux<V> again = values.retryWhen(Retry.backoff(Long.MAX_VALUE, Duration.ofSeconds(1)).maxBackoff(Duration.ofMinutes(1))
                    .transientErrors(true).doBeforeRetry(failed -> commits.hookOnNext(instead.apply(failed.failure()))));
            return Contained.flux(again, follower::end).subscribeWith(commits);
        });
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        follower.begin(table.snapshot());
        requestUnbounded(); // the follower only notes values, and works later
    }

    @Override
    protected void hookOnNext(V value) {
        table.put(key, new Versioned<>(null, null, value), DeletionCause.OBSERVED);
        follower.file(table.commit(true).batch(true));
    }

    @Override
    protected void hookOnComplete() {
        follower.end(null);
    }

    @Override
    protected void hookOnError(Throwable failure) {
        follower.end(failure);
    }
}
