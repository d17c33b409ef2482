package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.races.OnlyOk;
import io.reactiveinformer.races.Received;
import io.reactiveinformer.races.Trickle;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The drain that cuts a body into elements, of which each byte is one here. */
public class CutRaces {

    private CutRaces() {}

    abstract static class Body {

        final Trickle<ByteBuf> chunks = new Trickle<>();
        final Received<Character> received = new Received<>();
        final ByteBuf next = Letters.chunk("b");

        Body(String first) {
            new FluxCut<>(chunks, new Letters()).subscribe(received);
            if (!first.isEmpty()) {
                chunks.to().onNext(Letters.chunk(first));
            }
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ChunkAgainstRequest extends Body {

        public ChunkAgainstRequest() {
            super("");
        }

        @Actor
        public void arrives() {
            chunks.to().onNext(next);
        }

        @Actor
        public void requests() {
            received.request(5);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            boolean one = received.got().equals(List.of('b')) && chunks.requested() == 2;
            result.r1 = received.outcome(one, received.got() + ", requested " + chunks.requested());
        }
    }

    /** A request looks into an empty body while a chunk arrives that it has not seen. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ChunkAgainstRequests extends Body {

        public ChunkAgainstRequests() {
            super("");
            received.request(1);
        }

        @Actor
        public void arrives() {
            chunks.to().onNext(next);
        }

        @Actor
        public void requests() {
            received.request(1);
            received.request(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            boolean one = received.got().equals(List.of('b')) && chunks.requested() == 2;
            result.r1 = received.outcome(one, received.got() + ", requested " + chunks.requested());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class RequestAgainstRequest extends Body {

        public RequestAgainstRequest() {
            super("ab");
        }

        @Actor
        public void one() {
            received.request(1);
        }

        @Actor
        public void other() {
            received.request(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.got().equals(List.of('a', 'b')), received.got());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EndAgainstRequest extends Body {

        public EndAgainstRequest() {
            super("");
        }

        @Actor
        public void ends() {
            chunks.to().onNext(next);
            chunks.to().onComplete();
        }

        @Actor
        public void requests() {
            received.request(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.got().equals(List.of('b')) && received.isCompleted(), received.got());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class FailureAgainstRequest extends Body {

        private final Throwable failure = new IllegalStateException("cut off", null);

        public FailureAgainstRequest() {
            super("a");
        }

        @Actor
        public void fails() {
            chunks.to().onError(failure);
        }

        @Actor
        public void requests() {
            received.request(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.got().size() <= 1 && received.failure() == failure, received.got());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ChunkAgainstCancel extends Body {

        public ChunkAgainstCancel() {
            super("");
            received.request(9);
        }

        @Actor
        public void arrives() {
            chunks.to().onNext(next);
        }

        @Actor
        public void cancels() {
            received.cancel();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.got().size() <= 1 && chunks.isCancelled(), received.got());
        }
    }
}
