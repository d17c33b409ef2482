package io.reactiveinformer.view;

import io.reactiveinformer.internal.SharedThreads;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Distributes the commits of one writer to many subscribers. Every subscriber receives what it has demand for, and the rest is kept for it
 * in conflated form. The writer never waits, and does not know its subscribers.
 *
 * <p>{@link #publish}, {@link #complete} and {@link #fail} are for the writer: these calls must not overlap. Subscribing is safe at the
 * same time as any of them, from any thread, without a gap or a repeat.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public final class ChangeHub<K, T> {

    /**
     * How many followers are notified on the writer's thread: a notification costs about as much as a hand-over to another thread, and is
     * sooner. When there are that many, later followers that accept conflated commits are notified by a {@link Relay}.
     */
    static final int FEW = 16;

    private final Object lock = new Object();
    private final int few;
    private final Supplier<Scheduler> scheduler;

    // Written under the lock.
    private Snapshot<K, T> latest;
    private volatile List<Follower<K, T>> followers = List.of();
    private @Nullable Relay<K, T> relay;
    private @Nullable End end;

    /** The followers that were there at the end, and have not received everything yet; guarded by the lock. */
    private final Set<Follower<K, T>> leaving = new LinkedHashSet<>();

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

    /** @param scheduler on which followers beyond the first {@code few} are notified of commits */
    static <K, T> ChangeHub<K, T> of(Snapshot<K, T> rows, int few, Supplier<Scheduler> scheduler) {
        return new ChangeHub<>(Objects.requireNonNull(rows, "rows"), few, scheduler);
    }

    /** The present rows and their changes, with the contract of {@link View#changes(Delivery)}. */
    public Flux<Change<K, T>> changes(Delivery delivery) {
        return FluxFollowing.of(feed(), delivery, delivery::<K, T>backlog);
    }

    /**
     * Emits the current rows, complete or not, and the rows after each commit; a slow subscriber misses outdated snapshots. Threads,
     * completion and errors are those of {@link #changes}.
     */
    public Flux<Snapshot<K, T>> snapshots(Delivery delivery) {
        return FluxFollowing.of(feed(), delivery, LatestSnapshot::new);
    }

    /** The feed for {@link View#feed}: commits reach derived views whole. */
    public Feed<K, T> feed() {
        return new Feed<>() {
            @Override
            Disposable attach(Follower<K, T> follower) {
                add(follower);
                return () -> remove(follower);
            }
        };
    }

    /**
     * Publishes a commit to all subscribers. The rows must be readable in the state of the commit before this is called. Returns when the
     * commit is noted for each subscriber, or for the relay of many; does not wait for delivery. Must not overlap with another call of the
     * writer.
     *
     * @throws IllegalStateException after {@link #complete} or {@link #fail}
     */
    public void publish(Commit<K, T> commit) {
        List<Follower<K, T>> present;
        Relay<K, T> forTheOthers;
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
            Follower.tell(present, commit);
        } finally {
            if (forTheOthers != null) {
                forTheOthers.wake();
            }
        }
    }

    /**
     * If the commit cannot be noted, the followers of the relay have missed it, and so receive the failure; later followers get a new
     * relay.
     */
    private void note(Commit<K, T> commit, Relay<K, T> many) {
        try {
            many.note(commit);
        } catch (Throwable failure) {
            many.noteEnd(failure);
            relay = null;
        }
    }

    /**
     * Ends the commits in order: subscribers receive what is kept for them, then complete. So do later subscribers. Has no effect after the
     * first end.
     */
    public void complete() {
        end(new End(null));
    }

    /**
     * Ends the commits because of {@code failure}: subscribers, also later ones, receive it at once, and what was kept for them is dropped.
     * Has no effect after the first end.
     */
    public void fail(Throwable failure) {
        end(new End(Objects.requireNonNull(failure, "failure")));
    }

    /** Completes when this has ended, and each subscriber of that moment has received everything or has cancelled. Never fails. */
    public Mono<Void> drained() {
        return drained.asMono();
    }

    /**
     * To be called after {@link #complete}: subscribers that have not yet received all that was kept for them receive {@code failure}
     * instead.
     */
    public void cut(Throwable failure) {
        List<Follower<K, T>> late;
        synchronized (lock) {
            late = List.copyOf(leaving);
        }
        Follower.tell(late, follower -> follower.end(failure));
    }

    private void end(End reason) {
        List<Follower<K, T>> present;
        Relay<K, T> forTheOthers;
        boolean nobody;
        synchronized (lock) {
            if (end != null) {
                return;
            }
            present = followers;
            forTheOthers = relay;
            leaving.addAll(present); // first: memory may be short, and then the end comes again
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
            Follower.tell(present, follower -> follower.end(reason.failure));
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
    void add(Follower<K, T> follower) {
        End over;
        synchronized (lock) {
            follower.begin(latest);
            over = end;
            if (over == null && (followers.size() < few || follower.needsEachCommit())) {
                List<Follower<K, T>> more = new ArrayList<>(followers.size() + 1);
                more.addAll(followers);
                more.add(follower);
                followers = more; // copied at each change, since every commit walks over it
            } else if (over == null) {
                relay = relay == null ? new Relay<>(lock, scheduler.get(), latest.complete()) : relay;
                relay.join(follower);
            }
        }
        if (over != null) {
            follower.end(over.failure); // without the lock: the subscriber may do anything
        }
    }

    void remove(Follower<K, T> follower) {
        boolean last;
        synchronized (lock) {
            last = leaving.remove(follower) && leaving.isEmpty();
            List<Follower<K, T>> fewer = new ArrayList<>(followers);
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

    /** The subscriptions to changes that have not received everything yet, in no particular order. Any thread may call this. */
    public List<SubscriberStatus> subscribers() {
        List<Follower<K, T>> present;
        synchronized (lock) {
            present = new ArrayList<>(followers);
            present.addAll(relay == null ? List.of() : relay.all());
            present.addAll(leaving);
        }
        return present.stream().map(Follower::status).filter(Objects::nonNull).toList(); // each has a lock of its own
    }

    /** How many followers are notified of commits. */
    int followers() {
        synchronized (lock) {
            return followers.size() + (relay == null ? 0 : relay.members());
        }
    }

    /**
     * The commits of a view, whole, for the views that are derived from it. Opaque: {@link View#feed} returns it, and {@link View#filter}
     * and the like read it.
     *
     * @param <K> the keys, which identify rows
     * @param <T> the rows
     */
    public static abstract class Feed<K, T> {

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
}
