package io.reactiveinformer.sharding;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.leader.DriftingClock;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.sharding.ShardedController.Division;
import io.reactiveinformer.sharding.ShardedController.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Five members whose clocks differ by years, and run faster or slower within the promised bound, on networks that delay, lose and cut, in
 * processes that join, leave, freeze, are suspended and die: no key has two workers, and none is without one for longer than is documented.
 * In virtual time.
 *
 * <p>Planted, and caught at the seed that is named: what is still worked on is not heeded (1), or not said (1), so that a key changes hands
 * before its look has ended; the time in another's lease is compared with our clock (1); who is cut off goes on (39); all members have one
 * name (1); keys that become ours are not routed again when another leaves (1), or comes (1); the time counts by the monotonic clock only,
 * which stands while a machine is suspended (12). Real defects that it found: a member took its share for known before it knew that it
 * is one (770), and one that came took the dead for living (2). That a term counts from the answer, and not from the request, needs more
 * luck: {@link ShardedControllerTest} has it.
 *
 * <p>{@code -Dsharding.seeds=N} plays more, {@code -Dsharding.seed=N} from another one.
 */
@Tag("long")
class ShardingPropertyTest {

    private static final int SEEDS = 200;
    /** The fastest is 1.46 times as fast as the slowest, where less than 15 / 10 is promised to do no harm. */
    private static final double[] RATES = {0.82, 1, 1.2};
    private static final double SLOWEST = 0.82;
    private static final int MEMBERS = 5;
    private static final int KEYS = 12;
    private static final int LONGEST_LOOK = 4_000;
    private static final ElectionOptions TIMINGS = ElectionOptions.defaults();
    private static final Duration THREE_ROUNDS = slowly(TIMINGS.retryPeriod().plusMillis(4 * MemoryLeases.QUICK).multipliedBy(3));

    private static Duration slowly(Duration time) {
        return Duration.ofNanos((long) (time.toNanos() / SLOWEST));
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES) // as many seeds as one asks for
    void noKeyHasTwoWorkersAndNoneIsLongWithoutOne() {
        for (long seed : Rounds.seeds("sharding", SEEDS)) {
            var run = new Run(seed);
            try {
                run.play();
            } catch (Throwable failure) {
                fail("-Dsharding.seed=" + seed + " -Dsharding.seeds=1\n" + String.join("\n", run.events), failure);
            }
        }
    }

    private static final class Run {
        private final Random random;
        private final VirtualTimeScheduler truth = VirtualTimeScheduler.create();
        private final MemoryLeases leases;
        private final Rows rows = new Rows(KEYS);
        private final List<Machine> machines = new ArrayList<>(); // those that are to be members
        private final List<Machine> all = new ArrayList<>();
        private final List<String> violations = new ArrayList<>(); // which are no failures where they happen: those might be swallowed
        private final List<String> events = new ArrayList<>();
        private final Map<ObjectKey, Integer> seen = new HashMap<>(); // the latest state to which a look came to its end
        private final Map<ObjectKey, Long> left = new HashMap<>(); // when the latest look at it ended
        private final double troubles;

        Run(long seed) {
            random = new Random(seed);
            troubles = random.nextDouble() * 0.5;
            leases = new MemoryLeases(truth, random);
            for (int i = 0; i < MEMBERS; i++) {
                join();
            }
        }

        void play() {
            pass(THREE_ROUNDS.multipliedBy(4).dividedBy(3)); // of those who come at once, none knows at first that the others live
            everyKeyHasAWorker("at the beginning");
            for (int episode = 0; episode < 3; episode++) {
                chaos();
                calm();
            }
            all.forEach(Machine::stop);
        }

