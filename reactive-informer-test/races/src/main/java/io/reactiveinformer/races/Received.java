package io.reactiveinformer.races;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/**
 * Keeps what it receives, and notes what no subscriber may see: two signals at a time, or one after the end. Demand
 * comes from the test.
 */
public class Received<E> implements CoreSubscriber<E> {

    private final AtomicInteger inside = new AtomicInteger();
    private final List<E> got = new ArrayList<>();
    private @Nullable Throwable failure;
    private boolean completed;
    private volatile @Nullable String wrong;
    private @Nullable Subscription subscription;

    @Override
    public void onSubscribe(Subscription given) {
        subscription = given;
    }

    @Override
    public final void onNext(E element) {
        enter();
        got.add(element);
        receive(element);
        leave();
    }

    /** Called for each element, within its signal. */
    protected void receive(E element) {}

    @Override
    public final void onComplete() {
        enter();
        completed = true;
        leave();
    }

    @Override
    public final void onError(Throwable thrown) {
        enter();
        failure = thrown;
        leave();
    }

    private void enter() {
        if (inside.getAndIncrement() != 0) {
            wrong = "two signals at a time";
        }
        if (completed || failure != null) {
            wrong = "a signal after the end";
        }
    }

    private void leave() {
        if (inside.decrementAndGet() != 0) {
            wrong = "two signals at a time";
        }
    }

    public final Subscription subscription() {
        if (subscription == null) {
            throw new IllegalStateException("not subscribed yet");
        }
        return subscription;
    }

    /** Has no effect before it is subscribed. */
    public final void request(long n) {
        subscription().request(n);
    }

    public final void cancel() {
        subscription().cancel();
    }

    /** What it received, in order. For when all signals are over. */
    public final List<E> got() {
        return got;
    }

    public final boolean isCompleted() {
        return completed;
    }

    public final @Nullable Throwable failure() {
        return failure;
    }

    /** Notes what a subclass has seen. */
    protected final void isWrong(String what) {
        wrong = what;
    }

    /** What was wrong with the signals, or with the state that they should have led to; {@code ok} if nothing was. */
    public final String outcome(boolean asExpected, Object state) {
        String seen = wrong;
        return seen != null ? seen : asExpected ? OnlyOk.OK : "got " + state + (completed ? ", completed" : "")
                + (failure == null ? "" : ", failed with " + failure.getMessage());
    }
}
