package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.leader.Leadership.Term;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Candidates whose clocks differ by years, run faster or slower within the promised bound and are set, on networks that delay, lose, fade
 * and are cut, in processes that freeze, are suspended and die: their works never overlap, nobody works on whose term is over, tokens grow,
 * and after quiet exactly one leads.
 */
final class Election {

    /** The fastest is 1.46 times as fast as the slowest, where less than 3 / 2 is promised to do no harm. */
    private static final double[] RATES = {0.82, 0.82, 1, 1.2, 1.2};
    /** Of the duration, the deadline and the period in seconds: a lease lasts half as long again as a term. */
    private static final int[][] TIMINGS = {{15, 10, 2}, {15, 10, 5}, {6, 4, 1}, {6, 4, 3}};
    private static final int STEPS = 12;
    private static final ObjectKey LEASE = ObjectKey.of("default", "lock");
    private static final ResourceType<V1Lease> LEASES = ResourceType.of(V1Lease.class);
    private static final Duration LOOK = Duration.ofSeconds(10);
    /** What was sent before has arrived by then, and the longest lease has expired. */
    private static final int LONGEST_QUIET = 12;
    /** A clock tells the time of day in milliseconds. */
    private static final long TICK = 5;

    private final Random random;
    private final VirtualTimeScheduler truth = VirtualTimeScheduler.create();
    private final FakeApiServer server;
    private final ReusedClient.Pool clients;
    private final List<Machine> machines = new ArrayList<>();
    private final double troubles;
    private final List<String> violations = new ArrayList<>(); // which are no failures where they happen: those might be swallowed
    private int names;
    private long highest = -1;
    private int terms;

    Election(long seed, int candidates, ReusedClient.Pool clients) {
        this.clients = clients;
        clients.takeAllBack();
        random = new Random(seed);
        troubles = random.nextDouble() * random.nextDouble() * 0.7;
        server = FakeApiServer.builder().scheduler(truth).seed(seed).build();
        for (int i = 0; i < candidates; i++) {
            machines.add(new Machine());
        }
    }

