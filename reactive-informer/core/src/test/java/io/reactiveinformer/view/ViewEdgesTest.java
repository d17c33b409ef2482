package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.store.Commit.Difference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Beginnings and ends: of a hub, of an inlet, and of deliveries of every change. */
class ViewEdgesTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Delivery delivery = Delivery.on(scheduler);
    private final Rows rows = Rows.complete();

    private List<String> received(Listening<String> listening) {
        scheduler.runAll();
        return listening.heard();
    }

    @Test
    void aCutEndsTheLateOnes() {
        rows.put("a", "u", 1);
        Listening<String> late = Listening.to(rows.hub.changes(delivery));
        rows.hub.complete();
        scheduler.runAll();
        var cut = new IllegalStateException("too late");
        rows.hub.cut(cut);
        scheduler.runAll();
        assertThat(late.failure).isSameAs(cut);
        StepVerifier.create(rows.hub.drained()).expectComplete().verify(Duration.ofSeconds(5));
    }

    @Test
    void theFirstEndOfAHubCounts() {
        rows.hub.complete();
        StepVerifier.create(rows.hub.drained()).expectComplete().verify(Duration.ofSeconds(5));
        rows.hub.fail(new IllegalStateException("second"));
        Listening<String> later = Listening.to(rows.hub.changes(delivery)).all();
        scheduler.runAll();
        assertThat(later.completed).isTrue();
        assertThat(later.failure).isNull();
    }

    @Test
    void aFeedThatCannotBeAttachedIsAnError() {
        var thrown = new IllegalStateException("attach");
        Listening<String> listening = Listening.to(FluxFollowing.of(throwing(thrown), delivery, delivery::backlog));
        scheduler.runAll();
        assertThat(listening.failure).isSameAs(thrown);
        Flux<Change<String, String>> changes = rows.hub.changes(delivery);
        assertThat(Scannable.from(changes).scan(Scannable.Attr.RUN_STYLE)).isEqualTo(Scannable.Attr.RunStyle.ASYNC);
    }

    private static Feed<String, String> throwing(RuntimeException thrown) {
        return new Feed<>() {
            @Override
            Disposable attach(Follower<String, String> follower) {
                throw thrown;
            }
        };
    }

    @Test
    void aJoinThatCannotFollowOneSideFollowsNeither() {
        var thrown = new IllegalStateException("attach");
        var join = new Join<String, String, String, String, String>(
                rows.hub.feed(), throwing(thrown), row -> List.of(), (row, others) -> row, () -> {});
        assertThatThrownBy(join::attach).isSameAs(thrown);
        assertThat(rows.hub.followers()).isZero();
    }

    @Test
    void aDerivedViewLeavesASourceThatHasEnded() {
        rows.put("a", "u", 1);
        View<String, String> derived = new DerivedView<>(
                wake -> OneSource.filter(rows.hub.feed(), row -> true, wake), () -> scheduler, Mono.empty(), any -> Flux.empty());
        Disposable lease = derived.retain();
        scheduler.runAll();
        rows.put("a", "u", 2);
        rows.hub.complete();
        List<String> drained = new ArrayList<>();
        rows.hub.drained().subscribe(none -> {}, failure -> {}, () -> drained.add("drained"));
        assertThat(drained).as("the last change is not taken yet").isEmpty();
        scheduler.runAll();
        assertThat(drained).hasSize(1);
        lease.dispose();
    }

    @Test
    void anInletThatEndsWhileItIsAttachedCanLeave() {
        var wakes = new AtomicInteger();
        Disposable attached = Disposables.single();
        var inlet = new Inlet<String, String>(wakes::incrementAndGet);
        inlet.attachTo(new Feed<>() {
            @Override
            Disposable attach(Follower<String, String> follower) {
                follower.begin(rows.snapshot());
                follower.end(null);
                return attached;
            }
        });
        assertThat(wakes).as("the rows, the end, and the source to leave").hasValue(3);
        inlet.leaveIfDone();
        assertThat(attached.isDisposed()).as("the rows are not taken yet").isFalse();
        inlet.take();
        inlet.leaveIfDone();
        assertThat(attached.isDisposed()).isTrue();
    }

    @Test
    void anInletLeavesNoSourceThatGoesOn() {
        var inlet = new Inlet<String, String>(() -> {});
        Disposable attached = inlet.attachTo(rows.hub.feed());
        inlet.take();
        inlet.leaveIfDone();
        assertThat(rows.hub.followers()).isOne();
        assertThat(inlet.tookBatch()).as("the first rows").isTrue();
        rows.put("a", "u", 1);
        inlet.take();
        assertThat(inlet.tookBatch()).as("one change").isFalse();
        attached.dispose();
    }

    @Test
    void everyChangeWaitsForTheFirstCompleteRows() {
        Rows late = Rows.incomplete();
        Listening<String> listening = Listening.to(late.hub.changes(Delivery.every(10).and(delivery))).all();
        late.edit("a", "u", 1);
        late.hub.publish(late.table.commit(false));
        assertThat(received(listening)).isEmpty();
        late.hub.publish(late.table.commit(true));
        assertThat(received(listening)).containsExactly("+a=u@1 (initial)", "synced 1");
        late.hub.complete();
        scheduler.runAll();
        assertThat(listening.completed).isTrue();
    }

    @Test
    void aResyncDoesNotRepeatARowThatIsHalfReplaced() {
        rows.put("a", "u", 1);
        Listening<String> listening = Listening.to(
                rows.hub.changes(Delivery.every(10).and(Delivery.resync(Duration.ofMinutes(1))).and(delivery))).request(3);
        received(listening);
        rows.put("a", "v", 2);
        assertThat(received(listening)).containsExactly("-a=u@1 OBSERVED 1");
        scheduler.tick();
        assertThat(received(listening.all())).containsExactly("+a=v@2");
    }

    @Test
    void anUnexplainedDeletionWasObserved() {
        Change<String, String> change = Step.first(new Difference<>("a", Rows.state("u", 1), null, null, null), false);
        assertThat(change).isEqualTo(new Change.Deleted<>("a", Rows.state("u", 1), DeletionCause.OBSERVED, "1"));
    }
}
