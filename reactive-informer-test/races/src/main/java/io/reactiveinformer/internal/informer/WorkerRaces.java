package io.reactiveinformer.internal.informer;

import io.reactiveinformer.races.OnlyOk;
import io.reactiveinformer.races.Received;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import reactor.core.scheduler.Schedulers;

/** The drain of a subscription, which runs here on the thread that wakes it. */
public class WorkerRaces {

    private WorkerRaces() {}

    private static final class Items extends WorkerSubscription<Integer> {

        private final Queue<Integer> items = new ConcurrentLinkedQueue<>();
        private volatile boolean released;

        Items(Received<Integer> received) {
            super(received, Schedulers.immediate().createWorker());
        }

        void offer(int item) {
            items.add(item);
            schedule();
        }

        void complete() {
            endInOrder();
            schedule();
        }

        @Override
        protected @Nullable Integer poll() {
            return items.poll();
        }

        @Override
        protected boolean isEmpty() {
            return items.isEmpty();
        }

        @Override
        protected void release() {
            items.clear();
            released = true;
        }

        @Override
        protected int size() {
            return items.size();
        }
    }

    /** A subscription that has started, without demand. */
    abstract static class Started {

        final Received<Integer> received = new Received<>();
        final Items items = new Items(received);

        Started(int demand) {
            items.start(() -> {});
            if (demand > 0) {
                items.request(demand);
            }
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ItemAgainstRequest extends Started {

        public ItemAgainstRequest() {
            super(0);
        }

        @Actor
        public void offers() {
            items.offer(1);
        }

        @Actor
        public void requests() {
            items.request(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.got().size() == 1, received.got());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ItemAgainstItem extends Started {

        public ItemAgainstItem() {
            super(9);
        }

        @Actor
        public void one() {
            items.offer(1);
        }

        @Actor
        public void other() {
            items.offer(2);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = received.outcome(received.got().size() == 2, received.got());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EndAgainstRequest extends Started {

        public EndAgainstRequest() {
            super(0);
            items.offer(1);
        }

        @Actor
        public void completes() {
            items.complete();
        }

        @Actor
        public void requests() {
            items.request(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            boolean all = received.got().size() == 1 && received.isCompleted() && items.released;
            result.r1 = received.outcome(all, received.got());
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ItemAgainstCancel extends Started {

        public ItemAgainstCancel() {
            super(1);
        }

        @Actor
        public void offers() {
            items.offer(1);
        }

        @Actor
        public void cancels() {
            items.cancel();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            boolean over = items.isOver() && items.released && !received.isCompleted() && received.got().size() <= 1;
            result.r1 = received.outcome(over, received.got());
        }
    }

    /** What is left without demand is dropped by the cancellation; that is no orderly end. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EndAgainstCancel extends Started {

        public EndAgainstCancel() {
            super(0);
            items.offer(1);
        }

        @Actor
        public void completes() {
            items.complete();
        }

        @Actor
        public void cancels() {
            items.cancel();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            boolean over = items.isOver() && items.released && !received.isCompleted() && received.got().isEmpty();
            result.r1 = received.outcome(over, received.got());
        }
    }
}
