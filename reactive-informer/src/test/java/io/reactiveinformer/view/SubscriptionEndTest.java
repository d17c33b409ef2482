package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

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
        rows.hub.changes(Delivery.on(Schedulers.immediate())).subscribe(listening);

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
        hub.changes(Delivery.on(scheduler)).subscribe(new Listening<String>() {
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
    void isToldOfAnEndLongAgoWithoutHoldingUpOthers() {
        rows.hub.complete();
        var follower = new Follower<String, String>() {
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
        hub.changes(Delivery.on(new Scheduler() {
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
