package io.reactiveinformer.codec;

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
 * What a body consists of, as it arrives, and decoded as it is requested, by who delivers or by who requests. One chunk is requested at the beginning, and
 * the next as soon as nothing complete is left in those that have come: no more is held than a chunk and what is not complete. A failure of the body is
 * told at once, also before what is left: whoever resumes hears that again.
 *
 * <p>{@code concatMapIterable} would do, but asks for an element in three places, into each of which the compiler copies all of the decoding. Here is one.
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
        private final CutBody<E> cut; // of who drains while there may be something left in it, otherwise of who delivers the next chunk
        private @Nullable Subscription upstream;

        private volatile boolean left;
        private @Nullable Throwable error; // written before done, read after it
        private volatile boolean done;
        private volatile boolean cancelled;
        private boolean told; // that this is over; of who drains

        private volatile long requested;
        @SuppressWarnings("rawtypes")
        private static final AtomicLongFieldUpdater<CutSubscriber> REQUESTED = AtomicLongFieldUpdater.newUpdater(CutSubscriber.class, "requested");

        volatile int wip; // not private: the compiler sees no reader of it
        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<CutSubscriber> WIP = AtomicIntegerFieldUpdater.newUpdater(CutSubscriber.class, "wip");

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
                return; // who delivers it releases it
            }
            try {
                if (left) {
                    throw Exceptions.failWithOverflow("a chunk came that was not requested");
                }
                cut.add(chunk);
            } catch (Throwable failure) {
                onError(leave(failure));
                return;
            }
            left = true;
            drain();
        }

        /** The JVM's own failures are told, too: nobody else would end what waits here. */
        private Throwable leave(Throwable failure) {
            Throwable told = Exceptions.isJvmFatal(failure) ? new IllegalStateException("the JVM failed to read a body: " + failure, failure) : failure;
            return Operators.onOperatorError(upstream, told, currentContext());
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
                return; // whoever is draining sees the new count and goes round again
            }
            int missed = 1;
            do {
                if (isOverAfterEmitting()) {
                    return; // the count stays above zero: nothing is delivered after the end
                }
                missed = WIP.addAndGet(this, -missed);
            } while (missed != 0);
        }

        /** Who takes the elements may throw what Reactor takes for fatal. That is the end of this: else the count would stay up, and nobody would hear why. */
        private boolean isOverAfterEmitting() {
            try {
                return emit();
            } catch (Throwable thrown) {
                cancel();
                if (told) {
                    throw thrown;
                }
                fail(thrown);
                return true;
            }
        }

        private void fail(Throwable failure) {
            error = leave(failure);
            done = true;
            told = true;
            actual.onError(error);
        }

        /** Goes on until more has to come, or to be requested. Tells whether that was the end. */
        private boolean emit() {
            long demand = requested;
            long emitted = 0;
            while (!cancelled) {
                boolean ended = done; // before what is left: what came before the end is seen below
                boolean some = left; // once: a chunk that comes meanwhile is for the next round
                if (ended && error != null) {
                    told = true;
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
                } catch (Throwable failure) {
                    fail(failure);
                    return true;
                }
                if (element != null) {
                    actual.onNext(element);
                    emitted++;
                } else if (!found && ended) {
                    told = true;
                    actual.onComplete();
                    return true;
                } else if (!found && some) {
                    left = false;
                    Objects.requireNonNull(upstream).request(1); // may come at once
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
