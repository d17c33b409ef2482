package io.reactiveinformer.delta;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.races.OnlyOk;
import io.reactiveinformer.races.Received;
import io.reactiveinformer.races.Trickle;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.Scannable;

/** The drain of the delta stage, and the lock of what it keeps. */
public class DeltaRaces {

    private static final ReflectorEvent<String> EVENT = new ReflectorEvent.Received<>(Namespaces.all(),
            new ObjectEvent.Applied<>(ObjectKey.clusterScoped("k"), new Versioned<>("u", "1", "v")));
    private static final ReflectorEvent<String> OTHER = new ReflectorEvent.Received<>(Namespaces.all(),
            new ObjectEvent.Applied<>(ObjectKey.clusterScoped("l"), new Versioned<>("u", "2", "w")));

    private DeltaRaces() {}

    abstract static class Stage {

        final Trickle<ReflectorEvent<String>> events = new Trickle<>();
        final Received<Delta<String>> received = new Received<>();

        Stage(long demand) {
            events.transform(DeltaStage.over(Known.none())).subscribe(received);
            if (demand > 0) {
                received.request(demand);
            }
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EventAgainstRequest extends Stage {

        public EventAgainstRequest() {
            super(0);
        }

        @Actor
        public void happens() {
            events.to().onNext(EVENT);
        }

        @Actor
        public void requests() {
            received.request(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.got().size() == 1, received.got());
        }
    }

    /** The second event comes while the first is emitted. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EventsAgainstRequest extends Stage {

        public EventsAgainstRequest() {
            super(0);
            events.to().onNext(EVENT);
        }

        @Actor
        public void happens() {
            events.to().onNext(OTHER);
        }

        @Actor
        public void requests() {
            received.request(5);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.got().size() == 2, received.got());
        }
    }

    /** An event and the end right after it, while a request looks whether this is the end. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EndAgainstRequest extends Stage {

        public EndAgainstRequest() {
            super(1);
        }

        @Actor
        public void ends() {
            events.to().onNext(EVENT);
            events.to().onComplete();
        }

        @Actor
        public void requests() {
            received.request(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.got().size() == 1 && received.isCompleted(), received.got());
        }
    }

    /** The last event and the end come when what was there before has just been emitted. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class LastAgainstRequest extends Stage {

        public LastAgainstRequest() {
            super(0);
            events.to().onNext(EVENT);
        }

        @Actor
        public void ends() {
            events.to().onNext(OTHER);
            events.to().onComplete();
        }

        @Actor
        public void requests() {
            received.request(1);
            received.request(5);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.got().size() == 2 && received.isCompleted(), received.got());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class RequestAgainstRequest extends Stage {

        public RequestAgainstRequest() {
            super(0);
            events.to().onNext(EVENT);
            events.to().onNext(OTHER);
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
            result.r1 = received.outcome(received.got().size() == 2, received.got());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EventAgainstCancel extends Stage {

        public EventAgainstCancel() {
            super(9);
        }

        @Actor
        public void happens() {
            events.to().onNext(EVENT);
        }

        @Actor
        public void cancels() {
            received.cancel();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            boolean over = received.got().size() <= 1 && events.isCancelled() && isEmpty();
            result.r1 = received.outcome(over, received.got());
        }

        private boolean isEmpty() {
            return Integer.valueOf(0).equals(Scannable.from(received.subscription())
                    .scan(Scannable.Attr.BUFFERED));
        }
    }
}
