package io.reactiveinformer.sharding;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.PoorTimer;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerBuilder;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.Shortage;
import io.reactiveinformer.leader.DriftingClock;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.sharding.ShardedController.Division;
import io.reactiveinformer.sharding.ShardedController.Share;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.View;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.atIndex;

/** One by one what {@link ShardingPropertyTest} does at random. */
class ShardedControllerTest {

    private static final ObjectKey GROUP = ObjectKey.of("prod", "group");
    private static final Duration ROUND = Duration.ofMillis(2_080);
    private static final Duration THREE_ROUNDS = ROUND.multipliedBy(3);
    private static final Duration EXPIRY = Duration.ofSeconds(15);

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final Random random = new Random(7);
    private final MemoryLeases leases = new MemoryLeases(clock, random);
    private final Rows rows = new Rows(20);

    /** Whose looks end when the test says so. */
    private final class Replica {
        final DriftingClock own = new DriftingClock(clock, 1, 0);
        final PoorTimer timer = new PoorTimer(own);
        final MemoryLeases.Way way = leases.new Way(own);
        final Map<ObjectKey, Sinks.One<Result>> works = new HashMap<>();
        final Set<ObjectKey> looked = new TreeSet<>();
        final SharingController<ObjectKey> controller;
        final Disposable running;
        boolean holdsOn;
        Share share = Share.NONE;

        Replica() {
            this(rows);
        }

        Replica(View<ObjectKey, Integer> view) {
            this(view, false);
        }

        Replica(View<ObjectKey, Integer> view, boolean cutOff) {
            way.cut(cutOff);
            ControllerBuilder<ObjectKey> builder = Controller.named("replica").watches(view, Route.self())
                    .queue(queue -> queue.withLimiter(RateLimiter.standard(own)).withTimer(own).withWorkers(own));
            controller = new SharingController<>(way, GROUP, builder, this::look,
                    ElectionOptions.defaults().withTimer(timer).withWorkers(own).withRandom(random::nextDouble), Division.byKey());
            controller.shares().subscribe(next -> share = next);
            running = controller.run().subscribe();
        }

        private Mono<Result> look(ReconcileRequest<ObjectKey> request) {
            looked.add(request.key());
            if (!holdsOn) {
                return Mono.just(Result.done());
            }
            Sinks.One<Result> result = Sinks.one();
            works.put(request.key(), result);
            return result.asMono().doOnCancel(() -> works.remove(request.key()));
        }

        void finish(ObjectKey key) {
            works.remove(key).tryEmitValue(Result.done()).orThrow();
        }

        Set<ObjectKey> looked() {
            Set<ObjectKey> since = new TreeSet<>(looked);
            looked.clear();
            return since;
        }
    }

    private void pass(Duration time) {
        clock.advanceTimeBy(time);
    }

    private void changeAll() {
        Set.copyOf(rows.all().keySet()).forEach(rows::change);
        pass(Duration.ofSeconds(1));
    }

    @Test
    void emitsFirstThatItHasNoShare() {
        var cutOff = new Replica(rows, true);
        List<Share> emitted = new ArrayList<>();
        cutOff.controller.shares().subscribe(emitted::add);

        pass(Duration.ofSeconds(1));

        assertThat(emitted).containsExactly(Share.NONE);
    }

    @Test
    void oneAloneWorksOnAll() {
        var only = new Replica();

        pass(THREE_ROUNDS);

        assertThat(only.looked()).isEqualTo(rows.all().keySet());
        assertThat(only.share.members()).isEqualTo(1);
    }

    @Test
    void aMemberWhosePauseTheTimerHasLostGoesOnAfterTheShortage() {
        var only = new Replica();
        pass(THREE_ROUNDS);
        only.timer.loses(2); // the limit of a round, and the pause after it
        pass(EXPIRY.multipliedBy(2));
        only.looked();
        changeAll();
        assertThat(only.looked()).as("when it is cut off").isEmpty();

        Shortage.endsInVirtualTime();
        pass(EXPIRY.multipliedBy(2));

        assertThat(only.looked()).isEqualTo(rows.all().keySet());
    }

    @Test
    void aKeyThatIsWorkedOnIsHandedOverWhenThatIsDone() {
        var first = new Replica();
        first.holdsOn = true;
        pass(THREE_ROUNDS);
        Set<ObjectKey> inWork = Set.copyOf(first.works.keySet());
        assertThat(inWork).hasSizeGreaterThan(4);

        var second = new Replica();
        pass(THREE_ROUNDS);
        Set<ObjectKey> taken = second.looked();
        assertThat(taken).isNotEmpty().doesNotContainAnyElementsOf(inWork);

        ObjectKey moving = inWork.stream().filter(key -> !first.share.owns(key)).findFirst().orElseThrow();
        first.finish(moving);
        pass(THREE_ROUNDS);
        assertThat(second.looked()).contains(moving);
    }

