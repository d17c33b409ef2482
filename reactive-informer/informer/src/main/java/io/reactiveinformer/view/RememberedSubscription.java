package io.reactiveinformer.view;

import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.informer.WorkerSubscription;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/** One subscriber of a {@link Memory}: a place in its log, from which it reads on at its own demand. */
final class RememberedSubscription<K, T> extends WorkerSubscription<Remembered<K, T>> {

    private final RememberedRows<K, T> rows;
    private final RememberedRows.Cursor cursor;
    private @Nullable Remembered<K, T> last; // found when nothing changes any more; used by the worker

    private RememberedSubscription(CoreSubscriber<? super Remembered<K, T>> actual, Scheduler.Worker worker, RememberedRows<K, T> rows,
            @Nullable String position) {
        super(actual, worker);
        this.rows = rows;
        this.cursor = rows.cursor(position);
    }

    static <K, T> Flux<Remembered<K, T>> flux(Supplier<RememberedRows<K, T>> rows, @Nullable String position, Delivery delivery) {
        return Flux.from(subscriber -> {
            CoreSubscriber<? super Remembered<K, T>> actual = Operators.toCoreSubscriber(subscriber);
            Scheduler.Worker worker = worker(delivery.scheduler(), actual);
            if (worker != null) {
                RememberedRows<K, T> current = rows.get();
                var subscription = new RememberedSubscription<>(actual, worker, current, position);
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
    protected @Nullable Remembered<K, T> poll() {
        Remembered<K, T> found = rows.isClosed() ? null : last;
        last = null;
        return found == null ? rows.next(cursor) : found;
    }

    @Override
    protected boolean isEmpty() {
        last = last == null || rows.isClosed() ? rows.next(cursor) : last;
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
