package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Scannable;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A subscriber, of any view and with any {@link DeliveryOptions}, that takes nothing but what laws 1 to 11, 13 and 15 allow. It follows the
 * commits of the view, beside the changes, and so knows what there is to emit. Where a {@link Model} knows exactly what must come, it is
 * that.
 */
final class LawfulSubscriber<K, T> implements CoreSubscriber<Change<K, T>>, CommitListener<K, T> {

    private static final class OnPurpose extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final View<K, T> view;
    private final DeliveryOptions options;
    private final boolean direct;
    private final @Nullable Model<K, T> model;
    private final Disposable following;

    // By the commits.
    private final IdentityHashMap<Versioned<T>, Long> shownAt = new IdentityHashMap<>();
    private final Map<K, Set<DeletionCause>> ends = new HashMap<>();
    private final Set<K> toBegin = new HashSet<>();
    private final Set<K> ever = new HashSet<>();
    private boolean begun;
    private boolean complete;

    // By the changes.
    private final Map<K, Versioned<T>> received = new HashMap<>();
    private final List<K> again = new ArrayList<>();
    private final List<Throwable> dropped = new ArrayList<>();
    private @Nullable Subscription subscription;
    private @Nullable Throwable failure;
    private long demand;
    private long additions;
    private boolean synced;
    private final Set<K> appeared = new HashSet<>(); // since it was synced, and nothing received of it
    private boolean throwing;
    private boolean over;

    private LawfulSubscriber(View<K, T> view, DeliveryOptions options, boolean direct) {
        this.view = view;
        this.options = options;
        this.direct = direct;
        boolean plain = direct && !options.partial() && !options.brief();
        model = options.every() ? new EveryModel<>(options.partial()) : plain ? new ConflatedModel<>() : null;
        following = Feed.of(view).attach(this);
    }

    /** @param direct whether the writer itself notifies it, so that nothing is conflated on the way */
    static <K, T> LawfulSubscriber<K, T> of(View<K, T> view, DeliveryOptions options, boolean direct, Scheduler scheduler) {
        var subscriber = new LawfulSubscriber<>(view, options, direct);
        view.changes(options.on(scheduler)).subscribe(subscriber);
        return subscriber;
    }

    View<K, T> view() {
        return view;
    }

    boolean isOver() {
        return over;
    }

    @Override
    public void begin(Snapshot<K, T> rows) {
        rows.forEach((key, row) -> show(key, row, rows.revision()));
        complete |= rows.complete();
        if (!begun && (options.partial() || complete)) {
            begun = true;
            rows.forEach((key, row) -> toBegin.add(key));
        }
        if (model != null) {
            model.begin(rows);
        }
    }

    @Override
    public void file(Commit<K, T> commit) {
        Snapshot<K, T> rows = commit.snapshot();
        if (!begun) {
            begin(rows);
            return;
        }
        complete |= rows.complete();
        for (Commit.Difference<K, T> difference : commit.differences()) {
            Versioned<T> known = received.get(difference.key());
            if (synced && difference.before() == null && (known == null || known.recreatedAs(difference.after()))) {
                appeared.add(difference.key()); // not one that is there again, as it was received
            }
            if (difference.after() != null) {
                show(difference.key(), difference.after(), rows.revision());
            }
            if (difference.cause() != null) {
                ended(difference.key(), difference.cause());
            }
        }
        if (model != null) {
            model.file(commit);
        }
    }

    private void show(K key, Versioned<T> row, long revision) {
        shownAt.putIfAbsent(row, revision);
        ever.add(key);
        if (row.uid() == null) {
            ended(key, DeletionCause.OBSERVED); // nobody knows of one without uid how it ends, when another one comes
        }
    }

    private void ended(K key, DeletionCause cause) {
        ends.computeIfAbsent(key, absent -> EnumSet.noneOf(DeletionCause.class)).add(cause);
    }

    /** Comes with what was thrown when it was notified of a commit. */
    @Override
    public void end(@Nullable Throwable cause) {
        if (cause != null) {
            dropped.add(cause);
        }
    }

