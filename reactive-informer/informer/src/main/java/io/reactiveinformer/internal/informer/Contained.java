package io.reactiveinformer.internal.informer;

import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Catches everything that a pipeline throws, at its entries: signals and tasks. Reactor rethrows errors that it takes for fatal, past
 * operators that then neither continue nor terminate. The thread or timer that called the pipeline would drop the exception, and the
 * pipeline would fall silent without a sign.
 */
public final class Contained {

    private Contained() {}

    /**
     * Calls {@code code}; what it throws is passed to {@code thrown}, and goes no further. Takes arguments, so that
     * neither this nor the caller allocates anything first: memory may be short.
     */
    public static <A, B> void call(
            BiConsumer<? super A, ? super B> code, A one, B other, Consumer<? super Throwable> thrown) {
        try {
            code.accept(one, other);
        } catch (Throwable failure) { // whatever it is: see above
            thrown.accept(failure);
        }
    }

    /** As the other {@code call}, with one argument. */
    public static <A> void call(Consumer<? super A> code, A argument, Consumer<? super Throwable> thrown) {
        call(Consumer::accept, code, argument, thrown);
    }

    /**
     * Passes {@code signals} on to a subscriber that may throw. If it throws, from any signal, {@code thrown} is called and then
     * {@code signals} is cancelled; the exception goes no further.
     *
     * @param thrown called with what was thrown, and again if cancelling throws too; must not throw
     */
    public static <E> Flux<E> flux(Flux<E> signals, Consumer<Throwable> thrown) {
        return signals.transform(Operators.<E, E>lift((scannable, actual) -> new Subscriber<>(actual, thrown)));
    }

    /** As {@link #flux}, for one request. */
    public static <E> Mono<E> mono(Mono<E> signals, Consumer<Throwable> thrown) {
        return flux(signals.flux(), thrown).next();
    }

    private static final class Subscriber<E> implements CoreSubscriber<E>, Consumer<Throwable> {

        private final CoreSubscriber<? super E> actual;
        private final Consumer<Throwable> thrown;
        private Subscription upstream = Operators.emptySubscription();

        Subscriber(CoreSubscriber<? super E> actual, Consumer<Throwable> thrown) {
            this.actual = actual;
            this.thrown = thrown;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            call(CoreSubscriber::onSubscribe, actual, subscription, this);
        }

        @Override
        public void onNext(E element) {
            call(CoreSubscriber::onNext, actual, element, this);
        }

        @Override
        public void onError(Throwable cause) {
            call(CoreSubscriber::onError, actual, cause, this);
        }

        @Override
        public void onComplete() {
            call(CoreSubscriber::onComplete, actual, this);
        }

        /** The subscriber has thrown {@code failure}. */
        @Override
        public void accept(Throwable failure) {
            thrown.accept(failure);
            call(Subscription::cancel, upstream, thrown);
        }
    }

    /**
     * A scheduler that runs tasks on {@code scheduler}, and catches what they throw. Its disposal has no effect on {@code scheduler}.
     *
     * @param thrown called with what a task has thrown, on the task's thread; must not throw
     */
    public static Scheduler scheduler(Scheduler scheduler, Consumer<Throwable> thrown) {
        return new ContainedScheduler(scheduler, thrown);
    }

    private record ContainedScheduler(Scheduler scheduler, Consumer<Throwable> thrown) implements Scheduler {

        @Override
        public long now(TimeUnit unit) {
            return scheduler.now(unit);
        }

        @Override
        public Disposable schedule(Runnable task) {
            return scheduler.schedule(() -> call(Runnable::run, task, thrown));
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return scheduler.schedule(() -> call(Runnable::run, task, thrown), delay, unit);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
            return scheduler.schedulePeriodically(() -> call(Runnable::run, task, thrown), initialDelay, period, unit);
        }

        @Override
        public Worker createWorker() {
            return new ContainedWorker(scheduler.createWorker(), thrown);
        }
    }

    private record ContainedWorker(Scheduler.Worker worker, Consumer<Throwable> thrown) implements Scheduler.Worker {

        @Override
        public Disposable schedule(Runnable task) {
            return worker.schedule(() -> call(Runnable::run, task, thrown));
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return worker.schedule(() -> call(Runnable::run, task, thrown), delay, unit);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
            return worker.schedulePeriodically(() -> call(Runnable::run, task, thrown), initialDelay, period, unit);
        }

        @Override
        public void dispose() {
            worker.dispose();
        }

        @Override
        public boolean isDisposed() {
            return worker.isDisposed();
        }
    }
}
