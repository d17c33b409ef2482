package io.reactiveinformer.view;

import io.reactiveinformer.internal.informer.LatestSubscription;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** The rows after each commit, of which a slow subscriber misses outdated ones. */
record LatestRows<K, T>(LatestSubscription<Snapshot<K, T>> latest) implements CommitListener<K, T> {

    static <K, T> Flux<Snapshot<K, T>> flux(Feed<K, T> feed, Scheduler scheduler) {
        return LatestSubscription.flux(1, scheduler, latest -> feed.attach(new LatestRows<>(latest)));
    }

    /** Emits nothing yet: this may be called under a lock. */
    @Override
    public void begin(Snapshot<K, T> rows) {
        latest.add(rows);
    }

    @Override
    public void file(Commit<K, T> commit) {
        latest.set(commit.snapshot());
    }

    @Override
    public boolean needsEachCommit() {
        return false;
    }

    @Override
    public void end(@Nullable Throwable failure) {
        if (failure == null) {
            latest.complete();
        } else {
            latest.end(failure);
        }
    }
}