        /** Anything, at any time. */
        private void chaos() {
            machines.forEach(machine -> machine.way.trouble(random.nextDouble() * troubles,
                    random.nextBoolean() ? MemoryLeases.QUICK : 2_400));
            for (int step = 0; step < 12; step++) {
                Machine machine = machines.get(random.nextInt(machines.size()));
                switch (random.nextInt(8)) {
                    case 0, 1 -> machine.cut(!machine.way.isCut());
                    case 2 -> machine.freezeOrThaw();
                    case 3 -> {
                        machine.die();
                        join();
                    }
                    case 4 -> {
                        machine.stop();
                        join();
                    }
                    case 5 -> {
                        machine.leave();
                        join();
                    }
                    default -> { }
                }
                pass(Duration.ofMillis(random.nextInt(1 << random.nextInt(15))));
            }
            List.copyOf(all).forEach(Machine::heal); // also those that are leaving
            pass(slowly(TIMINGS.renewDeadline())); // who waits for an answer that does not come has given up
            long latest = truth.now(TimeUnit.MILLISECONDS) + 45_000;
            while (leases.areUnderWay() && truth.now(TimeUnit.MILLISECONDS) < latest) {
                pass(Duration.ofSeconds(1)); // until what was sent before has arrived
            }
            pass(slowly(TIMINGS.leaseDuration()).plus(THREE_ROUNDS));
            everyKeyHasAWorker("after all that");
            everyKeyIsLookedAt();
        }

        /** One event among members that agree, on a network that is well. */
        private void calm() {
            Machine machine = machines.get(random.nextInt(machines.size()));
            int kind = random.nextInt(6);
            Duration limit = switch (kind) {
                case 0 -> {
                    join();
                    yield THREE_ROUNDS;
                }
                case 1 -> {
                    machine.stop();
                    yield THREE_ROUNDS;
                }
                case 2 -> {
                    machine.leave();
                    yield THREE_ROUNDS;
                }
                case 3 -> {
                    machine.die();
                    yield slowly(TIMINGS.leaseDuration()).plus(THREE_ROUNDS);
                }
                case 4 -> {
                    machine.cut(true);
                    yield slowly(TIMINGS.leaseDuration()).plus(THREE_ROUNDS);
                }
                default -> {
                    machine.freezeOrThaw();
                    yield slowly(TIMINGS.leaseDuration()).plus(THREE_ROUNDS);
                }
            };
            pass(limit);
            everyKeyHasAWorker("in time after " + kind);
            if (kind < 4) {
                everyKeyIsLookedAt();
            }
            List.copyOf(machines).forEach(Machine::heal);
            while (machines.size() < MEMBERS) {
                join();
            }
            pass(slowly(TIMINGS.leaseDuration()).plus(THREE_ROUNDS));
        }

        /** Time, in which rows change. */
        private void pass(Duration time) {
            long left = time.toMillis();
            while (left > 0) {
                long step = Math.min(left, 1 + random.nextInt(3_000));
                rows.change(ObjectKey.of("prod", "row-" + random.nextInt(KEYS)));
                truth.advanceTimeBy(Duration.ofMillis(step));
                left -= step;
            }
            assertThat(violations).isEmpty();
        }

        private void everyKeyHasAWorker(String when) {
            for (ObjectKey key : rows.all().keySet()) {
                List<Machine> workers = all.stream()
                        .filter(machine -> machine.isAlive() && (machine.share.owns(key) || machine.works.contains(key))).toList();
                boolean justLeft = truth.now(TimeUnit.MILLISECONDS) - left.getOrDefault(key, Long.MIN_VALUE / 2) < THREE_ROUNDS.toMillis();
                assertThat(workers)
                        .as("%s ms, %s: who works on %s of %s", truth.now(TimeUnit.MILLISECONDS), when, key, machines)
                        .hasSizeBetween(justLeft ? 0 : 1, 1);
            }
        }

        /** The latest state of each, also of those that changed while nobody worked on them. */
        private void everyKeyIsLookedAt() {
            long latest = truth.now(TimeUnit.MILLISECONDS) + slowly(Duration.ofMillis(3 * LONGEST_LOOK * KEYS / 4)).toMillis();
            while (!seen.equals(rows.all()) && truth.now(TimeUnit.MILLISECONDS) < latest) {
                truth.advanceTimeBy(Duration.ofSeconds(1));
            }
            assertThat(violations).isEmpty();
            assertThat(seen).as("at %s ms", truth.now(TimeUnit.MILLISECONDS)).isEqualTo(rows.all());
        }

