package io.reactiveinformer.view;

import io.reactiveinformer.races.Handed;
import io.reactiveinformer.races.OnlyOk;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.Scannable;
import reactor.core.scheduler.Schedulers;

/** The same through the relay, which tells many subscribers: its lock, its count and its batches. */
public class RelayRaces {

    private RelayRaces() {}

    abstract static class Followed {

        final Rows rows = Rows.relayed(true, Schedulers.immediate()).put("a", "u", 1);
        final Replayed received = new Replayed();

        void follow() {
            rows.hub.changes(Delivery.conflated().on(Schedulers.immediate())).subscribe(received);
        }

        void follow(long demand) {
            follow();
            received.request(demand);
        }
    }

    /** The row that exists and Synced have been received; the change is not requested yet. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CommitAgainstRequest extends Followed {

        public CommitAgainstRequest() {
            follow(2);
        }

        @Actor
        public void writes() {
            rows.put("a", "u", 2);
        }

        @Actor
        public void requests() {
            received.request(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(rows);
        }
    }

    /** The second commit comes while the first is noted or emitted. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CommitsAgainstRequest extends Followed {

        public CommitsAgainstRequest() {
            follow(1);
        }

        @Actor
        public void writes() {
            rows.put("a", "u", 2);
            rows.remove("a", 3);
        }

        @Actor
        public void requests() {
            received.request(1);
            received.request(5);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(rows);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CommitAgainstSubscribe extends Followed {

        @Actor
        public void writes() {
            rows.put("a", "u", 2).put("b", "u", 3);
        }

        @Actor
        public void subscribes() {
            follow(Long.MAX_VALUE);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(rows);
        }
    }

    /** Another subscriber comes while commits are on their way to the first. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CommitAgainstAnother extends Followed {

        private final Replayed other = new Replayed();

        public CommitAgainstAnother() {
            follow(Long.MAX_VALUE);
        }

        @Actor
        public void writes() {
            rows.put("a", "u", 2).put("b", "u", 3);
        }

        @Actor
        public void subscribes() {
            rows.hub.changes(Delivery.conflated().on(Schedulers.immediate())).subscribe(other);
            other.request(Long.MAX_VALUE);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            String outcome = received.outcome(rows);
            result.r1 = outcome.equals(OnlyOk.OK) ? other.outcome(rows) : outcome;
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CommitAgainstCancel extends Followed {

        public CommitAgainstCancel() {
            follow(1);
        }

        @Actor
        public void writes() {
            rows.put("a", "u", 2);
        }

        @Actor
        public void cancels() {
            received.cancel();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            Object left = Scannable.from(received.subscription()).scan(Scannable.Attr.BUFFERED);
            boolean over = Integer.valueOf(0).equals(left) && rows.hub.followers() == 0 && !received.isCompleted();
            result.r1 = received.outcome(over, received.got() + ", left " + left + " for " + rows.hub.followers());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EndAgainstRequest extends Followed {

        public EndAgainstRequest() {
            follow(1);
        }

        @Actor
        public void ends() {
            rows.put("a", "u", 2).hub.complete();
        }

        @Actor
        public void requests() {
            received.request(5);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.knows(rows) && received.isCompleted(), received.got());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EndAgainstSubscribe extends Followed {

        @Actor
        public void ends() {
            rows.put("a", "u", 2).hub.complete();
        }

        @Actor
        public void subscribes() {
            follow(Long.MAX_VALUE);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            boolean all = received.knows(rows) && received.isCompleted() && rows.hub.followers() == 0;
            result.r1 = received.outcome(all, received.got());
        }
    }

    /** Synced is left without demand, and dropped by the cancellation; that is no orderly end. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EndAgainstCancel extends Followed {

        public EndAgainstCancel() {
            follow(1);
        }

        @Actor
        public void ends() {
            rows.hub.complete();
        }

        @Actor
        public void cancels() {
            received.cancel();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(!received.isCompleted() && rows.hub.followers() == 0, received.got());
        }
    }

    /** The worker of the relay is another thread than the writer's, as it is for users. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class CommitsAgainstNotification {

        private final Handed worker = new Handed();
        private final Rows rows = Rows.relayed(true, worker).put("a", "u", 1);
        private final Replayed received = new Replayed();

        public CommitsAgainstNotification() {
            rows.hub.changes(Delivery.conflated().on(Schedulers.immediate())).subscribe(received);
            received.request(Long.MAX_VALUE);
            rows.put("a", "u", 2);
        }

        @Actor
        public void writes() {
            rows.put("a", "u", 3);
            rows.put("b", "u", 4);
        }

        @Actor
        public void notifies() {
            worker.play();
            worker.play();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            worker.play();
            result.r1 = received.outcome(rows);
        }
    }
}
