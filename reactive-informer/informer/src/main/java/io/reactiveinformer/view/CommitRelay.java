package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Notifies many followers of commits, on a worker of its own: the writer notes a commit once, for any number of followers. Commits that
 * arrive during a notification are conflated: the higher the load, the less a commit costs.
 *
 * <p>Used while there are followers. Methods that join, leave or note must be called under the lock of the hub, so that a new follower
 * begins with the rows that the next commit starts from; {@link #wake} must be called without it.
 */
final class CommitRelay<K, T> implements Runnable, Disposable {

    /** More wait only if the worker is far behind; then brief rows are conflated to nothing. */
    private static final int MOST_BATCHES = 100;

    private final Object lock;
    private final Scheduler.Worker worker;
    private final AtomicInteger wip = new AtomicInteger();

    // Guarded by the lock; no follower joins or leaves after the end.
    private final ArrayDeque<Batch<K, T>> batches = new ArrayDeque<>();
    private List<CommitListener<K, T>> members = List.of(); // copied at each change, since batches refer to it
    private int wantBrief; // the number of members that want brief rows
    private int joins; // the number of joins; leaving is not counted, as a follower that has left ignores notifications
    private boolean complete;
    private boolean ended;
    private @Nullable Throwable failure;

    /** @param complete whether the rows that the first commit starts from are complete */
    CommitRelay(Object lock, Scheduler scheduler, boolean complete) {
        this.lock = lock;
        this.complete = complete;
        this.worker = scheduler.createWorker();
    }

    void join(CommitListener<K, T> follower) {
        List<CommitListener<K, T>> more = new ArrayList<>(members.size() + 1);
        more.addAll(members);
        more.add(follower);
        members = more;
        wantBrief += follower.wantsBriefRows() ? 1 : 0;
        joins++;
    }

    void leave(CommitListener<K, T> follower) {
        List<CommitListener<K, T>> fewer = new ArrayList<>(members);
        wantBrief -= fewer.remove(follower) && follower.wantsBriefRows() ? 1 : 0;
        members = fewer;
    }

    List<CommitListener<K, T>> all() {
        return members;
    }

    int members() {
        return members.size();
    }

    /**
     * Conflates the commit into the waiting one, unless a follower has joined since, or a row would be in neither and some follower wants
     * {@linkplain Delivery#brief brief} rows. The commit that completes the rows stays separate, as many subscribers begin with it.
     */
    void note(Commit<K, T> commit) {
        boolean completes = !complete && commit.snapshot().complete();
        complete = commit.snapshot().complete();
        Batch<K, T> last = batches.peekLast();
        boolean brief = wantBrief > 0 && last != null && batches.size() < MOST_BATCHES && last.commits.hasBrief(commit);
        if (last != null && last.joins == joins && !last.completes && !completes && !brief) {
            last.commits.conflate(commit);
        } else {
            batches.add(new Batch<>(members, joins, completes, new CommitBatch<>(commit)));
        }
    }

    /** Notes the end: no commit is noted after this. If {@code cause} is not null, waiting commits are dropped. */
    void noteEnd(@Nullable Throwable cause) {
        ended = true;
        failure = cause;
        if (cause != null) {
            batches.clear();
        }
    }

    /** Schedules the notification of followers; returns at once. */
    void wake() {
        if (wip.getAndIncrement() == 0) {
            schedule();
        }
    }

    private void schedule() {
        try {
            worker.schedule(this);
        } catch (Throwable refused) { // shut down, or a lack of memory: nothing else would reset the count
            if (!worker.isDisposed()) { // otherwise there is no follower
                run(); // if the workers of the followers are refused too, that ends them
            }
        }
    }

    /** Notifies the followers of one batch, or of the end. The notified subscribers run before the next batch. */
    @Override
    public void run() {
        int seen = wip.get();
        Batch<K, T> batch;
        boolean more;
        boolean over;
        synchronized (lock) {
            batch = batches.poll();
            more = batch != null && (ended || !batches.isEmpty());
            over = batch == null && ended;
        }
        if (over) {
            worker.dispose();
            CommitListener.tell(members, (follower, relay) -> follower.end(relay.failure), this);
            return;
        }
        try {
            if (batch != null) {
                Commit<K, T> all = batch.commits.all();
                CommitListener.tell(batch.recipients, (follower, gone) -> {
                    follower.conflated(gone);
                    follower.file(all);
                }, batch.commits.gone());
            }
        } finally {
            if (more || wip.addAndGet(-seen) != 0) {
                schedule();
            }
        }
    }

    @Override
    public void dispose() {
        worker.dispose();
    }

    /** Commits for the followers at the time of the first. */
    private record Batch<K, T>(List<CommitListener<K, T>> recipients, int joins, boolean completes, CommitBatch<K, T> commits) {}
}
