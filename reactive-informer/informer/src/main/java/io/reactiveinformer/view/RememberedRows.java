package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.ChangeHub.Feed;
import io.reactiveinformer.view.ChangeLog.Entry;
import io.reactiveinformer.view.Remembered.Gone;
import io.reactiveinformer.view.Remembered.Reset;
import io.reactiveinformer.view.Remembered.Row;
import io.reactiveinformer.view.Remembered.Synced;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Follows a view, and has the next element for each subscriber of a {@link Memory}. Once the view has failed, the memory begins another one
 * of these, with an identity of its own.
 */
final class RememberedRows<K, T> implements CommitListener<K, T>, Runnable {

    /** Longer texts are no positions: an identity and two numbers. */
    private static final int LONGEST = 40;

    private final String identity = Long.toString(ThreadLocalRandom.current().nextLong() >>> 4, Character.MAX_RADIX) + '.';
    private final Retention retention;
    private final Scheduler threads = SharedThreads.ofChanges();
    private final Set<RememberedSubscription<K, T, ?>> subscribers = ConcurrentHashMap.newKeySet();
    private final Disposable.Swap source = Disposables.swap();
    private final AtomicInteger wip = new AtomicInteger();
    private volatile boolean ended;
    private volatile @Nullable Throwable failure; // written before ended

    // Guarded by this; no foreign code is called under the lock.
    private ChangeLog<K, T> log;
    private boolean complete;
    private boolean closed; // what is on its way does not count any more

    /** Where one subscriber stands. Guarded by the rows. */
    static final class Cursor {

        /** The subscriber has received all rows whose last change has at most this revision. */
        private long received;
        /** Deletions up to this revision do not concern it: it had no rows then. */
        private long began;
        /** It knows no object that was added after this revision and deleted up to {@link #target}. */
        private long known;
        /** The last revision when it had received all up to {@link #known}. */
        private long target;
        private boolean synced;
        private boolean holds;

        private long deletions() {
            return Math.max(received, began);
        }
    }

    RememberedRows(Retention retention) {
        this.retention = retention;
        this.log = empty();
    }

    void follow(Feed<K, T> feed) {
        source.update(feed.attach(this)); // disposed of at once if it has ended by now
    }

    private ChangeLog<K, T> empty() {
        return new ChangeLog<>(retention, Table.<K, T>create().snapshot(), now());
    }

    private long now() {
        return threads.now(TimeUnit.MILLISECONDS);
    }

    @Override
    public synchronized void begin(Snapshot<K, T> rows) {
        if (rows.complete() && !closed) {
            complete = true;
            log = new ChangeLog<>(retention, rows, now());
        }
    }

    @Override
    public void file(Commit<K, T> commit) {
        synchronized (this) {
            if (ended) {
                return;
            }
            if (complete) {
                log.apply(commit, now());
            } else {
                begin(commit.snapshot());
            }
        }
        if (subscribers.size() <= ChangeHub.FEW) {
            subscribers.forEach(RememberedSubscription::wake);
        } else if (wip.getAndIncrement() == 0) {
            schedule();
        }
    }

    private void schedule() {
        Contained.call(Scheduler::schedule, threads, this, noThread -> run()); // or memory: nothing else would wake the subscribers
    }

    /** Wakes many subscribers, without the thread of the writer. */
    @Override
    public void run() {
        int seen = wip.get();
        subscribers.forEach(RememberedSubscription::wake);
        if (wip.addAndGet(-seen) != 0) {
            schedule();
        }
    }

    @Override
    public void end(@Nullable Throwable cause) {
        synchronized (this) {
            failure = failure == null && !closed ? cause : failure;
            ended = true;
        }
        subscribers.forEach(subscriber -> subscriber.end(failure));
        leaveIfDone();
    }

    /** The view waits at its end until its last changes are received. */
    private void leaveIfDone() {
        if (ended && (failure != null || subscribers.isEmpty())) {
            source.dispose();
        }
    }

