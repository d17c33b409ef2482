package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
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

/**
 * Emits the elements of a body as it arrives, decoded as they are requested, on the thread that delivers a chunk or requests elements. One
 * chunk is requested at the beginning, and the next as soon as no complete element is left in those that have arrived: at most a chunk and
 * an incomplete element are kept. A failure of the body is emitted at once, also before elements that are left: a resumed watch receives
 * these again.
 *
 * <p>{@code concatMapIterable} would do, but reads an element in three places, into each of which the compiler inlines all of the decoding.
 * Here it is one place.
 */
final class FluxCut<E> extends FluxOperator<ByteBuf, E> {

    private final CutBody<E> cut;

    /** For one subscription. */
    FluxCut(Flux<ByteBuf> body, CutBody<E> cut) {
        super(body);
        this.cut = cut;
    }

    @Override
    public void subscribe(CoreSubscriber<? super E> actual) {
        source.subscribe(new CutSubscriber<>(actual, cut));
    }

    static final class CutSubscriber<E> implements CoreSubscriber<ByteBuf>, Subscription, Scannable {

        private final CoreSubscriber<? super E> actual;
        private final CutBody<E> cut; // used by the draining thread while something may be left in it, else by the delivering one
        private @Nullable Subscription upstream;

        private volatile boolean left;
        private @Nullable Throwable error; // written before done, read after it
        private volatile boolean done;
        private volatile boolean cancelled;
        private boolean endEmitted; // the end was emitted; used by the draining thread

        private volatile long requested;
        @SuppressWarnings("rawtypes")
        private static final AtomicLongFieldUpdater<CutSubscriber> REQUESTED =
                AtomicLongFieldUpdater.newUpdater(CutSubscriber.class, "requested");

        volatile int wip; // not private: the compiler sees no reader of it
        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<CutSubscriber> WIP =
                AtomicIntegerFieldUpdater.newUpdater(CutSubscriber.class, "wip");

        CutSubscriber(CoreSubscriber<? super E> actual, CutBody<E> cut) {
            this.actual = actual;
            this.cut = cut;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            if (Operators.validate(upstream, subscription)) {
                upstream = subscription;
                actual.onSubscribe(this);
                subscription.request(1);
            }
        }

        @Override
        public void onNext(ByteBuf chunk) {
            if (done || cancelled) {
                return; // its source releases it
            }
            try {
                if (left) {
                    throw Exceptions.failWithOverflow("a chunk came that was not requested");
                }
                cut.add(chunk);
            } catch (Throwable failure) { // also an Error: the subscriber is notified
                onError(leave(failure));
                return;
            }
            left = true;
            drain();
        }

        /** Errors of the JVM are emitted, too: otherwise the subscriber would wait without end. */
        private Throwable leave(Throwable failure) {
            Throwable shown = Exceptions.isJvmFatal(failure)
                    ? new IllegalStateException("the JVM failed to read a body: " + failure, failure) : failure;
            return Operators.onOperatorError(upstream, shown, currentContext());
        }

        @Override
        public void onError(Throwable failure) {
            if (done) {
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
            } else if (!done && !cancelled) {
                Objects.requireNonNull(upstream).cancel();
                onError(new IllegalArgumentException("§3.9: a subscriber must request more than 0 elements, was " + n));
            }
        }

        @Override
        public void cancel() {
            if (!cancelled) {
                cancelled = true;
                Objects.requireNonNull(upstream).cancel();
            }
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
         * The subscriber may throw an error that Reactor takes for fatal. It ends this subscription: otherwise the count would stay above
         * zero, and the error would be lost.
         */
        private boolean isOverAfterEmitting() {
            try {
                return emit();
            } catch (Throwable thrown) { // past this drain, no later signal could get in
                cancel();
                if (endEmitted) {
                    throw thrown;
                }
                fail(thrown);
                return true;
            }
        }

        private void fail(Throwable failure) {
            error = leave(failure);
            done = true;
            endEmitted = true;
            actual.onError(error);
        }

        /** Emits until more chunks or more demand are needed. Returns whether that was the end. */
        private boolean emit() {
            long demand = requested;
            long emitted = 0;
            while (!cancelled) {
                boolean ended = done; // read before left: chunks that came before the end are seen below
                boolean some = left; // read once: a chunk that arrives meanwhile is for the next pass
                if (ended && error != null) {
                    endEmitted = true;
                    actual.onError(error);
                    return true;
                }
                boolean found;
                E element = null;
                try {
                    found = some && cut.hasNext();
                    if (found && emitted != demand) {
                        element = cut.next();
                    } else if (!found && ended) {
                        cut.end();
                    }
                } catch (Throwable failure) { // also an Error of a codec: the subscriber is notified
                    fail(failure);
                    return true;
                }
                if (element != null) {
                    actual.onNext(element);
                    emitted++;
                } else if (!found && ended) {
                    endEmitted = true;
                    actual.onComplete();
                    return true;
                } else if (!found && some) {
                    left = false;
                    Objects.requireNonNull(upstream).request(1); // may arrive at once
                } else {
                    break;
                }
            }
            if (emitted != 0) {
                Operators.produced(REQUESTED, this, emitted);
            }
            return cancelled;
        }

        @Override
        @SuppressWarnings("rawtypes") // as Scannable declares it
        public @Nullable Object scanUnsafe(Attr key) {
            if (key == Attr.PARENT) {
                return upstream;
            }
            return key == Attr.ACTUAL ? actual : key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
        }
    }
}
