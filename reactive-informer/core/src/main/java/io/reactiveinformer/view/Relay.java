package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Tells many followers, on a worker of its own, what the writer leaves here: the writer notes a commit once, however many they are. While they
 * are being told, what comes meanwhile is conflated: the more there is to do, the less a commit costs.
 *
 * <p>Used from the first follower's joining to the last one's leaving. What notes is to be called with the hub's lock held, so that who joins
 * begins with the rows that the next commit starts from; {@link #wake} without it.
 */
final class Relay<K, T> implements Runnable, Disposable {

    private final Object lock;
    private final Scheduler.Worker worker;
    private final AtomicInteger wip = new AtomicInteger();

    // Guarded by the lock; nobody comes or goes after the end.
    private final ArrayDeque<Batch<K, T>> batches = new ArrayDeque<>();
    private List<Follower<K, T>> members = List.of(); // copied at each change, since batches hold it
    private int joins; // so many have come; nobody minds being told after it has gone
    private boolean complete;
    private boolean ended;
    private @Nullable Throwable failure;

    /** @param complete whether the rows are that the first commit starts from */
    Relay(Object lock, Scheduler scheduler, boolean complete) {
        this.lock = lock;
        this.complete = complete;
        this.worker = scheduler.createWorker();
    }

    void join(Follower<K, T> follower) {
        List<Follower<K, T>> more = new ArrayList<>(members.size() + 1);
        more.addAll(members);
        more.add(follower);
        members = more;
        joins++;
    }

    void leave(Follower<K, T> follower) {
        List<Follower<K, T>> fewer = new ArrayList<>(members);
        fewer.remove(follower);
        members = fewer;
    }

    List<Follower<K, T>> all() {
        return members;
    }

    int members() {
        return members.size();
    }

    /** Conflated into what waits, unless somebody has come since. What completes the rows stays by itself: it is what many begin with. */
    void note(Commit<K, T> commit) {
        boolean completes = !complete && commit.snapshot().complete();
        complete = commit.snapshot().complete();
        Batch<K, T> last = batches.peekLast();
        if (last != null && last.joins == joins && !last.completes && !completes) {
            last.conflate(commit);
        } else {
            batches.add(new Batch<>(members, joins, commit, completes));
        }
    }

    /** Nothing is noted after this. Because of a failure, if there is one: then what waits is not told any more. */
    void noteEnd(@Nullable Throwable cause) {
        ended = true;
        failure = cause;
        if (cause != null) {
            batches.clear();
        }
    }

    /** Has what was noted told; returns at once. */
    void wake() {
        if (wip.getAndIncrement() == 0) {
            schedule();
        }
    }

    private void schedule() {
        try {
            worker.schedule(this);
        } catch (RejectedExecutionException shutDown) {
            if (!worker.isDisposed()) { // else there is nobody to tell
                run(); // the followers' own workers are refused too, which ends them
            }
        } catch (Throwable failed) { // such as for lack of memory: nobody else would give the count back
            run();
        }
    }

    /** One batch, or the end. Who has been told has its turn before the next. */
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
            Follower.tell(members, follower -> follower.end(failure));
            return;
        }
        try {
            if (batch != null) {
                Commit<K, T> all = batch.all();
                int gone = batch.gone;
                Follower.tell(batch.recipients, follower -> {
                    follower.conflated(gone);
                    follower.file(all);
                });
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

    /** Commits as one, for those who were there when the first was made. */
    private static final class Batch<K, T> {

        private final List<Follower<K, T>> recipients;
        private final int joins;
        private final boolean completes;
        private Commit<K, T> commit;
        private @Nullable Map<K, Difference<K, T>> conflated; // of all commits, once there is more than one
        private int gone; // changes that are not in it any more, as later ones say all

        Batch(List<Follower<K, T>> recipients, int joins, Commit<K, T> commit, boolean completes) {
            this.recipients = recipients;
            this.joins = joins;
            this.completes = completes;
            this.commit = commit;
        }

        /** Rows that changed back stay in: what a follower was told of one may be another instance, that only equals it. */
        void conflate(Commit<K, T> next) {
            if (conflated == null) {
                conflated = new LinkedHashMap<>();
                conflateInto(conflated, commit);
            }
            int told = conflated.size() + next.differences().size();
            conflateInto(conflated, next);
            gone += told - conflated.size();
            commit = next.batch(commit.batch() || next.batch());
        }

        private static <K, T> void conflateInto(Map<K, Difference<K, T>> conflated, Commit<K, T> commit) {
            for (Difference<K, T> difference : commit.differences()) {
                conflated.merge(difference.key(), difference, Batch::both);
            }
        }

        /** Null for a row that came and went meanwhile: nobody knows of it. */
        private static <K, T> @Nullable Difference<K, T> both(Difference<K, T> one, Difference<K, T> next) {
            Difference<K, T> both = one.then(next);
            return both.before() == null && both.after() == null ? null : both;
        }

        Commit<K, T> all() {
            return conflated == null ? commit : new Commit<>(commit.snapshot(), List.copyOf(conflated.values()), commit.batch());
        }
    }
}