        private void join() {
            machines.add(new Machine("m" + all.size()));
        }

        /** One process on one machine. */
        private final class Machine {
            final String name;
            final DriftingClock clock =
                    new DriftingClock(truth, RATES[random.nextInt(RATES.length)], Duration.ofDays(random.nextInt(3_000)).toNanos());
            final MemoryLeases.Way way = leases.new Way(clock);
            final Set<ObjectKey> works = new HashSet<>();
            final ShardedController<ObjectKey> controller;
            final Disposable running;
            Share share = Share.NONE;
            boolean dead;

            Machine(String name) {
                this.name = name;
                tell("joins");
                controller = new SharingController<>(way, ObjectKey.of("prod", "group"),
                        Controller.named(name).watches(rows, Route.self()).concurrency(4)
                                .queue(queue -> queue.withLimiter(RateLimiter.standard(clock)).withTimer(clock).withWorkers(clock)),
                        this::look,
                        TIMINGS.withIdentity(name).withTimer(clock).withWorkers(clock).withRandom(random::nextDouble), Division.byKey());
                controller.shares().subscribe(next -> share = next);
                running = controller.run().subscribe(null, failure -> violations.add(failure.toString()));
                all.add(this);
            }

            private void tell(String what) {
                events.add(truth.now(TimeUnit.MILLISECONDS) + " ms: " + name + " " + what);
            }

            boolean isAlive() {
                return !dead && !clock.isFrozen();
            }

            private Mono<Result> look(ReconcileRequest<ObjectKey> request) {
                ObjectKey key = request.key();
                return Mono.defer(() -> {
                    works.add(key);
                    forbidOthers(key, "begins");
                    int state = rows.get(key);
                    return Mono.delay(Duration.ofMillis(random.nextInt(LONGEST_LOOK)), clock)
                            .doOnNext(done -> seen.merge(key, state, Math::max))
                            .thenReturn(Result.done())
                            .doOnTerminate(() -> leave(key))
                            .doOnCancel(() -> leave(key));
                });
            }

            private void leave(ObjectKey key) {
                works.remove(key);
                left.put(key, truth.now(TimeUnit.MILLISECONDS));
            }

            private void forbidOthers(ObjectKey key, String what) {
                for (Machine other : all) {
                    if (other != this && other.isAlive() && other.works.contains(key)) {
                        violations.add(truth.now(TimeUnit.MILLISECONDS) + " ms: " + name + " "
                                + what + " with " + key + ", and " + other.name + " is at it");
                    }
                }
            }

            void cut(boolean now) {
                tell(now ? "is cut off" : "is not cut off any more");
                way.cut(now);
            }

            void freezeOrThaw() {
                if (clock.isFrozen()) {
                    tell("thaws");
                    clock.thaw();
                    Set.copyOf(works).forEach(key -> forbidOthers(key, "goes on"));
                } else if (random.nextBoolean()) {
                    tell("freezes");
                    clock.freeze();
                } else {
                    tell("is suspended");
                    clock.suspend();
                }
            }

            /** Without a word. */
            void die() {
                tell("dies");
                machines.remove(this);
                clock.die();
                works.clear();
                dead = true;
            }

            /** At once. */
            void stop() {
                machines.remove(this);
                if (clock.isFrozen()) {
                    die();
                } else if (!dead) {
                    tell("stops");
                    if (random.nextBoolean()) {
                        running.dispose();
                    } else {
                        controller.close();
                    }
                    if (!works.isEmpty()) {
                        violations.add(name + " works on after it was stopped");
                    }
                }
            }

            /** In order. */
            void leave() {
                machines.remove(this);
                tell("leaves");
                controller.drain(Duration.ofSeconds(random.nextInt(10))).subscribe();
            }

            void heal() {
                way.trouble(0, MemoryLeases.QUICK);
                if (way.isCut()) {
                    cut(false);
                }
                if (clock.isFrozen()) {
                    freezeOrThaw();
                }
            }

            @Override
            public String toString() {
                return name + (way.isCut() ? " (cut off)" : "") + (clock.isFrozen() ? " (frozen)" : "") + " with " + share;
            }
        }
    }
}