    /** Where Reactor looks for a hook that takes what a subscriber threw. */
    @Override
    public Context currentContext() {
        return Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);
    }

    @Override
    public void onSubscribe(Subscription s) {
        subscription = s;
    }

    void request(long n) {
        if (!over) {
            demand += n;
            subscription.request(n);
        }
    }

    void cancel() {
        if (!over) {
            subscription.cancel();
            leave();
        }
    }

    private void leave() {
        over = true;
        following.dispose();
    }

    /** From the next change on. */
    void throwOnPurpose() {
        throwing = true;
    }

    /** Its period is about to be over. */
    void beforeTick() {
        again.clear();
        if (model != null && options.resync() && !over) {
            model.resync();
        }
    }

    @Override
    public void onNext(Change<K, T> change) {
        assertThat(over).as("nothing comes after the end").isFalse();
        assertThat(demand--).as("demand").isPositive();
        if (model != null) {
            model.take(change);
        }
        change.accept(this::added, this::updated, this::deleted, this::synced);
        appeared.remove(change.match(Change.Added::key, Change.Updated::key, Change.Deleted::key, synced -> null));
        if (throwing) {
            leave();
            throw new OnPurpose();
        }
    }

    private void added(Change.Added<K, T> added) {
        assertThat(received.put(added.key(), added.entry())).as("an addition of what was known").isNull();
        assertThat(added.initial()).as("initial").isEqualTo(!synced);
        assertThat(synced || options.partial() || toBegin.contains(added.key())).as("%s was there at the beginning", added).isTrue();
        additions += synced ? 0 : 1;
        shown(added.entry());
    }

    private void updated(Change.Updated<K, T> updated) {
        assertThat(received.put(updated.key(), updated.entryAfter())).as("what was received last").isSameAs(updated.entryBefore());
        assertThat(updated.entryBefore().recreatedAs(updated.entryAfter())).as("an update across two uids").isFalse();
        if (updated.entryBefore().equals(updated.entryAfter())) {
            assertThat(options.resync() && synced).as("emitted again").isTrue();
        } else {
            assertThat(shown(updated.entryAfter())).as("back in time: %s", updated).isGreaterThan(shown(updated.entryBefore()));
        }
        again.add(updated.key());
    }

    private void deleted(Change.Deleted<K, T> deleted) {
        assertThat(received.remove(deleted.key())).as("what was received last").isSameAs(deleted.entry());
        assertThat(ends.get(deleted.key())).as("why rows of %s ended", deleted.key()).contains(deleted.cause());
    }

    private void synced(Change.Synced<K, T> done) {
        assertThat(synced).as("synced twice").isFalse();
        assertThat(complete).as("complete").isTrue();
        assertThat(done.count()).isEqualTo(additions);
        synced = true;
    }

    /** Law 13: a subscriber that receives a state finds it, or a later one. */
    private long shown(Versioned<T> state) {
        assertThat(shownAt).as("what was there to see").containsKey(state);
        long revision = shownAt.get(state);
        assertThat(view.snapshot().revision()).as("revision that can be read by now").isGreaterThanOrEqualTo(revision);
        return revision;
    }

    @Override
    public void onError(Throwable thrown) {
        failure = thrown;
        leave();
    }

    @Override
    public void onComplete() {
        dropped.add(new AssertionError("completed"));
    }

    /** What holds at any moment: nothing was thrown but on purpose, and no more is kept than may be. */
    void check() {
        assertThat(dropped).allSatisfy(thrown -> assertThat(thrown).isInstanceOf(OnPurpose.class));
        if (failure != null) {
            assertThat(model != null && model.overflowed()).as("%s, of who is too slow for all that it wants", failure).isTrue();
            assertThat(failure).isInstanceOf(BacklogOverflowException.class);
        }
        if (over) {
            assertThat(buffered()).isZero();
        } else if (model == null) {
            Set<K> keys = new HashSet<>(received.keySet());
            boolean mayWait = !direct || options.brief(); // a relay has some still to emit
            ever.stream().filter(key -> mayWait || view.snapshot().find(key) != null).forEach(keys::add);
            assertThat(buffered()).as("backlog").isLessThanOrEqualTo(keys.size() + 1);
        } else if (!model.overflowed()) {
            assertThat(buffered()).as("backlog").isEqualTo((int) model.backlog());
        }
    }

    private int buffered() {
        return Scannable.from(subscription).scan(Scannable.Attr.BUFFERED);
    }

    /** All that was there to emit has been requested, and emitted. */
    void checkAtRest() {
        check();
        if (!over) {
            assertThat(model == null || !model.overflowed()).as("fails when more waits than may").isTrue();
            assertThat(model == null || model.backlog() == 0).as("everything was emitted").isTrue();
            Map<K, Versioned<T>> rows = new HashMap<>();
            view.snapshot().forEach(rows::put);
            assertThat(received).as("what was received, replayed").isEqualTo(begun ? rows : Map.of());
            assertThat(synced).isEqualTo(complete);
            assertThat(options.brief() ? appeared : Set.of()).as("was there, if only briefly, and nothing received of it").isEmpty();
        }
    }

    /** As {@link #checkAtRest}, and a period has passed since the last rest. */
    void checkResync() {
        checkAtRest();
        if (!over) {
            assertThat(again).as("each row again, once")
                    .containsExactlyInAnyOrderElementsOf(synced && options.resync() ? received.keySet() : Set.of());
        }
    }
}
