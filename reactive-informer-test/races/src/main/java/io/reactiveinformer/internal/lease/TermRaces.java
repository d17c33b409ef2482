package io.reactiveinformer.internal.lease;

import io.reactiveinformer.internal.operator.Moment;
import io.reactiveinformer.races.AtOnce;
import io.reactiveinformer.races.OnlyOk;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.scheduler.Scheduler;

/** A thread that leads sees when its term has ended, and no renewal begins it again. */
public class TermRaces {

    private static final Scheduler CLOCK = new AtOnce();
    private static final Duration LENGTH = Duration.ofSeconds(10);

    private TermRaces() {}

    private static LeaseTerm begun() {
        var term = new LeaseTerm(CLOCK, LENGTH);
        term.renew(Moment.now(CLOCK));
        return term;
    }

    @JCStressTest(Mode.Termination)
    @Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE)
    @Outcome(expect = Expect.FORBIDDEN, desc = "the end is never seen")
    @State
    public static class EndIsSeen {

        private final LeaseTerm term = begun();

        @Actor
        public void leads() {
            while (!term.isEnded()) {
                // until it is seen
            }
        }

        @Signal
        public void ends() {
            term.end();
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EndAgainstRenewal {

        private final LeaseTerm term = begun();
        private final Moment sent = Moment.now(CLOCK);

        @Actor
        public void ends() {
            term.end();
        }

        @Actor
        public void renews() {
            term.renew(sent);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = OnlyOk.unless(term.holds() || !term.isOver(), "renewed after its end");
        }
    }
}
