package io.reactiveinformer.delta;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** See {@link DeltaStage#over}. Requests everything from its source, and keeps at most what {@link PendingEvents} allows. */
final class FluxDeltas<T> extends FluxOperator<ReflectorEvent<T>, Delta<T>> {

    private final Known<T> known;

    FluxDeltas(Flux<? extends ReflectorEvent<T>> source, Known<T> known) {
        super(source);
        this.known = known;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Delta<T>> actual) {
        source.subscribe(new DeltasSubscriber<>(actual, known));
    }

    static final class DeltasSubscriber<T> implements CoreSubscriber<ReflectorEvent<T>>, Subscription, Scannable {

        private final CoreSubscriber<? super Delta<T>> actual;
        private final Comparison<T> comparison;
        private final PendingEvents<T> backlog = new PendingEvents<>(); // guarded by itself; no foreign code under the lock
        private @Nullable Subscription upstream;

        private @Nullable Throwable error; // written before done, read after it
        private volatile boolean done;
        private volatile boolean broken; // the end does not wait for queued entries
        private volatile boolean cancelled;
        private boolean terminated; // only the draining thread's
        // Of the entry that was polled last, only the draining thread's.
        private @Nullable String completeTo;
        private Map<ObjectKey, ObjectEvent<T>> listing = Map.of();

        private volatile long requested;
        @SuppressWarnings("rawtypes")
        private static final AtomicLongFieldUpdater<DeltasSubscriber> REQUESTED =
                AtomicLongFieldUpdater.newUpdater(DeltasSubscriber.class, "requested");

        volatile int wip; // not private: the compiler sees no reader of it
        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<DeltasSubscriber> WIP =
                AtomicIntegerFieldUpdater.newUpdater(DeltasSubscriber.class, "wip");

        DeltasSubscriber(CoreSubscriber<? super Delta<T>> actual, Known<T> known) {
            this.actual = actual;
            this.comparison = new Comparison<>(known);
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            if (Operators.validate(upstream, subscription)) {
                upstream = subscription;
                actual.onSubscribe(this);
                subscription.request(Long.MAX_VALUE);
            }
        }

        @Override
        public void onNext(ReflectorEvent<T> event) {
            if (done || cancelled) {
                Operators.onNextDropped(event, currentContext());
                return;
            }
            ReflectorEvent<T> replaced;
            try {
                synchronized (backlog) {
                    replaced = backlog.file(event);
                }
            } catch (Throwable failure) { // no memory
                onError(Operators.onOperatorError(upstream, nonFatal(failure), event, currentContext()));
                return;
            }
            if (replaced != null) {
                Operators.onDiscard(replaced, currentContext());
            }
            drain();
        }

        @Override
        public void onError(Throwable failure) {
            if (done || cancelled) {
                Operators.onErrorDropped(failure, currentContext());
                return;
            }
            error = failure;
            done = true;
            drain();
        }

        @Override
        public void onComplete() {
            done = true;
            drain();
        }

        @Override
        public void request(long n) {
            if (n > 0) {
                Operators.addCap(REQUESTED, this, n);
                drain();
            } else {
                Objects.requireNonNull(upstream).cancel();
                error = new IllegalArgumentException("§3.9: a subscriber must request more than 0 elements, was " + n);
                broken = true;
                done = true;
                drain();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            if (upstream != null) {
                upstream.cancel();
            }
            drain();
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        private void drain() {
            if (WIP.getAndIncrement(this) != 0) {
                return; // the draining thread sees the new count and makes another pass
            }
            int missed = 1;
            do {
                if (isOverAfterEmitting()) {
                    return; // the count stays above zero: nothing is delivered after the end
                }
                missed = WIP.addAndGet(this, -missed);
            } while (missed != 0);
        }

        /**
         * A comparison may fail, and then later events cannot be compared either; or the subscriber may throw an error
         * that Reactor treats as fatal. Both end this subscription: otherwise the count would stay above zero, and the
         * subscriber would receive neither deltas nor the reason.
         */
        private boolean isOverAfterEmitting() {
            try {
                return emit();
            } catch (Throwable thrown) { // see above
                if (terminated) {
                    Objects.requireNonNull(upstream).cancel();
                    throw thrown;
                }
                error = nonFatal(thrown);
                done = true;
                try {
                    error = Operators.onOperatorError(upstream, error, currentContext());
                } finally { // the hook may throw
                    discardBacklog();
                    terminate();
                }
                return true;
            }
        }

        private boolean emit() {
            boolean ended = done; // before the backlog: what was filed before the end is seen below
            long emitted = emitWhileRequested();
            if (emitted != 0) {
                Operators.produced(REQUESTED, this, emitted);
            }
            if (cancelled || broken) {
                discardBacklog();
            }
            boolean over = !cancelled && ended && backlogIsEmpty();
            if (over) {
                terminate();
            }
            return over;
        }

        /** Wraps what Reactor would rethrow, such as an error of the JVM: otherwise the subscription never ends. */
        private static Throwable nonFatal(Throwable failure) {
            return Exceptions.isFatal(failure)
                    ? new IllegalStateException("a delta could not be emitted: " + failure, failure) : failure;
        }

        private long emitWhileRequested() {
            long demand = requested;
            long emitted = 0;
            while (emitted != demand && !cancelled && !broken) {
                ReflectorEvent<T> next = poll();
                if (next == null) {
                    break;
                }
                Delta<T> delta = next instanceof ReflectorEvent.ListingEnded<T> ended
                        ? comparison.listed(ended, listing) : comparison.live(next, completeTo);
                listing = Map.of();
                if (delta == null) {
                    Operators.onDiscard(next, currentContext());
                } else {
                    actual.onNext(delta);
                    emitted++;
                }
            }
            return emitted;
        }

        private void terminate() {
            terminated = true;
            if (error == null) {
                actual.onComplete();
            } else {
                actual.onError(error);
            }
        }

        private void discardBacklog() {
            for (ReflectorEvent<T> next = poll(); next != null; next = poll()) {
                Operators.onDiscard(next, currentContext());
            }
        }

        private @Nullable ReflectorEvent<T> poll() {
            synchronized (backlog) {
                ReflectorEvent<T> next = backlog.poll();
                completeTo = backlog.completeTo();
                listing = backlog.takeListing();
                return next;
            }
        }

        private boolean backlogIsEmpty() {
            synchronized (backlog) {
                return backlog.isEmpty();
            }
        }

        @Override
        @SuppressWarnings("rawtypes") // as Scannable declares it
        public @Nullable Object scanUnsafe(Attr key) {
            if (key == Attr.PARENT) {
                return upstream;
            }
            if (key == Attr.ACTUAL) {
                return actual;
            }
            if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
                return requested;
            }
            if (key == Attr.BUFFERED) {
                synchronized (backlog) {
                    return backlog.size();
                }
            }
            if (key == Attr.TERMINATED) {
                return done && backlogIsEmpty();
            }
            if (key == Attr.CANCELLED) {
                return cancelled;
            }
            if (key == Attr.ERROR) {
                return error;
            }
            return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
        }
    }
}
