package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 9 for followers of commits: a follower that cannot take a commit ends alone, notified by the writer or by a relay. Planted once, and
 * caught: the guard left out where the writer notifies of commits, where it notifies of the end, and around the end of the follower that
 * threw.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class CommitListenerFailureTest {

    @Parameter
    boolean relayed;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<Object> ends = new ArrayList<>();
    private final IllegalStateException thrown = new IllegalStateException("a key's equals");

    private Rows rows() {
        return relayed ? Rows.relayed(true, scheduler) : Rows.complete();
    }

    /** @param endsToo whether it cannot take the end either */
    private CommitListener<String, String> failing(boolean endsToo) {
        return new CommitListener<>() {
            @Override
            public void begin(Snapshot<String, String> rows) {}

            @Override
            public void file(Commit<String, String> commit) {
                throw thrown;
            }

            @Override
            public boolean needsEachCommit() {
                return false;
            }

            @Override
            public void end(@Nullable Throwable cause) {
                ends.add(cause == null ? "planned" : cause);
                if (endsToo) {
                    throw thrown;
                }
            }
        };
    }

    private Listening<String> followerAfter(Rows rows, CommitListener<String, String> failing) {
        rows.hub.add(failing);
        return Listening.to(rows.hub.changes(Delivery.conflated().on(scheduler))).all();
    }

    @Test
    void whoCannotTakeACommitEndsAlone() {
        Rows rows = rows();
        Listening<String> other = followerAfter(rows, failing(false));
        rows.put("a", "u", 1);
        scheduler.runAll();
        assertThat(ends).containsExactly(thrown);
        assertThat(other.received()).containsExactly("synced 0", "+a=u@1");
    }

    /** Fatal to Reactor, but it is one subscriber's class that is missing. */
    @Test
    void whoLacksAClassEndsAlone() {
        Rows rows = rows();
        Listening<String> other = Listening.to(rows.hub.changes(Delivery.conflated().on(scheduler))).all();
        rows.hub.add(new CommitListener<>() {
            @Override
            public void begin(Snapshot<String, String> begun) {}

            @Override
            public void file(Commit<String, String> commit) {
                throw new NoClassDefFoundError("planned");
            }

            @Override
            public boolean needsEachCommit() {
                return false;
            }

            @Override
            public void end(@Nullable Throwable cause) {
                ends.add(String.valueOf(cause));
            }
        });
        rows.put("a", "u", 1);
        scheduler.runAll();
        assertThat(ends).containsExactly("java.lang.NoClassDefFoundError: planned");
        assertThat(other.received()).containsExactly("synced 0", "+a=u@1");
    }

    @Test
    void whoCannotEvenTakeItsEndHoldsUpNobody() {
        Rows rows = rows();
        Listening<String> other = followerAfter(rows, failing(true));
        rows.put("a", "u", 1);
        scheduler.runAll();
        assertThat(ends).containsExactly(thrown);
        assertThat(other.received()).containsExactly("synced 0", "+a=u@1");
    }

    @Test
    void whoCannotTakeTheEndHoldsUpNobody() {
        Rows rows = rows();
        Listening<String> other = followerAfter(rows, failing(true));
        rows.hub.complete();
        scheduler.runAll();
        assertThat(ends).containsExactly("planned", thrown);
        assertThat(other.completed).isTrue();
    }

    /** What Reactor takes for fatal, operators pass on without a word: the subscriber would never learn why nothing comes any more. */
    @Test
    void aSubscriberThatThrowsWhatIsFatalIsNotifiedOfTheEnd() {
        Rows rows = rows();
        Listening<String> other = followerAfter(rows, failing(false));
        List<String> received = new ArrayList<>();
        rows.hub.changes(Delivery.conflated().on(scheduler)).subscribe(new CoreSubscriber<>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(Change<String, String> change) {
                received.add("change");
                throw new OutOfMemoryError("planned");
            }

            @Override
            public void onError(Throwable failure) {
                received.add(failure.getMessage());
            }

            @Override
            public void onComplete() {
                received.add("end");
            }
        });
        rows.put("a", "u", 1);
        scheduler.runAll();
        rows.put("b", "u", 2);
        scheduler.runAll();
        assertThat(received).containsExactly("change", "a subscriber threw java.lang.OutOfMemoryError: planned");
        assertThat(other.received()).containsExactly("synced 0", "+a=u@1", "+b=u@2");
    }
}
