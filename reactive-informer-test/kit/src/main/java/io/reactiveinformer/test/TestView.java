package io.reactiveinformer.test;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.ChangeHub;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.Feed;
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
 * A view whose rows a test writes: for subscribers, derived views and controllers, without a server and without a reflector. It keeps the contract of every
 * {@link View}; what it says of its server, the test says.
 *
 * <pre>{@code
 * TestView<ObjectKey, V1Pod> pods = TestView.of(Map.of());
 * View<ObjectKey, String> images = pods.map(pod -> image(pod));
 * pods.put(key, pod).remove(key);
 * }</pre>
 *
 * <p>Each row has a uid and a version: a row that is put again has the same uid and the next version, one that was removed before has another uid. Any thread
 * may write.
 *
 * @param <K> what names a row
 * @param <T> the row
 */
public final class TestView<K, T> implements View<K, T> {

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

    /** Without rows, and not complete: {@link #sync} or {@link #list} makes it so. */
    public static <K, T> TestView<K, T> create() {
        return new TestView<>();
    }

    /** Complete, with these rows. */
    public static <K, T> TestView<K, T> of(Map<K, T> rows) {
        return new TestView<K, T>().list(rows);
    }

    /** This row is there from now on, new or changed. */
    public TestView<K, T> put(K key, T row) {
        return write(edited -> edit(key, row, DeletionCause.OBSERVED));
    }

    /** The row is gone, and another one is there by its name: two changes, though nobody may see the state in between. */
    public TestView<K, T> recreate(K key, T row) {
        return write(edited -> {
            long next = ++version;
            keys.add(key);
            edited.put(key, new Versioned<>("uid-" + next, Long.toString(next), row), DeletionCause.OBSERVED);
        });
    }

    /** As {@link #remove(Object, DeletionCause)}: the server said so. */
    public TestView<K, T> remove(K key) {
        return remove(key, DeletionCause.OBSERVED);
    }

    /** The row is gone; nothing happens where there was none. */
    public TestView<K, T> remove(K key, DeletionCause cause) {
        return write(edited -> {
            keys.remove(key);
            edited.remove(key, cause, cause == DeletionCause.OBSERVED ? Long.toString(++version) : null);
        });
    }

    /**
     * As a list of the server: these are all rows from now on, at once, and complete. A row that equals the one that is there is not changed; one that is
     * missing is gone, as {@link DeletionCause#INFERRED}.
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

    /** What is there is complete: subscribers receive {@link Change.Synced}. */
    public synchronized TestView<K, T> sync() {
        return complete(false);
    }

    /** Cut off from its server: the rows stay, and are out of date from now on. */
    public synchronized TestView<K, T> disrupt(KubernetesException cause) {
        stand(State.DISRUPTED, cause);
        return this;
    }

    /** Hears of changes again, or, where it was never complete, asks for the first list. */
    public synchronized TestView<K, T> recover() {
        stand(table.snapshot().complete() ? State.LIVE : State.LISTING, null);
        return this;
    }

    /** Over: subscribers receive what waits for them, then complete. */
    public synchronized void stop() {
        stand(State.STOPPED, null);
        hub.complete();
        end(new IllegalStateException("this view was stopped before it was synced"));
    }

    /** Over, for this reason: subscribers fail with it. */
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

    /** In the time of the clock that is in force. */
    private static Instant now() {
        return Instant.ofEpochMilli(Delivery.sharedThreads().now(TimeUnit.MILLISECONDS));
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
