package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.store.Table;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Replays changes over a table, and notifies a follower of each commit. */
final class ChangesToCommits<K, T> extends BaseSubscriber<Change<K, T>> {

    private final CommitListener<K, T> follower;
    private final Table<K, T> table = Table.create();
    private boolean synced;

    ChangesToCommits(CommitListener<K, T> follower) {
        this.follower = follower;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        follower.begin(table.snapshot());
        requestUnbounded(); // the follower only notes changes, and works later
    }

    @Override
    protected void hookOnNext(Change<K, T> change) {
        change.accept(
                added -> table.put(added.key(), added.entry(), DeletionCause.OBSERVED),
                updated -> table.put(updated.key(), updated.entryAfter(), DeletionCause.OBSERVED),
                deleted -> table.remove(deleted.key(), deleted.cause(), deleted.deletedAt()),
                done -> synced = true);
        follower.file(table.commit(synced).batch(!synced));
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
