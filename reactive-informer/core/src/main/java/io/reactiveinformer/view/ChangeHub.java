package io.reactiveinformer.view;

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
 * Between the one who writes rows and those who are told: every subscriber gets what it has demand for, and the rest is kept for it in
 * conflated form. The writer is never held up, and knows nothing of its subscribers.
 *
 * <p>{@link #publish}, {@link #complete} and {@link #fail} are the writer's: their calls must not overlap. Subscribing goes together with all
 * of them, from any thread, without a gap or a repeat.
 *
 * @param <K> what names a row
 * @param <T> the row
 */
public final class ChangeHub<K, T> {

    /**
     * So many followers are told on the writer's thread: to tell one costs about as much as to hand over to another thread, and comes sooner.
     * Those who come when there are as many, and can do with conflated commits, are told by a {@link Relay}.
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

    /** Who was there at the end, and has not been told all; guarded by the lock. */
    private final Set<Follower<K, T>> leaving = new LinkedHashSet<>();

    private final Sinks.Empty<Void> drained = Sinks.empty();

    /** @param failure null where it is over as planned */
    private record End(@Nullable Throwable failure) {}

    private ChangeHub(Snapshot<K, T> rows, int few, Supplier<Scheduler> scheduler) {
        this.latest = rows;
        this.few = few;
        this.scheduler = scheduler;
    }

    /** @param rows which the first commit starts from */
    public static <K, T> ChangeHub<K, T> of(Snapshot<K, T> rows) {
        return of(rows, FEW, Delivery::sharedThreads);
    }

    /** @param scheduler on which those who are not among the {@code few} are told of commits */
    static <K, T> ChangeHub<K, T> of(Snapshot<K, T> rows, int few, Supplier<Scheduler> scheduler) {
        return new ChangeHub<>(Objects.requireNonNull(rows, "rows"), few, scheduler);
    }

    /** What is there and what happens, as {@link View#changes(Delivery)} promises. */
    public Flux<Change<K, T>> changes(Delivery delivery) {
        return FluxFollowing.of(feed(), delivery, delivery::<K, T>backlog);
    }

    /**
     * The rows as they are, complete or not, and again after each commit; a slow subscriber misses what is outdated. Delivered, and ends, as
     * changes do.
     */
    public Flux<Snapshot<K, T>> snapshots(Delivery delivery) {
        return FluxFollowing.of(feed(), delivery, LatestSnapshot::new);
    }

    /** For {@link View#feed}: commits reach derived views whole. */
    public Feed<K, T> feed() {
        return new Feed<>() {
            @Override
            Disposable attach(Follower<K, T> follower) {
                add(follower);
                return () -> remove(follower);
            }
        };
    }

    /** Tells of a step. The rows must be readable as it says before this is called; returns when it is noted, be it for each or for many. */
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
        if (forTheOthers != null) {
            forTheOthers.wake();
        }
        Follower.tell(present, follower -> follower.file(commit));
    }

    /** Those for whom it could not be noted have missed it, and so are told that this is the end; others may come. */
    private void note(Commit<K, T> commit, Relay<K, T> many) {
        try {
            many.note(commit);
        } catch (Throwable failure) {
            many.noteEnd(failure);
            relay = null;
        }
    }

    /** No more commits: subscribers get what is kept for them, then complete. So do later ones. */
    public void complete() {
        end(new End(null));
    }

    /** No more commits, because of {@code failure}: subscribers, later ones too, are told at once, and what was kept for them is dropped. */
    public void fail(Throwable failure) {
        end(new End(Objects.requireNonNull(failure, "failure")));
    }

    /** Completes when it is over, and everyone who was a subscriber then has been told all, or has gone. */
    public Mono<Void> drained() {
        return drained.asMono();
    }

    /** After {@link #complete}: who has not taken all that was kept for it is not waited for any longer, and is told of {@code failure} instead. */
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
            end = reason;
            present = followers;
            followers = List.of();
            leaving.addAll(present);
            forTheOthers = relay;
            if (forTheOthers != null) {
                leaving.addAll(forTheOthers.all());
                forTheOthers.noteEnd(reason.failure);
                relay = null;
            }
            nobody = leaving.isEmpty();
        }
        if (nobody) {
            drained.tryEmitEmpty();
        }
        if (forTheOthers != null) {
            forTheOthers.wake();
        }
        Follower.tell(present, follower -> follower.end(reason.failure));
    }

    /**
     * {@code follower} begins with the rows as they are, and is told of each commit after them.
     *
     * @throws java.util.concurrent.RejectedExecutionException if no thread can be had for a relay, which it would have been the first of
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
            follower.end(over.failure); // whoever is told of it may do as it likes
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

    /** Who is subscribed to changes, and has not been told all. */
    public List<SubscriberStatus> subscribers() {
        List<Follower<K, T>> present;
        synchronized (lock) {
            present = new ArrayList<>(followers);
            present.addAll(relay == null ? List.of() : relay.all());
            present.addAll(leaving);
        }
        return present.stream().map(Follower::status).filter(Objects::nonNull).toList(); // each has a lock of its own
    }

    /** How many are told of commits. */
    int followers() {
        synchronized (lock) {
            return followers.size() + (relay == null ? 0 : relay.members());
        }
    }
}
