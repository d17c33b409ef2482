package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
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
}