    void close() {
        synchronized (this) {
            closed = true;
            complete = false;
            failure = null;
            log = empty();
        }
        source.dispose();
        end(null);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    boolean hasFailed() {
        return failure != null;
    }

    int subscribers() {
        return subscribers.size();
    }

    void add(RememberedSubscription<K, T, ?> subscriber) {
        subscribers.add(subscriber);
        if (ended) {
            subscriber.end(failure);
        }
    }

    void remove(RememberedSubscription<K, T, ?> subscriber) {
        subscribers.remove(subscriber);
        leaveIfDone();
    }

    /** A cursor at {@code position}, if that holds. */
    synchronized Cursor cursor(@Nullable String position) {
        var cursor = new Cursor();
        log.forget(now());
        cursor.target = log.head();
        if (position != null && position.length() <= LONGEST && position.startsWith(identity)) {
            String[] numbers = position.substring(identity.length()).split("\\.", 2);
            try {
                cursor.received = Long.parseLong(numbers[0], Character.MAX_RADIX);
                cursor.began = numbers.length == 1 ? 0 : Long.parseLong(numbers[1], Character.MAX_RADIX);
                cursor.known = cursor.received;
                cursor.holds = complete && cursor.received >= 0 && cursor.deletions() <= log.head() && position.equals(position(cursor));
            } catch (NumberFormatException forged) { // it does not hold
            }
        }
        return cursor;
    }

    private String position(Cursor at) {
        String received = identity + Long.toString(at.received, Character.MAX_RADIX);
        return at.began <= at.received ? received : received + '.' + Long.toString(at.began, Character.MAX_RADIX);
    }

    synchronized String position() {
        return identity + Long.toString(log.head(), Character.MAX_RADIX);
    }

    /** Moves the cursor to the next element, and returns it; null if there is none now. */
    synchronized @Nullable Remembered<K, T> next(Cursor at) {
        if (!complete) {
            return null;
        }
        if (!at.holds || at.deletions() < log.forgotten()) {
            at.holds = true;
            at.synced = false;
            at.received = 0;
            at.known = 0;
            at.began = log.head();
            at.target = log.head();
            return new Reset<>(position(at));
        }
        while (true) {
            Entry<K, T> next = log.next(at.received, at.deletions());
            if (next == null || next.revision() > at.target) {
                at.received = Math.max(at.received, at.target);
                at.known = at.target;
                at.target = log.head();
                if (!at.synced) {
                    at.synced = true;
                    return new Synced<>(position(at));
                }
            }
            if (next == null) {
                return null;
            }
            at.received = next.revision();
            DeletionCause cause = next.cause();
            Versioned<T> row = next.row();
            if (cause == null && row != null) {
                return new Row<>(next.key(), row, position(at));
            } else if (cause != null && next.born() <= at.known) {
                return new Gone<>(next.key(), cause, Instant.ofEpochMilli(next.at()), position(at));
            }
        }
    }

    /** As {@link #next(Cursor)}, as many as there are now, at most {@code most}; null if there is none. */
    synchronized @Nullable List<Remembered<K, T>> next(Cursor at, int most) {
        List<Remembered<K, T>> found = new ArrayList<>();
        for (var next = next(at); next != null; next = found.size() == most ? null : next(at)) {
            found.add(next);
        }
        return found.isEmpty() ? null : found;
    }

    synchronized Optional<List<Remembered<K, T>>> since(String position) {
        Cursor at = cursor(position);
        List<Remembered<K, T>> changes = new ArrayList<>();
        for (var next = next(at); next != null && !(next instanceof Synced); next = next(at)) {
            if (next instanceof Reset) {
                return Optional.empty();
            }
            changes.add(next);
        }
        return complete ? Optional.of(changes) : Optional.empty();
    }

    Optional<Snapshot<K, T>> at(String position) {
        return steps(position, null).map(RowHistory.Steps::undone);
    }

    Optional<List<Change<K, T>>> between(String from, String to) {
        return steps(from, to).map(RowHistory.Steps::conflated);
    }

    /** @param to null for now */
    private synchronized Optional<RowHistory.Steps<K, T>> steps(String from, @Nullable String to) {
        return log.history().between(moment(from), to == null ? log.head() : moment(to));
    }

    /** The revision of a position; -1 if it does not hold, or is within first rows, which are of no moment. */
    private long moment(String position) {
        Cursor at = cursor(position);
        return at.holds && at.began <= at.received ? at.received : -1;
    }

    synchronized Instant historySince() {
        log.forget(now());
        return Instant.ofEpochMilli(log.history().since());
    }

    synchronized Optional<Memory.Deletion<T>> last(K key) {
        log.forget(now());
        Entry<K, T> deletion = log.deletion(key);
        if (deletion == null) {
            return Optional.empty();
        }
        Versioned<T> last = deletion.row();
        DeletionCause cause = deletion.cause();
        return last == null || cause == null ? Optional.empty()
                : Optional.of(new Memory.Deletion<>(last, cause, Instant.ofEpochMilli(deletion.at())));
    }

    synchronized Instant knownSince() {
        log.forget(now());
        return Instant.ofEpochMilli(log.knownSince());
    }
}