    @Test
    void whoLeavesInOrderGivesAwayAtOnceAllThatIsNotWorkedOn() {
        var first = new Replica();
        first.holdsOn = true;
        var second = new Replica();
        pass(THREE_ROUNDS);
        Set<ObjectKey> inWork = Set.copyOf(first.works.keySet());
        assertThat(inWork).isNotEmpty();
        second.looked();
        var gone = first.controller.drain(Duration.ofMinutes(1)).toFuture();

        pass(THREE_ROUNDS);
        changeAll();
        assertThat(second.looked()).as("all but those").isEqualTo(without(inWork));
        assertThat(gone).isNotDone();

        inWork.forEach(first::finish);
        pass(THREE_ROUNDS);
        assertThat(gone).isCompleted();
        changeAll();
        assertThat(second.looked()).isEqualTo(rows.all().keySet());
    }

    /** Others go by what the lease says. Planted, and caught here only: a member that forgets it when it begins to write something else. */
    @Test
    void whatItsLeaseStillSaysBindsAMemberWhoseWritesAreLost() {
        var first = new Replica();
        var second = new Replica();
        pass(THREE_ROUNDS.multipliedBy(3));
        var third = new Replica();
        third.way.refuseWrites(true); // knows the others, and has not joined
        pass(THREE_ROUNDS);

        first.way.refuseWrites(true); // its lease still divides the keys among first and second
        second.controller.drain(Duration.ofMinutes(1)).subscribe();
        pass(Duration.ofMillis(4_500)); // two rounds of the first
        first.way.cut(true); // it does not read that another joins
        third.way.refuseWrites(false);
        pass(Duration.ofMillis(3_500));

        assertThat(first.share.members()).as("not cut off yet").isPositive();
        assertThat(rows.all().keySet().stream().filter(third.share::owns)).as("what was the second's").isNotEmpty();
        assertThat(rows.all().keySet().stream().filter(key -> first.share.owns(key) && third.share.owns(key))).as("two owners").isEmpty();
    }

    private Set<ObjectKey> without(Set<ObjectKey> some) {
        Set<ObjectKey> others = new TreeSet<>(rows.all().keySet());
        others.removeAll(some);
        return others;
    }

    @Test
    void whoHasNotComeInLeavesWithoutWaitingForItsGrace() {
        var cutOff = new Replica(rows, true);
        var blind = new Replica(new Unsynced(rows));
        pass(ROUND);
        List.of(cutOff, blind).forEach(replica -> {
            var gone = replica.controller.drain(Duration.ofMinutes(1)).toFuture();
            pass(replica == blind ? Duration.ofMillis(100) : Duration.ofSeconds(6)); // what is asked may take five
            assertThat(gone).as(replica == blind ? "blind" : "cut off").isCompleted();
        });
    }

    /** A view that is never complete. */
    private record Unsynced(View<ObjectKey, Integer> rows) implements View<ObjectKey, Integer> {

        @Override
        public Snapshot<ObjectKey, Integer> snapshot() {
            return rows.snapshot();
        }

        @Override
        public Flux<Change<ObjectKey, Integer>> changes(Delivery delivery) {
            return rows.changes(delivery);
        }

        @Override
        public Mono<Void> synced() {
            return Mono.never();
        }

        @Override
        public Flux<InformerStatus> status() {
            return rows.status();
        }
    }

    @Test
    void anInformerOfAnotherKindCannotBeNarrowed() {
        var own = (Informer<?>) Proxy.newProxyInstance(
                Informer.class.getClassLoader(), new Class<?>[] {Informer.class}, (proxy, method, arguments) -> "my pods");
        assertThatIllegalArgumentException().isThrownBy(() -> Division.byKey().narrowing(own))
                .withMessageStartingWith("my pods cannot be narrowed: it is a ");
    }

    @Test
    void workThatGoesOnWhenTheGraceIsOverIsCancelled() {
        var first = new Replica();
        first.holdsOn = true;
        pass(THREE_ROUNDS);
        var gone = first.controller.drain(Duration.ofSeconds(5)).toFuture();

        pass(Duration.ofSeconds(6));

        assertThat(first.works).isEmpty();
        assertThat(gone).isCompleted();
    }

    @Test
    void whoIsCutOffStopsBeforeOthersTakeOverAndComesBack() {
        var first = new Replica();
        first.holdsOn = true;
        var second = new Replica();
        pass(THREE_ROUNDS);
        Set<ObjectKey> inWork = Set.copyOf(first.works.keySet());
        second.looked();
        first.way.cut(true);

        pass(Duration.ofSeconds(8));
        assertThat(first.works.keySet()).as("until the end of its time").isEqualTo(inWork);
        pass(Duration.ofSeconds(3));
        assertThat(first.works).isEmpty();
        assertThat(first.share.members()).isZero();
        assertThat(second.looked()).isEmpty();
        pass(EXPIRY.minusSeconds(11).plus(THREE_ROUNDS));
        assertThat(second.looked()).containsAll(inWork);

        first.way.cut(false);
        first.holdsOn = false;
        pass(EXPIRY.plus(THREE_ROUNDS)); // it waits until it knows that who it was is gone
        changeAll();
        assertThat(first.looked()).isNotEmpty();
        assertThat(second.share.members()).isEqualTo(2);
    }

