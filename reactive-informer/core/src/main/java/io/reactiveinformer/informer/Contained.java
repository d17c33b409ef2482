package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ForwardingListerWatcher;
import io.reactiveinformer.source.ListerWatcher;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * What leads into a pipeline, so that whatever is thrown in there ends here: Reactor rethrows what it takes for fatal, past operators that then neither go on
 * nor end. Sources' threads and timers would drop it, and nobody would know that nothing more will come.
 */
final class Contained {

    private Contained() {}

    private static <E> Flux<E> contained(Flux<E> signals, Consumer<Throwable> thrown) {
        return signals.transform(Operators.<E, E>lift((scannable, actual) -> new Subscriber<>(actual, thrown)));
    }

    /** A source whose signals are taken by what may throw. */
    static final class Source<T> extends ForwardingListerWatcher<T> {

        private final Consumer<Throwable> thrown;

        Source(ListerWatcher<T> source, Consumer<Throwable> thrown) {
            super(source);
            this.thrown = thrown;
        }

        @Override
        public Flux<ListEvent<T>> one(@Nullable ObjectKey key, String resourceVersion, ListOptions.Match match, Known<T> known) {
            return contained(super.one(key, resourceVersion, match, known), thrown);
        }

        @Override
        public Flux<ListEvent<T>> list(ListOptions options, Known<T> known) {
            return contained(super.list(options, known), thrown);
        }

        @Override
        public Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known) {
            return contained(super.watch(options, known), thrown);
        }
    }

    private static final class Subscriber<E> implements CoreSubscriber<E> {

        private final CoreSubscriber<? super E> actual;
        private final Consumer<Throwable> thrown;
        private @Nullable Subscription upstream;

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
            try {
                actual.onSubscribe(subscription);
            } catch (Throwable failure) {
                broken(failure);
            }
        }

        @Override
        public void onNext(E element) {
            try {
                actual.onNext(element);
            } catch (Throwable failure) {
                broken(failure);
            }
        }

        @Override
        public void onError(Throwable cause) {
            try {
                actual.onError(cause);
            } catch (Throwable failure) {
                broken(failure);
            }
        }

        @Override
        public void onComplete() {
            try {
                actual.onComplete();
            } catch (Throwable failure) {
                broken(failure);
            }
        }

        private void broken(Throwable failure) {
            thrown.accept(failure);
            if (upstream != null) {
                upstream.cancel();
            }
        }
    }

    /** A timer whose tasks may throw. */
    record Timer(Scheduler timer, Consumer<Throwable> thrown) implements Scheduler {

        private static Runnable contained(Runnable task, Consumer<Throwable> thrown) {
            return () -> {
                try {
                    task.run();
                } catch (Throwable failure) {
                    thrown.accept(failure);
                }
            };
        }

        @Override
        public long now(TimeUnit unit) {
            return timer.now(unit);
        }

        @Override
        public Disposable schedule(Runnable task) {
            return timer.schedule(contained(task, thrown));
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return timer.schedule(contained(task, thrown), delay, unit);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
            return timer.schedulePeriodically(contained(task, thrown), initialDelay, period, unit);
        }

        @Override
        public Worker createWorker() {
            return new ContainedWorker(timer.createWorker(), thrown);
        }
    }

    private record ContainedWorker(Scheduler.Worker worker, Consumer<Throwable> thrown) implements Scheduler.Worker {

        @Override
        public Disposable schedule(Runnable task) {
            return worker.schedule(Timer.contained(task, thrown));
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return worker.schedule(Timer.contained(task, thrown), delay, unit);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
            return worker.schedulePeriodically(Timer.contained(task, thrown), initialDelay, period, unit);
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
