package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.internal.derived.Derivation;
import io.reactiveinformer.internal.derived.Groups;
import io.reactiveinformer.internal.derived.RowFunction;
import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Beginnings and ends: of a hub, of an inlet, and of deliveries of every change. */
class ViewEdgesTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Delivery delivery = Delivery.conflated().on(scheduler);
    private final Rows rows = Rows.complete();

    private List<String> received(Listening<String> listening) {
        scheduler.runAll();
        return listening.received();
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
        Listening<String> listening = Listening.to(FollowingSubscription.flux(throwing(thrown), delivery));
        scheduler.runAll();
        assertThat(listening.failure).isSameAs(thrown);
    }

    static Stream<Throwable> thrown() {
        return Stream.of(new IllegalStateException("attach"), new NoClassDefFoundError("attach"));
    }

    private static Feed<String, String> throwing(Throwable thrown) {
        return new Feed<>(follower -> {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        });
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void aJoinThatCannotFollowOneSideFollowsNeither(Throwable thrown) {
        Derived<String, String> join = Derived.join(
                rows.hub.feed(), throwing(thrown), row -> List.of(), (row, others) -> row, () -> {});
        assertThatThrownBy(join::attach).isSameAs(thrown);
        assertThat(rows.hub.followers()).isZero();
    }

    @Test
    void aDerivedViewLeavesASourceThatHasEnded() {
        rows.put("a", "u", 1);
        View<String, String> derived = new DerivedView<>(
                wake -> Derived.filter(rows.hub.feed(), row -> true, wake), () -> scheduler, Mono.empty(), any -> Flux.empty());
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
        var inlet = new Inlet<>(new Feed<String, String>(follower -> {
            follower.begin(rows.snapshot());
            follower.end(null);
            return attached;
        }), wakes::incrementAndGet);
        inlet.attach();
        assertThat(wakes).as("the rows, the end, and the source to leave").hasValue(3);
        inlet.leaveIfDone();
        assertThat(attached.isDisposed()).as("the rows are not taken yet").isFalse();
        inlet.take();
        inlet.leaveIfDone();
        assertThat(attached.isDisposed()).isTrue();
    }

    @Test
    void anInletLeavesNoSourceThatGoesOn() {
        var inlet = new Inlet<>(rows.hub.feed(), () -> {});
        Disposable attached = inlet.attach();
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
        Listening<String> listening = Listening.to(late.hub.changes(Delivery.every(10).on(scheduler))).all();
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
                rows.hub.changes(Delivery.every(10).resync(Duration.ofMinutes(1)).on(scheduler))).request(3);
        received(listening);
        rows.put("a", "v", 2);
        assertThat(received(listening)).containsExactly("-a=u@1 OBSERVED 1");
        scheduler.tick();
        assertThat(received(listening.all())).containsExactly("+a=v@2");
    }

    @Test
    void anUnexplainedDeletionWasObserved() {
        Change<String, String> change = DifferenceToChange.first(new Difference<>("a", Rows.state("u", 1), null, null, null), false);
        assertThat(change).isEqualTo(new Change.Deleted<>("a", Rows.state("u", 1), DeletionCause.OBSERVED, "1"));
    }

    @Test
    void aRecreatedRowIsAnotherRowOfAJoinAlsoIfTheResultIsEqual() {
        Rows others = Rows.complete();
        Derived<String, String> join = Derived.join(
                rows.hub.feed(), others.hub.feed(), row -> List.of(), (row, referred) -> "same", () -> {});
        Table<String, String> joined = Table.create();
        rows.put("a", "u", 1);
        Disposable attached = join.attach();
        join.derivation().derive(joined);
        rows.put("a", "u", 2);
        assertThat(derived(join.derivation(), joined)).as("an equal result of one object").isEmpty();
        rows.put("a", "v", 3);
        assertThat(derived(join.derivation(), joined)).singleElement().satisfies(difference -> {
            assertThat(difference.before().uid()).isEqualTo("u");
            assertThat(difference.after().uid()).isEqualTo("v");
        });
        attached.dispose();
    }

    @Test
    void aResultOfAJoinThatCannotBeComparedIsAFailureOfItsRow() {
        Rows others = Rows.complete();
        Derived<String, Incomparable> join = Derived.join(
                rows.hub.feed(), others.hub.feed(), row -> List.of(), (row, referred) -> new Incomparable(), () -> {});
        Table<String, Incomparable> joined = Table.create();
        rows.put("a", "u", 1);
        Disposable attached = join.attach();
        join.derivation().derive(joined);
        rows.put("a", "u", 2);
        assertThat(derived(join.derivation(), joined)).isEmpty();
        assertThat(join.derivation().functions().failsOn("a")).isTrue();
        attached.dispose();
    }

    @Test
    void aGroupIsNotUpdatedWhenARowGoesBackToItsLastGoodState() {
        Derived<String, Snapshot<String, String>> groups = Derived.groups(rows.hub.feed(), row -> {
            if (row.equals("u@2")) {
                throw new IllegalStateException("not this one");
            }
            return Optional.of("g");
        }, () -> {});
        Table<String, Snapshot<String, String>> grouped = Table.create();
        rows.put("a", "u", 1);
        Disposable attached = groups.attach();
        assertThat(derived(groups.derivation(), grouped)).hasSize(1);
        rows.put("a", "u", 2);
        assertThat(derived(groups.derivation(), grouped)).isEmpty();
        rows.put("a", "u", 1);
        assertThat(derived(groups.derivation(), grouped)).isEmpty();
        attached.dispose();
    }

    @Test
    void nothingIsKeptOfARowWithoutAGroupNorOfAGroupWithoutRows() {
        Derived<String, Snapshot<String, String>> groups = Derived.groups(
                rows.hub.feed(), row -> row.equals("u@2") ? Optional.empty() : Optional.of(row), () -> {});
        Table<String, Snapshot<String, String>> grouped = Table.create();
        rows.put("a", "u", 1);
        Disposable attached = groups.attach();
        derived(groups.derivation(), grouped);
        assertThat(((Groups<?, ?, ?>) groups.derivation()).remembered()).as("a row and its group").isEqualTo(2);
        rows.put("a", "u", 2);
        derived(groups.derivation(), grouped);
        assertThat(((Groups<?, ?, ?>) groups.derivation()).remembered()).isZero();
        rows.put("a", "u", 3);
        derived(groups.derivation(), grouped);
        rows.put("a", "u", 4);
        derived(groups.derivation(), grouped);
        assertThat(((Groups<?, ?, ?>) groups.derivation()).remembered()).as("a row and its next group").isEqualTo(2);
        attached.dispose();
    }

    @Test
    void aRowThatIsDirtyWhenItIsResyncedIsEmittedAlsoIfItGoesBack() {
        rows.put("a", "u", 1);
        Listening<String> listening = Listening.to(
                rows.hub.changes(Delivery.conflated().resync(Duration.ofMinutes(1)).on(scheduler))).request(2);
        received(listening);
        rows.put("a", "u", 2);
        scheduler.tick();
        rows.put("a", "u", 1);
        assertThat(received(listening.all())).containsExactly("a: u@1 -> u@1");
    }

    @Test
    void aGroupThatCannotBeLookedUpIsAFailureOfItsRow() {
        Derived<Incomparable, Snapshot<String, String>> groups =
                Derived.groups(rows.hub.feed(), row -> Optional.of(new Incomparable()), () -> {});
        Table<Incomparable, Snapshot<String, String>> grouped = Table.create();
        rows.put("a", "u", 1);
        Disposable attached = groups.attach();
        assertThat(derived(groups.derivation(), grouped)).isEmpty();
        assertThat(groups.derivation().functions().failsOn("a")).isTrue();
        attached.dispose();
    }

    private static <K, R> List<Difference<K, R>> derived(Derivation<K, R> derivation, Table<K, R> table) {
        return Objects.requireNonNull(derivation.derive(table)).differences();
    }

    private static final class Incomparable {
        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("equals");
        }

        @Override
        public int hashCode() {
            throw new IllegalStateException("hashCode");
        }
    }

    @Test
    void aDifferenceOfNothingCountsAsConflated() {
        rows.put("a", "u", 1);
        Listening<String> listening = Listening.to(rows.hub.changes(delivery)).all();
        received(listening);
        Versioned<String> same = Rows.state("u", 1);
        rows.hub.publish(new Commit<>(rows.snapshot(), List.of(new Difference<>("a", same, same, null, null))));
        assertThat(received(listening)).isEmpty();
        assertThat(rows.hub.subscribers()).singleElement().extracting(SubscriberStatus::conflated).isEqualTo(1L);
    }

    @Test
    void theWorkerOfARelayIsGivenBackWithItsLastMember() {
        Rows relayed = Rows.relayed(true, scheduler);
        Listening<String> first = Listening.to(relayed.hub.changes(Delivery.conflated().on(Schedulers.immediate())));
        Listening<String> second = Listening.to(relayed.hub.changes(Delivery.conflated().on(Schedulers.immediate())));
        first.subscription.cancel();
        assertThat(scheduler.workers()).isOne();
        second.subscription.cancel();
        assertThat(scheduler.workers()).isZero();
    }

    @Test
    void aCommitThatARelayCannotNoteIsAFailureOfItsMembers() {
        Table<Incomparable, String> table = Table.create();
        table.commit(true);
        ChangeHub<Incomparable, String> hub = ChangeHub.of(table.snapshot(), 0, () -> scheduler);
        List<Throwable> failures = new ArrayList<>();
        hub.changes(delivery).subscribe(change -> {}, failures::add);
        var unknown = new Commit<Incomparable, String>(
                table.snapshot(), List.of(new Difference<>(new Incomparable(), null, Rows.state("u", 1), null, null)));
        hub.publish(unknown);
        hub.publish(unknown);
        scheduler.runAll();
        assertThat(failures).singleElement().asInstanceOf(InstanceOfAssertFactories.THROWABLE).hasMessage("hashCode");
    }

    @Test
    void aCommitThatCannotBeFiledFailsItsSubscriberWithoutDemandToo() {
        var thrown = new IllegalStateException("file");
        Listening<String> listening = Listening.to(
                FollowingSubscription.flux(rows.hub.feed(), delivery, () -> new NothingWaits(thrown), PendingChanges::next));
        scheduler.runAll();
        rows.put("a", "u", 1);
        scheduler.runAll();
        assertThat(listening.failure).isSameAs(thrown);
    }

    @Test
    void aRelayThatIsShortOfMemoryKeepsNoCommitFromTheOthers() {
        var shortage = new OutOfMemoryError("planned");
        Rows mixed = Rows.relayed(true, 1, new NoThreads(shortage));
        Listening<String> direct = Listening.to(mixed.hub.changes(delivery)).all();
        mixed.hub.feed().attach(new CommitListener<>() {
            @Override
            public void begin(Snapshot<String, String> present) {}

            @Override
            public void file(Commit<String, String> commit) {
                throw shortage;
            }

            @Override
            public boolean needsEachCommit() {
                return false;
            }

            @Override
            public void end(@Nullable Throwable failure) {}
        });
        assertThatThrownBy(() -> mixed.put("a", "u", 1)).isSameAs(shortage);
        assertThat(received(direct)).containsExactly("synced 0", "+a=u@1");
    }

    @Test
    void aRetainedViewThatHasFailedSaysSoAndIsConnectedAgain() {
        var broken = new AtomicReference<RuntimeException>();
        View<String, String> derived = new DerivedView<>(
                wake -> breaking(Derived.map(rows.hub.feed(), row -> row, wake), broken), () -> scheduler, Mono.empty(),
                any -> Flux.just(InformerStatus.idle(Instant.EPOCH)).concatWith(Flux.never()));
        rows.put("a", "u", 1);
        Disposable retention = derived.retain();
        scheduler.runAll();
        List<InformerStatus> statuses = new ArrayList<>();
        Disposable watching = derived.status(delivery).subscribe(statuses::add);
        broken.set(new IllegalStateException("planned"));
        rows.put("a", "u", 2);
        scheduler.runAll();

        assertThat(statuses.get(statuses.size() - 1)).satisfies(status -> {
            assertThat(status.state()).isEqualTo(InformerStatus.State.DISRUPTED);
            assertThat(status.cause()).hasMessageContaining("planned");
            assertThat(status.staleSince()).isNotNull();
        });
        scheduler.tick();
        scheduler.runAll();
        assertThat(derived.snapshot().find("a")).isNotNull().extracting(Versioned::object).isEqualTo("u@2");
        assertThat(statuses.get(statuses.size() - 1).state()).isEqualTo(InformerStatus.State.IDLE);

        broken.set(new IllegalStateException("again"));
        rows.put("a", "u", 3);
        scheduler.runAll();
        retention.dispose();
        scheduler.tick();
        scheduler.runAll();
        assertThat(rows.hub.followers()).isZero();
        watching.dispose();
    }

    /** On the scheduler that views have outside of tests, which is another one than that of the test above. */
    @Test
    void aRetainedViewThatHasFailedIsComputedAnewOnTheSharedThreads() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.getOrSet();
        try {
            var broken = new AtomicReference<RuntimeException>();
            View<String, String> derived = new DerivedView<>(
                    wake -> breaking(Derived.map(rows.hub.feed(), row -> row, wake), broken), SharedThreads::ofChanges, Mono.empty(),
                    any -> Flux.just(InformerStatus.idle(Instant.EPOCH)).concatWith(Flux.never()));
            rows.put("a", "u", 1);
            Disposable retention = derived.retain();
            for (int version = 2; version < 5; version++) {
                broken.set(new IllegalStateException("planned"));
                rows.put("a", "u", version);
                assertThat(derived.snapshot().find("a")).isNotNull().extracting(Versioned::object).isEqualTo("u@" + (version - 1));
                clock.advanceTimeBy(Duration.ofMillis(999));
                assertThat(derived.status().blockFirst().state()).isEqualTo(InformerStatus.State.DISRUPTED);
                clock.advanceTimeBy(Duration.ofMillis(1));
                assertThat(derived.snapshot().find("a")).isNotNull().extracting(Versioned::object).isEqualTo("u@" + version);
                assertThat(derived.status().blockFirst().state()).isEqualTo(InformerStatus.State.IDLE);
            }
            broken.set(new IllegalStateException("planned"));
            rows.put("a", "u", 5);
            retention.dispose();
            clock.advanceTimeBy(Duration.ofMinutes(1));
            assertThat(rows.hub.followers()).isZero();
        } finally {
            VirtualTimeScheduler.reset();
        }
    }

    /** The timer of the shared threads was shut down, as a program does that ends one part of itself with all of Reactor's threads. */
    @Test
    void aRetainedViewIsComputedAnewAlsoIfTheSharedThreadsRefuseIt() throws InterruptedException {
        var timer = Executors.newSingleThreadScheduledExecutor();
        Schedulers.setFactory(new Schedulers.Factory() {
            @Override
            public Scheduler newSingle(ThreadFactory factory) {
                return Schedulers.fromExecutorService(timer);
            }
        });
        try {
            var broken = new AtomicReference<RuntimeException>();
            View<String, String> derived = new DerivedView<>(
                    wake -> breaking(Derived.map(rows.hub.feed(), row -> row, wake), broken), SharedThreads::ofChanges, Mono.empty(),
                    any -> Flux.just(InformerStatus.idle(Instant.EPOCH)).concatWith(Flux.never()));
            rows.put("a", "u", 1);
            Disposable retention = derived.retain();
            broken.set(new IllegalStateException("planned"));
            timer.shutdown();
            rows.put("a", "u", 2);
            assertThat(Flux.interval(Duration.ofMillis(20)).mapNotNull(i -> derived.snapshot().find("a")).map(Versioned::object)
                    .filter("u@2"::equals).next().block(Duration.ofSeconds(10))).isEqualTo("u@2");
            retention.dispose();
        } finally {
            Schedulers.resetFactory();
        }
    }

    private static Derived<String, String> breaking(Derived<String, String> whole, AtomicReference<RuntimeException> failure) {
        return new Derived<>(new Breaking(whole.derivation(), failure), whole.inlets());
    }

    private record Breaking(Derivation<String, String> derivation, AtomicReference<RuntimeException> failure)
            implements Derivation<String, String> {
        @Override
        public RowFunction functions() {
            return derivation.functions();
        }

        @Override
        public @Nullable Commit<String, String> derive(Table<String, String> table) {
            RuntimeException thrown = failure.getAndSet(null);
            if (thrown != null) {
                throw thrown;
            }
            return derivation.derive(table);
        }
    }

    /** Has workers that take no task. */
    private record NoThreads(Error failure) implements Scheduler {
        @Override
        public Disposable schedule(Runnable task) {
            throw failure;
        }

        @Override
        public Worker createWorker() {
            return new Worker() {
                @Override
                public Disposable schedule(Runnable task) {
                    throw failure;
                }

                @Override
                public void dispose() {}
            };
        }
    }

    /** Empty for ever; throws when something is filed. */
    private record NothingWaits(RuntimeException failure) implements PendingChanges<String, String> {
        @Override
        public void begin(Snapshot<String, String> rows) {}

        @Override
        public void file(Commit<String, String> commit) {
            throw failure;
        }

        @Override
        public void resync() {}

        @Override
        public @Nullable Change<String, String> next() {
            return null;
        }

        @Override
        public boolean isEmpty() {
            return true;
        }

        @Override
        public int size() {
            return 0;
        }

        @Override
        public long conflated() {
            return 0;
        }

        @Override
        public void clear() {}
    }
}
