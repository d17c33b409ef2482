package io.reactiveinformer.view;

import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.informer.WorkerSubscription;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * One subscriber of a {@link Memory}: a place in its log, from which it reads on at its own demand.
 *
 * @param <E> what is read at a time
 */
final class RememberedSubscription<K, T, E> extends WorkerSubscription<E> {

    private final RememberedRows<K, T> rows;
    private final RememberedRows.Cursor cursor;
    private final BiFunction<RememberedRows<K, T>, RememberedRows.Cursor, @Nullable E> next;
    private @Nullable E last; // found when nothing changes any more; used by the worker

    private RememberedSubscription(CoreSubscriber<? super E> actual, Scheduler.Worker worker, RememberedRows<K, T> rows,
            @Nullable String position, BiFunction<RememberedRows<K, T>, RememberedRows.Cursor, @Nullable E> next) {
        super(actual, worker);
        this.rows = rows;
        this.cursor = rows.cursor(position);
        this.next = next;
    }

    static <K, T, E> Flux<E> flux(Supplier<RememberedRows<K, T>> rows, @Nullable String position, Delivery delivery,
            BiFunction<RememberedRows<K, T>, RememberedRows.Cursor, @Nullable E> next) {
        if (delivery.<K, T>backlog() instanceof EveryBacklog<K, T>) {
            throw new IllegalArgumentException("a memory has the last change of each row only: use changes(Delivery.every(n)) of the view");
        }
        return Flux.from(subscriber -> {
            CoreSubscriber<? super E> actual = Operators.toCoreSubscriber(subscriber);
            Scheduler.Worker worker = worker(delivery.scheduler(), actual);
            if (worker != null) {
                RememberedRows<K, T> current = rows.get();
                var subscription = new RememberedSubscription<>(actual, worker, current, position, next);
                subscription.start(() -> subscription.join());
            }
        });
    }

    private void join() {
        rows.add(this);
        if (isOver()) { // cancelled meanwhile
            rows.remove(this);
        }
    }

    /** Emits what there is, if that is requested. */
    void wake() {
        if (isDemanded()) {
            Contained.call(RememberedSubscription::schedule, this, failing); // it may emit on this thread
        }
    }

    void end(@Nullable Throwable cause) {
        if (cause == null) {
            endInOrder();
        } else {
            fail(cause);
        }
        Contained.call(RememberedSubscription::schedule, this, failing);
    }

    @Override
    protected @Nullable E poll() {
        E found = rows.isClosed() ? null : last;
        last = null;
        return found == null ? next.apply(rows, cursor) : found;
    }

    @Override
    protected boolean isEmpty() {
        last = last == null || rows.isClosed() ? next.apply(rows, cursor) : last;
        return last == null;
    }

    /** Nothing is kept for it. */
    @Override
    protected int size() {
        return 0;
    }

    @Override
    protected void release() {
        rows.remove(this);
    }
}
