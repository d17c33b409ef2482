package io.reactiveinformer.view;

import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Distributes the commits of one writer to many subscribers. Each subscriber receives as many changes as it requests; the rest is kept for
 * it, conflated. The writer never waits, and does not know its subscribers.
 *
 * <p>{@link #publish}, {@link #complete} and {@link #fail} are for the writer; these calls must not overlap. Any thread may subscribe at
 * any time, and receives the changes without a gap or a repeat.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public final class ChangeHub<K, T> {

    /**
     * The number of followers that are notified on the thread of the writer: a notification costs about as much as a hand-over to another
     * thread, and comes sooner. Later followers that accept conflated commits are notified by a {@link CommitRelay}.
     */
    static final int FEW = 16;

    private final Object lock = new Object();
    private final int few;
    private final Supplier<Scheduler> scheduler;

    // Written under the lock.
    private Snapshot<K, T> latest;
    private volatile List<CommitListener<K, T>> followers = List.of();
    private @Nullable CommitRelay<K, T> relay;
    private @Nullable End end;

    /** The followers at the end that have not received all changes yet; guarded by the lock. */
    private final Set<CommitListener<K, T>> leaving = new LinkedHashSet<>();

    private final Sinks.Empty<Void> drained = Sinks.empty();

    /** @param failure null for an orderly end */
    private record End(@Nullable Throwable failure) {}

    private ChangeHub(Snapshot<K, T> rows, int few, Supplier<Scheduler> scheduler) {
        this.latest = rows;
        this.few = few;
        this.scheduler = scheduler;
    }

    /**
     * A hub without subscribers.
     *
     * @param rows the rows that the first commit starts from
     */
    public static <K, T> ChangeHub<K, T> of(Snapshot<K, T> rows) {
        return of(rows, FEW, SharedThreads::ofChanges);
    }

    /** @param scheduler the scheduler on which followers beyond the first {@code few} are notified of commits */
    static <K, T> ChangeHub<K, T> of(Snapshot<K, T> rows, int few, Supplier<Scheduler> scheduler) {
        return new ChangeHub<>(Objects.requireNonNull(rows, "rows"), few, scheduler);
    }

    /** Emits the present rows and their changes, with the contract of {@link View#changes(Delivery)}. */
    public Flux<Change<K, T>> changes(Delivery delivery) {
        return FollowingSubscription.flux(feed(), delivery);
    }

    /**
     * Emits the current rows, complete or not, and the rows after each commit; a slow subscriber misses outdated snapshots. Threads,
     * completion and errors are those of {@link #changes}.
     */
    public Flux<Snapshot<K, T>> snapshots(Delivery delivery) {
        return LatestRows.flux(feed(), delivery.scheduler());
    }

    /** The feed for {@link Fed#feed}; derived views receive whole commits from it. */
    public Feed<K, T> feed() {
        return new Feed<>(follower -> {
            add(follower);
            return () -> remove(follower);
        });
    }

    /**
     * Publishes a commit to all subscribers. Readers must be able to see the rows of the commit before this is called. Returns when the
     * commit is noted for each subscriber; does not wait for delivery. Must not overlap with another call of the writer.
     *
     * @throws IllegalStateException after {@link #complete} or {@link #fail}
     */
    public void publish(Commit<K, T> commit) {
        List<CommitListener<K, T>> present;
        CommitRelay<K, T> forTheOthers;
        synchronized (lock) {
            if (end != null) {
                throw new IllegalStateException("published after the end: " + commit.snapshot());
            }
            latest = commit.snapshot();
            present = followers;
            forTheOthers = relay;
            if (forTheOthers != null) {
                note(commit, forTheOthers);
            }
        }
        try {
            CommitListener.tell(present, CommitListener::file, commit);
        } finally {
            if (forTheOthers != null) {
                forTheOthers.wake();
            }
        }
    }

    /**
     * Notes the commit for the relay. If that fails, the followers of the relay have missed the commit and therefore receive the failure;
     * later followers get a new relay.
     */
    private void note(Commit<K, T> commit, CommitRelay<K, T> many) {
        try {
            many.note(commit);
        } catch (Throwable failure) { // equals of keys may throw, or memory may be short
            many.noteEnd(failure);
            relay = null;
        }
    }

    /**
     * Ends the commits in order: subscribers, also later ones, receive what is kept for them, then complete. No effect after the first end.
     */
    public void complete() {
        end(new End(null));
    }

    /**
     * Ends the commits because of {@code failure}: subscribers, also later ones, receive it at once, and the changes kept for them are
     * dropped. No effect after the first end.
     */
    public void fail(Throwable failure) {
        end(new End(Objects.requireNonNull(failure, "failure")));
    }

    /** Completes when the hub has ended, and each subscriber of that moment has received all changes or has cancelled. Never fails. */
    public Mono<Void> drained() {
        return drained.asMono();
    }

    /**
     * Ends the wait for slow subscribers, after {@link #complete}: those that have not received all changes yet receive {@code failure}
     * instead.
     */
    public void cut(Throwable failure) {
        List<CommitListener<K, T>> late;
        synchronized (lock) {
            late = List.copyOf(leaving);
        }
        CommitListener.tell(late, CommitListener::end, failure);
    }

    private void end(End reason) {
        List<CommitListener<K, T>> present;
        CommitRelay<K, T> forTheOthers;
        boolean nobody;
        synchronized (lock) {
            if (end != null) {
                return;
            }
            present = followers;
            forTheOthers = relay;
            leaving.addAll(present); // first: if memory is short this throws, and the end is called again
            if (forTheOthers != null) {
                leaving.addAll(forTheOthers.all());
                forTheOthers.noteEnd(reason.failure);
            }
            end = reason;
            followers = List.of();
            relay = null;
            nobody = leaving.isEmpty();
        }
        if (nobody) {
            drained.tryEmitEmpty();
        }
        try {
            CommitListener.tell(present, (follower, why) -> follower.end(why.failure), reason);
        } finally {
            if (forTheOthers != null) {
                forTheOthers.wake();
            }
        }
    }

    /**
     * Starts {@code follower} with the current rows, and notifies it of each commit after them.
     *
     * @throws java.util.concurrent.RejectedExecutionException if a relay is needed, as this would be its first follower, and no thread
     *     is available for it
     */
    void add(CommitListener<K, T> follower) {
        End over;
        synchronized (lock) {
            follower.begin(latest);
            over = end;
            if (over == null && (followers.size() < few || follower.needsEachCommit())) {
                List<CommitListener<K, T>> more = new ArrayList<>(followers.size() + 1);
                more.addAll(followers);
                more.add(follower);
                followers = more; // copied at each change, since every commit walks over it
            } else if (over == null) {
                relay = relay == null ? new CommitRelay<>(lock, scheduler.get(), latest.complete()) : relay;
                relay.join(follower);
            }
        }
        if (over != null) {
            follower.end(over.failure); // without the lock, as this may call the subscriber
        }
    }

    void remove(CommitListener<K, T> follower) {
        boolean last;
        synchronized (lock) {
            last = leaving.remove(follower) && leaving.isEmpty();
            List<CommitListener<K, T>> fewer = new ArrayList<>(followers);
            if (fewer.remove(follower)) {
                followers = fewer;
            } else if (relay != null) {
                relay.leave(follower);
                if (relay.members() == 0) {
                    relay.dispose();
                    relay = null;
                }
            }
        }
        if (last) {
            drained.tryEmitEmpty();
        }
    }

    /** The subscriptions to changes that have not ended, in no particular order. Any thread may call this. */
    public List<SubscriberStatus> subscribers() {
        List<CommitListener<K, T>> present;
        synchronized (lock) {
            present = new ArrayList<>(followers);
            present.addAll(relay == null ? List.of() : relay.all());
            present.addAll(leaving);
        }
        return present.stream().map(CommitListener::status).filter(Objects::nonNull).toList(); // each has a lock of its own
    }

    /** The number of followers that are notified of commits. */
    int followers() {
        synchronized (lock) {
            return followers.size() + (relay == null ? 0 : relay.members());
        }
    }

    /** A view that passes its commits on whole. Views of your own need not: views that are derived from them are made of their changes. */
    public interface Fed<K, T> extends View<K, T> {

        /** The commits, for the views that are derived from this one. */
        Feed<K, T> feed();
    }

    /**
     * The whole commits of a view, for the views that are derived from it. Opaque for users: {@link Fed#feed} returns it, and the methods
     * that derive views, such as {@link View#filter}, read it.
     *
     * @param <K> the keys, which identify rows
     * @param <T> the rows
     */
    public static final class Feed<K, T> {

        private final Function<CommitListener<K, T>, Disposable> attach;

        Feed(Function<CommitListener<K, T>, Disposable> attach) {
            this.attach = attach;
        }

        /** The feed of any view: its own, or else made of its changes. */
        static <K, T> Feed<K, T> of(View<K, T> view) {
            return view instanceof Fed<K, T> fed ? fed.feed() : of(Flux.defer(() -> view.changes(Delivery.conflated().partial().brief())));
        }

        /** The feed of any view, made of its changes. It has one commit for each change, so a list of the server is not one commit. */
        static <K, T> Feed<K, T> of(Flux<Change<K, T>> changes) {
            return new Feed<>(follower -> changes.subscribeWith(new ChangesToCommits<>(follower)));
        }

        /** Starts {@code follower} with the current rows, and notifies it of each commit after them, until the result is disposed of. */
        Disposable attach(CommitListener<K, T> follower) {
            return attach.apply(follower);
        }
    }
}
