package io.reactiveinformer.races;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** A source whose signals the test sends; for one subscriber. */
public final class Trickle<E> extends Flux<E> implements Subscription {

    private final AtomicLong requested = new AtomicLong();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private @Nullable CoreSubscriber<? super E> actual;

    @Override
    public void subscribe(CoreSubscriber<? super E> one) {
        actual = one;
        one.onSubscribe(this);
    }

    public Subscriber<? super E> to() {
        if (actual == null) {
            throw new IllegalStateException("not subscribed to yet");
        }
        return actual;
    }

    @Override
    public void request(long n) {
        requested.addAndGet(n);
    }

    @Override
    public void cancel() {
        cancelled.set(true);
    }

    public long requested() {
        return requested.get();
    }

    public boolean isCancelled() {
        return cancelled.get();
    }
}
