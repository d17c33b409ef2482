package io.reactiveinformer.client;

import io.reactiveinformer.races.AtOnce;
import io.reactiveinformer.races.OnlyOk;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** One place for lists: the line of those that wait for it, and which of them is next. */
public class ListLimitRaces {

    private static final Scheduler TIMER = new AtOnce();

    private ListLimitRaces() {}

    abstract static class Limit {

        private final ListLimit limit = new ListLimit(1, TIMER);
        private final AtomicInteger inside = new AtomicInteger();
        private volatile boolean tooMany;

        /** A list that stays until it is disposed of, or frees its place itself. */
        final class Listing {

            volatile boolean begun;
            volatile Runnable leave = () -> {};
            volatile Disposable subscription = Disposables.disposed();

            Listing begin() {
                subscription = limit.within(place -> {
                    if (inside.getAndIncrement() != 0) {
                        tooMany = true;
                    }
                    leave = place;
                    begun = true;
                    return Flux.never().doOnCancel(inside::decrementAndGet);
                }).subscribe();
                return this;
            }

            void end() {
                subscription.dispose();
            }
        }

        String outcome(Listing last) {
            return tooMany ? "two at a time" : places(last);
        }

        /** Whether the last one came, and there is one place again after it. */
        String places(Listing last) {
            boolean came = last.begun;
            last.end();
            var next = new Listing().begin();
            var none = new Listing().begin();
            String wrong = "came " + came + ", then " + next.begun + " and not " + none.begun;
            return OnlyOk.unless(!came || !next.begun || none.begun, wrong);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class LeaveAgainstArrival extends Limit {

        private final Listing first = new Listing().begin();
        private final Listing second = new Listing();

        @Actor
        public void leaves() {
            first.end();
        }

        @Actor
        public void arrives() {
            second.begin();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = outcome(second);
        }
    }

    /**
     * One that waits gives up when it is its turn: then it is the turn of the next. The one that gives up may just have
     * begun, and then it is cancelled after the next has begun: so the two may be seen at a time.
     */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class LeaveAgainstGivingUp extends Limit {

        private final Listing first = new Listing().begin();
        private final Listing second = new Listing().begin();
        private final Listing third = new Listing().begin();

        @Actor
        public void leaves() {
            first.end();
        }

        @Actor
        public void givesUp() {
            second.end();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = places(third);
        }
    }

    /** The place is freed by the list itself and by its end. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class LeaveAgainstEnd extends Limit {

        private final Listing first = new Listing().begin();

        @Actor
        public void leaves() {
            first.leave.run();
        }

        @Actor
        public void ends() {
            first.end();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = outcome(new Listing().begin());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ArrivalAgainstArrival extends Limit {

        private final Listing one = new Listing();
        private final Listing other = new Listing();

        @Actor
        public void arrives() {
            one.begin();
        }

        @Actor
        public void arrivesToo() {
            other.begin();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            boolean both = one.begun && other.begun;
            Listing last = one.begun ? other : one;
            (one.begun ? one : other).end();
            result.r1 = both ? "two at a time" : outcome(last);
        }
    }
}
