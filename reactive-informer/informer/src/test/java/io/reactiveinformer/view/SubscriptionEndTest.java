package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;

/** What a subscription leaves behind when it ends before it has rightly begun, or begins after the end. */
class SubscriptionEndTest {

    private final Rows rows = Rows.complete().put("a", "u", 1);

    /** Rule 3.9, broken as early as can be. */
    @Test
    void isGoneWhenItRequestedNothingWhileSubscribing() {
        var listening = new Listening<String>() {
            @Override
            public void onSubscribe(Subscription s) {
                super.onSubscribe(s);
                s.request(-1);
            }
        };
        rows.hub.changes(Delivery.conflated().on(Schedulers.immediate())).subscribe(listening);

        assertThat(listening.failure).isInstanceOf(IllegalArgumentException.class);
        assertThat(rows.hub.followers()).isZero();
        assertThat(listening.backlog()).isZero();
    }

    /** As {@link #isGoneWhenItRequestedNothingWhileSubscribing}, but ended by another thread just as it begins. */
    @Test
    void isGoneWhenItFailsJustAsItBegins() {
        var scheduler = new ManualScheduler();
        var listening = new Listening<String>();
        ChangeHub<String, String> hub = ChangeHub.of(rows.snapshot());
        hub.changes(Delivery.conflated().on(scheduler)).subscribe(new Listening<String>() {
            @Override
            public void onSubscribe(Subscription s) {
                listening.onSubscribe(s);
                s.request(0);
                scheduler.runAll();
            }
        });

        assertThat(hub.followers()).isZero();
        assertThat(listening.backlog()).isZero();
    }

    /** Its subscriber may do as it likes, and so may everybody else meanwhile. */
    @Test
    void receivesAnEndLongAgoWithoutDelayingOthers() {
        rows.hub.complete();
        var follower = new CommitListener<String, String>() {
            boolean whileOthersMaySubscribe;

            @Override
            public void begin(Snapshot<String, String> snapshot) {}

            @Override
            public void file(Commit<String, String> commit) {}

            @Override
            public void end(@Nullable Throwable failure) {
                var other = new Thread(() -> rows.hub.changes(Delivery.conflated()).subscribe().dispose());
                other.start();
                try {
                    other.join(5_000);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                whileOthersMaySubscribe = !other.isAlive();
            }
        };
        rows.hub.add(follower);

        assertThat(follower.whileOthersMaySubscribe).isTrue();
    }

    /** A worker that runs the last task at once is gone, and says so, before {@code schedule} returns. */
    @Test
    void endsOnceThoughItsWorkerIsGoneByThen() {
        var ends = new AtomicInteger();
        var listening = new Listening<String>() {
            @Override
            public void onError(Throwable thrown) {
                ends.incrementAndGet();
            }

            @Override
            public void onComplete() {
                ends.incrementAndGet();
            }
        };
        Scheduler.Worker gone = new RunsThenRefuses();
        ChangeHub<String, String> hub = ChangeHub.of(rows.snapshot());
        hub.changes(Delivery.conflated().on(new Scheduler() {
            @Override
            public Disposable schedule(Runnable task) {
                return gone.schedule(task);
            }

            @Override
            public Worker createWorker() {
                return gone;
            }
        })).subscribe(listening);
        listening.all();
        hub.complete();

        assertThat(ends).hasValue(1);
        assertThat(hub.followers()).isZero();
    }

    /** The first of the subscribers that a relay notifies, which has yet to be made. */
    @Test
    void receivesThatThereIsNoThreadToNotifyItOn() {
        var relaying = new ManualScheduler();
        relaying.shutDown();
        Rows relayed = Rows.relayed(true, relaying);
        Listening<String> listening = Listening.to(relayed.hub.changes(Delivery.conflated().on(Schedulers.immediate())));

        assertThat(listening.failure).isInstanceOf(RejectedExecutionException.class);
        assertThat(relayed.hub.followers()).isZero();
        assertThat(listening.backlog()).isZero();
        relayed.put("a", "u", 2);
    }

    /** As {@link #receivesThatThereIsNoThreadToNotifyItOn}, of a derived view: which has no worker, or whose source has none. */
    @Test
    void receivesThatThereIsNoThreadToDeriveOn() {
        var scheduler = new ManualScheduler();
        scheduler.shutDown();
        View<String, String> first = derived(rows.hub.feed(), scheduler);
        View<String, String> second = derived(Feed.of(first), new ManualScheduler());
        for (View<String, String> view : List.of(first, second)) {
            Listening<String> listening = Listening.to(view.changes(Delivery.conflated().on(Schedulers.immediate())));
            assertThat(listening.failure).isInstanceOf(RejectedExecutionException.class);
            assertThat(view.snapshot().size()).isZero();
        }
        assertThat(rows.hub.followers()).isZero();
    }

    private static View<String, String> derived(Feed<String, String> feed, Scheduler scheduler) {
        return new DerivedView<>(wake -> Derived.filter(feed, row -> true, wake), () -> scheduler,
                Mono.empty(), delivery -> Flux.empty());
    }

    /** Nobody uses the view any more, so it is let go of. */
    @Test
    void letsGoOfADerivedViewWhenItThrows() {
        var scheduler = new ManualScheduler();
        var dropped = new ArrayList<Throwable>();
        derived(rows.hub.feed(), scheduler).changes(Delivery.conflated().on(scheduler)).subscribe(new Listening<>() {
            @Override
            public Context currentContext() {
                return Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);
            }

            @Override
            public void onSubscribe(Subscription s) {
                s.request(1);
            }

            @Override
            public void onNext(Change<String, String> change) {
                throw new IllegalStateException("on purpose");
            }
        });
        scheduler.runAll();

        assertThat(dropped).hasSize(1);
        assertThat(rows.hub.followers()).isZero();
    }

    private static final class RunsThenRefuses implements Scheduler.Worker {

        private boolean disposed;

        @Override
        public Disposable schedule(Runnable task) {
            task.run();
            if (disposed) {
                throw new RejectedExecutionException("gone");
            }
            return Disposables.disposed();
        }

        @Override
        public void dispose() {
            disposed = true;
        }
    }
}