    void play() {
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(5) == 0) {
                loseTheLeader();
            } else {
                disturb(random.nextBoolean() ? leader() : random.nextInt(machines.size()));
                pass(Duration.ofMillis(random.nextInt(1 << random.nextInt(14))));
            }
        }
        assertThat(violations).isEmpty();
    }

    /** After that, all is well again. */
    void playToTheEnd() {
        play();
        server.faults().clear();
        machines.forEach(Machine::heal);
        assertThat(oneLeadsUndisturbed()).as("one leads, and goes on, after quiet").isTrue();
        assertThat(terms).isPositive();
        assertThat(violations).isEmpty();
    }

    private void pass(Duration time) {
        truth.advanceTimeBy(time);
        machines.forEach(Machine::check);
        forbid(machines.stream().filter(machine -> machine.at != null && machine.at.holds()).count() > 1, "several terms hold");
    }

    private boolean oneLeadsUndisturbed() {
        List<Term> before = List.of();
        for (int look = 0; look < LONGEST_QUIET; look++) {
            pass(LOOK);
            List<Term> now = machines.stream().filter(machine -> machine.at != null).map(machine -> machine.at).toList();
            if (now.size() == 1 && now.equals(before)) {
                return true;
            }
            before = now;
        }
        return false;
    }

    private void forbid(boolean wrong, String what) {
        if (wrong) {
            violations.add(truth.now(TimeUnit.MILLISECONDS) + " ms: " + what);
        }
    }

    private int leader() {
        for (int i = 0; i < machines.size(); i++) {
            if (machines.get(i).at != null) {
                return i;
            }
        }
        return 0;
    }

    /** For longer than the others wait for him. */
    private void loseTheLeader() {
        machines.stream().filter(other -> random.nextBoolean()).forEach(other -> other.network.slow(1 + random.nextInt(2)));
        UnreliableNetwork lost = machines.get(leader()).network;
        lost.fade(random.nextInt(3));
        pass(Duration.ofMillis(random.nextInt(24_000)));
        lost.cut(random.nextBoolean());
    }

    private void disturb(int which) {
        Machine machine = machines.get(which);
        switch (random.nextInt(15)) {
            case 0, 1, 2 -> machine.network.cut(!machine.network.isCut());
            case 3 -> machine.network.trouble(random.nextDouble() * troubles);
            case 4 -> machine.freezeOrThaw();
            case 5 -> {
                machine.die();
                machines.set(which, new Machine());
            }
            case 6 -> {
                machine.stop();
                machines.set(which, new Machine());
            }
            case 7 -> machine.stopAndStartAgain();
            case 8 -> server.faults().on("update", "leases").times(1 + random.nextInt(5)).internalError();
            case 9 -> server.faults().on("get", "leases").times(1 + random.nextInt(5)).status(403, "Forbidden", "not now");
            case 10 -> label();
            case 11 -> machine.network.fade(random.nextInt(3));
            case 12, 13 -> machine.setTimeOfDay();
            default -> { }
        }
    }

    /** As somebody does who writes to the lease and is no candidate. */
    private void label() {
        if (server.objects().get(LEASES, LEASE).isPresent()) {
            server.objects().edit(LEASES, LEASE, lease -> {
                lease.withObject("metadata").withObject("labels").put("touched", "t" + random.nextInt());
                return lease;
            });
        }
    }

    /** One process on one machine. */
    private final class Machine {
        final DriftingClock clock =
                new DriftingClock(truth, RATES[random.nextInt(RATES.length)], Duration.ofDays(random.nextInt(3_000)).toNanos());
        final UnreliableNetwork network = new UnreliableNetwork(server.transport(), truth, clock, random);
        /** Else its time of day may be set: both at a time is not promised to do no harm. */
        final boolean mayBeSuspended = random.nextBoolean();
        final LeaderElector elector;
        Disposable running;
        Term at;
        Term before;
        long overSince = -1;
        boolean setForward;

        Machine() {
            network.trouble(random.nextDouble() * troubles);
            int[] seconds = TIMINGS[random.nextInt(TIMINGS.length)];
            boolean eager = random.nextBoolean();
            String name = random.nextInt(3) == 0 ? "namesake" : "c" + names++;
            elector = LeaderElector.of(clients.take(network, clock), LEASE, ElectionOptions.defaults().withIdentity(name)
                    .withTimings(Duration.ofSeconds(seconds[0]), Duration.ofSeconds(seconds[1]), Duration.ofSeconds(seconds[2]))
                    .withReleaseOnCancel(random.nextInt(3) != 0).withTimer(clock).withWorkers(clock)
                    .withRandom(() -> eager ? random.nextDouble() / 5 : random.nextDouble()));
            running = start();
        }

        Disposable start() {
            return elector.whileLeading(term -> Flux.never().doOnSubscribe(begun -> begin(term)).doOnCancel(() -> end(term))).subscribe();
        }

        private void begin(Term term) {
            for (Machine other : machines) {
                if (other != this && other.at != null) {
                    forbid(!other.clock.isFrozen(), term + " begins while " + other.at + " goes on");
                    forbid(other.at.holds(), term + " begins while " + other.at + " believes to hold");
                }
            }
            forbid(at != null, term + " begins in the middle of " + at);
            forbid(term.token() <= highest, term + " begins after term " + highest);
            highest = Math.max(highest, term.token());
            terms++;
            at = term;
            overSince = -1;
            setForward = false;
        }

        private void end(Term term) {
            forbid(term != at, term + " ends instead of " + at);
            at = null;
            before = term;
        }

        /** Unless its time of day was set forward, which ends a term before its timers know. */
        void check() {
            forbid(before != null && before.holds(), before + " has ended, and holds");
            boolean over = at != null && !at.holds() && !clock.isFrozen() && !setForward;
            long now = truth.now(TimeUnit.MILLISECONDS);
            forbid(over && overSince >= 0 && now - overSince > TICK, at + " goes on after its end");
            overSince = !over ? -1 : overSince < 0 ? now : overSince;
        }

        /** Without a word. */
        void die() {
            clock.die();
            at = null;
        }

        /** In order, if it can. */
        void stop() {
            if (clock.isFrozen()) {
                die();
            } else {
                running.dispose();
                forbid(at != null, "work goes on after it was cancelled");
                at = null;
            }
        }

        void stopAndStartAgain() {
            clock.run(() -> {
                running.dispose();
                running = start();
            });
        }

        void freezeOrThaw() {
            if (clock.isFrozen()) {
                clock.thaw();
            } else if (mayBeSuspended) {
                clock.suspend();
            } else {
                clock.freeze();
            }
        }

        void setTimeOfDay() {
            if (!mayBeSuspended) {
                Duration by = Duration.ofMillis(random.nextInt(40_000) - 20_000);
                clock.setTimeOfDay(by);
                setForward |= !by.isNegative();
            }
        }

        void heal() {
            network.cut(false);
            network.trouble(0);
            if (clock.isFrozen()) {
                clock.thaw();
            }
        }
    }
}