    /** One line when it begins, none for each try, and one when it is over. */
    @Test
    void theLogTellsAnOutageFromItsBeginningToItsEnd() {
        var only = new Replica();
        pass(THREE_ROUNDS);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var logger = (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(ShardedController.class);
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try {
            only.way.cut(true);
            pass(ROUND);
            only.way.cut(false);
            pass(THREE_ROUNDS);
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
        assertThat(lines.list).extracting(line -> line.getLevel() + " " + line.getFormattedMessage()).hasSize(2)
                .satisfies(line -> assertThat(line).matches("WARN prod/group-\\w+: .+; trying again in .+, and again until it succeeds"),
                        atIndex(0))
                .satisfies(line -> assertThat(line).matches("INFO prod/group-\\w+: in touch again after \\d+ m?s"), atIndex(1));
    }

    @Test
    void leavesAServerAloneForAsLongAsItAsks() {
        var only = new Replica();
        pass(THREE_ROUNDS);
        only.way.overload(Duration.ofSeconds(6));

        pass(ROUND);
        assertThat(only.way.refusals()).isOne();
        pass(Duration.ofMillis(3_900));
        assertThat(only.way.refusals()).as("nothing more was asked").isOne();

        only.way.overload(null);
        pass(THREE_ROUNDS);
        assertThat(only.share.members()).as("in time before its term ended").isOne();
    }

    @Test
    void worksOnAllThatIsItsOwnWhenItLearnsLateThatItIsAMember() {
        new Replica();
        pass(THREE_ROUNDS);
        var second = new Replica();
        second.way.loseAnswersToWrites(1);
        pass(Duration.ofSeconds(20));
        Set<ObjectKey> own = new TreeSet<>(rows.all().keySet());
        own.removeIf(key -> !second.share.owns(key));

        assertThat(second.looked()).isNotEmpty().isEqualTo(own);
    }

    @Test
    void itsTimeCountsFromWhenItAskedAndNotFromTheAnswer() {
        var only = new Replica();
        only.holdsOn = true;
        pass(THREE_ROUNDS);
        only.way.answerLate(2_400);
        pass(Duration.ofSeconds(20));
        assertThat(only.works).isNotEmpty();

        only.way.cut(true);
        Duration end = leases.lastWrite().plusSeconds(10);
        pass(end.minusMillis(clock.now(TimeUnit.MILLISECONDS)));

        assertThat(only.works).isEmpty();
    }

    @Test
    void whatTheDeadLeaveBehindIsSweptAway() {
        var first = new Replica();
        var second = new Replica();
        pass(THREE_ROUNDS);
        assertThat(leases.names()).hasSize(2);
        first.own.die();

        pass(EXPIRY.multipliedBy(4).plus(THREE_ROUNDS));

        assertThat(leases.names()).hasSize(1);
        assertThat(second.share.members()).isEqualTo(1);
    }

    @Test
    void whoCannotSeeYetIsNoMember() {
        var blind = new Rows(0);
        blind.hide();
        new Replica(blind);

        pass(Duration.ofMinutes(1));

        assertThat(leases.names()).isEmpty();
    }

    @Test
    void whoIsCancelledGivesItsLeaseBack() {
        var first = new Replica();
        var second = new Replica();
        pass(THREE_ROUNDS);
        assertThat(second.share.members()).isEqualTo(2);
        first.running.dispose();

        pass(THREE_ROUNDS);
        changeAll();
        assertThat(second.looked()).isEqualTo(rows.all().keySet());
        assertThat(second.share.members()).isEqualTo(1);
    }

    @Test
    void runsOnceAtATime() {
        var first = new Replica();

        assertThatThrownBy(() -> first.controller.run().toFuture().get()).hasRootCauseInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("controller replica runs already; it can have one run() or start() at a time");
    }

    @Test
    void aSubscriberThatLearnsThatWorkHasEndedMayRunItAgain() {
        var only = new Replica();
        only.running.dispose();
        List<Throwable> failures = new ArrayList<>();
        List<String> ended = new ArrayList<>();
        only.controller.run().then(Mono.defer(only.controller::run)).subscribe(null, failures::add, () -> ended.add("twice"));

        pass(THREE_ROUNDS);
        only.controller.drain(Duration.ofSeconds(1)).subscribe();
        pass(THREE_ROUNDS);
        assertThat(failures).isEmpty();
        assertThat(ended).containsExactly("twice");
    }

    @Test
    void refusesAGroupThatNoLeaseCanBeNamedAfter() {
        try (FakeApiServer server = FakeApiServer.create(); KubernetesClient client = KubernetesClient.over(server.transport())) {
            assertThatThrownBy(() -> ShardedController.of(client, ObjectKey.clusterScoped("group"),
                    Controller.named("c").watches(rows, Route.self()), request -> Mono.empty()))
                    .hasMessageContaining("a group needs a namespace").hasMessageContaining("was group");
            for (String name : List.of("Image_Mirror", "image-mirror-", "image..mirror", "a".repeat(64))) {
                assertThatThrownBy(() -> ShardedController.of(client, ObjectKey.of("prod", name),
                        Controller.named("c").watches(rows, Route.self()), request -> Mono.empty()))
                        .as(name).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }
}
