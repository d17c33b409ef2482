package io.reactiveinformer.leader;

import io.reactiveinformer.races.OnlyOk;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** One candidacy for all users of an elector: it runs once while there is one, and not after the last. */
public class SharedRaces {

    private SharedRaces() {}

    abstract static class Candidacy {

        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final Shared<Integer> shared = new Shared<>(Flux.<Integer>never()
                .doOnSubscribe(begun -> most.accumulateAndGet(running.incrementAndGet(), Math::max))
                .doOnCancel(running::decrementAndGet)
                .mergeWith(Flux.just(1)), 0);

        Disposable use() {
            return shared.use(Function.identity()).subscribe();
        }

        String outcome(int expected) {
            return OnlyOk.unless(running.get() != expected, "running " + running + " instead of " + expected);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class UseAgainstUse extends Candidacy {

        @Actor
        public void one() {
            use();
        }

        @Actor
        public void other() {
            use();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = most.get() == 1 ? outcome(1) : "ran twice";
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class UseAgainstTheLastCancel extends Candidacy {

        private final Disposable first = use();

        @Actor
        public void cancels() {
            first.dispose();
        }

        @Actor
        public void uses() {
            use();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = outcome(1);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CancelAgainstCancel extends Candidacy {

        private final Disposable first = use();
        private final Disposable second = use();

        @Actor
        public void cancels() {
            first.dispose();
        }

        @Actor
        public void cancelsToo() {
            second.dispose();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = outcome(0);
        }
    }
}
