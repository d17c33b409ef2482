package io.reactiveinformer.test;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.ChangeHub;
import io.reactiveinformer.view.ChangeHub.Feed;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.SubscriberStatus;
import io.reactiveinformer.view.View;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A view whose rows a test writes: for subscribers, derived views and controllers, without a server and without a reflector. It fulfils the
 * contract of {@link View}; the test decides its status.
 *
 * <pre>{@code
 * TestView<ObjectKey, V1Pod> pods = TestView.of(Map.of());
 * View<ObjectKey, String> images = pods.map(pod -> image(pod));
 * pods.put(key, pod).remove(key);
 * }</pre>
 *
 * <p>Each row has a uid and a version. A row that is put again keeps its uid and gets the next version; a row that was removed before gets
 * a new uid. Any thread may write. Once the view is over, by {@link #stop} or {@link #giveUp}, every write and change of status throws an
 * {@link IllegalStateException}.
 *
 * @param <K> the type of the keys
 * @param <T> the type of the rows
 */
public final class TestView<K, T> implements ChangeHub.Fed<K, T> {

    private final Table<K, T> table = Table.create();
    private final ChangeHub<K, T> hub = ChangeHub.of(table.snapshot());
    private final Sinks.Many<InformerStatus> statuses = Sinks.many().replay().latest(); // guarded by this
    private final Sinks.Empty<Void> synced = Sinks.empty();
    private final Set<K> keys = new LinkedHashSet<>(); // guarded by this
    private final Instant created = now();
    private InformerStatus status = InformerStatus.idle(created); // guarded by this
    private long version; // guarded by this

    private TestView() {
        stand(State.LISTING, null);
    }

    /** A view without rows that is not complete until {@link #sync} or {@link #list}. */
    public static <K, T> TestView<K, T> create() {
        return new TestView<>();
    }

    /** A complete view with these rows. */
    public static <K, T> TestView<K, T> of(Map<K, T> rows) {
        return new TestView<K, T>().list(rows);
    }

    /** Adds or replaces a row. */
    public TestView<K, T> put(K key, T row) {
        return write(edited -> edit(key, row, DeletionCause.OBSERVED));
    }

    /** Replaces the row by another one with the same key and a new uid: a deletion and an addition, with no snapshot in between. */
    public TestView<K, T> recreate(K key, T row) {
        return write(edited -> {
            long next = ++version;
            keys.add(key);
            edited.put(key, new Versioned<>("uid-" + next, Long.toString(next), row), DeletionCause.OBSERVED);
        });
    }

    /** Removes a row as {@link DeletionCause#OBSERVED}. Does nothing if there is none. */
    public TestView<K, T> remove(K key) {
        return remove(key, DeletionCause.OBSERVED);
    }

    /** Removes a row for this cause. Does nothing if there is none. */
    public TestView<K, T> remove(K key, DeletionCause cause) {
        return write(edited -> {
            keys.remove(key);
            edited.remove(key, cause, cause == DeletionCause.OBSERVED ? Long.toString(++version) : null);
        });
    }

    /**
     * Replaces all rows at once, as a list of the server does; the view is complete and live from now on. A row that equals the current one
     * is not changed; a missing one is removed as {@link DeletionCause#INFERRED}.
     */
    public synchronized TestView<K, T> list(Map<K, T> rows) {
        ensureNotOver();
        for (K key : List.copyOf(keys)) {
            if (!rows.containsKey(key)) {
                keys.remove(key);
                table.remove(key, DeletionCause.INFERRED, null);
            }
        }
        rows.forEach((key, row) -> {
            Versioned<T> present = table.find(key);
            if (present == null || !present.object().equals(row)) {
                edit(key, row, DeletionCause.INFERRED);
            }
        });
        return complete(true);
    }

    /** Makes the view complete with the current rows, and live: subscribers receive {@link Change.Synced}. */
    public synchronized TestView<K, T> sync() {
        return complete(false);
    }

    /** Makes the view disrupted by {@code cause}, as when its server cannot be reached: the rows stay, and are stale from now on. */
    public synchronized TestView<K, T> disrupt(KubernetesException cause) {
        stand(State.DISRUPTED, cause);
        return this;
    }

    /** Ends a disruption: the view is live again, or, if it was never complete, listing. */
    public synchronized TestView<K, T> recover() {
        stand(table.snapshot().complete() ? State.LIVE : State.LISTING, null);
        return this;
    }

    /** Stops the view: subscribers receive their pending changes, then complete. {@link #synced} fails if the view was never complete. */
    public synchronized void stop() {
        stand(State.STOPPED, null);
        hub.complete();
        end(new IllegalStateException("this view was stopped before it was synced"));
    }

    /** Stops the view with a failure: subscribers fail with {@code cause}, as does {@link #synced} if the view was never complete. */
    public synchronized void giveUp(KubernetesException cause) {
        stand(State.STOPPED, cause);
        hub.fail(cause);
        end(cause);
    }

    private void end(Throwable unlessSynced) {
        statuses.tryEmitComplete().orThrow();
        synced.tryEmitError(unlessSynced);
    }

    private synchronized TestView<K, T> write(Consumer<Table<K, T>> edit) {
        ensureNotOver();
        edit.accept(table);
        publish(table.commit(table.snapshot().complete()), false);
        return this;
    }

    private void edit(K key, T row, DeletionCause cause) {
        long next = ++version;
        Versioned<T> present = table.find(key);
        keys.add(key);
        table.put(key, new Versioned<>(present == null ? "uid-" + next : present.uid(), Long.toString(next), row), cause);
    }

    private TestView<K, T> complete(boolean batch) {
        ensureNotOver();
        publish(table.commit(true), batch);
        stand(State.LIVE, null);
        synced.tryEmitEmpty();
        return this;
    }

    private void publish(Commit<K, T> commit, boolean batch) {
        hub.publish(commit.batch(batch));
    }

    private void ensureNotOver() {
        if (status.state() == State.STOPPED) {
            throw new IllegalStateException("this view is over: it was stopped, or has given up");
        }
    }

    private synchronized void stand(State state, @Nullable KubernetesException cause) {
        ensureNotOver();
        Instant now = now();
        boolean complete = table.snapshot().complete();
        Instant stale = state == State.LIVE || !complete ? null : status.staleSince() == null ? now : status.staleSince();
        int attempt = state == State.DISRUPTED ? status.attempt() + 1 : 0;
        Instant since = state == status.state() ? status.since() : now;
        status = new InformerStatus(state, since, complete, stale, complete ? null : created, cause, attempt, null, Map.of(), Map.of());
        statuses.tryEmitNext(status).orThrow();
    }

    /** The time of {@link Delivery#scheduler}: virtual while a {@link TestClock} is started. */
    private static Instant now() {
        return Instant.ofEpochMilli(Delivery.conflated().scheduler().now(TimeUnit.MILLISECONDS));
    }

    @Override
    public Snapshot<K, T> snapshot() {
        return table.snapshot();
    }

    @Override
    public Flux<Change<K, T>> changes(Delivery delivery) {
        return hub.changes(delivery);
    }

    @Override
    public Mono<Void> synced() {
        return synced.asMono();
    }

    @Override
    public Flux<InformerStatus> status() {
        return status(Delivery.conflated());
    }

    @Override
    public Flux<InformerStatus> status(Delivery delivery) {
        return statuses.asFlux().onBackpressureLatest().publishOn(delivery.scheduler(), 1);
    }

    @Override
    public List<SubscriberStatus> subscribers() {
        return hub.subscribers();
    }

    @Override
    public Feed<K, T> feed() {
        return hub.feed();
    }
}
