package io.reactiveinformer.queue;

import io.reactiveinformer.races.AtOnce;
import io.reactiveinformer.races.OnlyOk;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The queue's one lock, the loop that hands keys out, and the ways in which the work on a key ends. Work runs on the
 * thread that wakes it.
 */
public class QueueRaces {

    private static final Scheduler TIMER = new AtOnce();

    private QueueRaces() {}

    abstract static class Queue {

        final WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.<Integer>defaults()
                .withWorkers(Schedulers.immediate()).withTimer(TIMER));
        final AtomicIntegerArray runs = new AtomicIntegerArray(3);
        private final AtomicIntegerArray running = new AtomicIntegerArray(3);
        private volatile boolean twice;

        /** Counts how often each key was worked on. */
        Disposable work(int concurrency) {
            return queue.process(concurrency, key -> Mono.fromRunnable(() -> {
                if (running.getAndIncrement(key) != 0) {
                    twice = true;
                }
                runs.incrementAndGet(key);
                running.decrementAndGet(key);
            })).subscribe();
        }

        /** @param done whether what was to be done was */
        String outcome(boolean done) {
            if (twice) {
                return "two runs of a key at a time";
            }
            int left = queue.size() + queue.unfinished().keys();
            return OnlyOk.unless(!done || left != 0, "runs " + runs + ", left " + left);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class AddAgainstAdd extends Queue {

        private final Disposable working = work(2);

        @Actor
        public void one() {
            queue.add(1);
        }

        @Actor
        public void other() {
            queue.add(2);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            working.dispose();
            result.r1 = outcome(runs.get(1) == 1 && runs.get(2) == 1);
        }
    }

    /** The second addition of a key comes before, while or after the key is worked on. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class AddAgainstAddOfTheKey extends Queue {

        private final AtomicInteger wanted = new AtomicInteger();
        private volatile int seen;
        private final Disposable working = queue.process(2, key -> Mono.fromRunnable(() -> seen = wanted.get()))
                .subscribe();

        @Actor
        public void one() {
            wanted.incrementAndGet();
            queue.add(1);
        }

        @Actor
        public void other() {
            wanted.incrementAndGet();
            queue.add(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            working.dispose();
            result.r1 = outcome(seen == 2);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class AddAgainstSubscribe extends Queue {

        private volatile Disposable working = Disposables.disposed();

        @Actor
        public void adds() {
            queue.add(1);
        }

        @Actor
        public void subscribes() {
            working = work(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            working.dispose();
            result.r1 = outcome(runs.get(1) == 1);
        }
    }

    /** What a subscriber that cancels has not begun is for the next one. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class AddAgainstCancel extends Queue {

        private final Disposable first = queue.process(1, key -> Mono.never()).subscribe();

        @Actor
        public void adds() {
            queue.add(1);
        }

        @Actor
        public void cancels() {
            first.dispose();
        }

        @Arbiter
        public void arbiter(L_Result result) {
            work(1).dispose();
            result.r1 = outcome(runs.get(1) == 1);
        }
    }

    /** Keys and demand come at the same time: each key is given once, and one after the other. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class AddAgainstRequest extends Queue {

        private final Taker taker = new Taker(queue);

        public AddAgainstRequest() {
            queue.add(1);
        }

        @Actor
        public void adds() {
            queue.add(2);
        }

        @Actor
        public void requests() {
            taker.subscription.request(2);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = taker.outcome(Set.of(1, 2));
        }
    }

    /** Without work, which would take much longer than to hand a key out. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class AddAgainstAddOfAnother extends Queue {

        private final Taker taker = new Taker(queue);

        public AddAgainstAddOfAnother() {
            taker.subscription.request(5);
        }

        @Actor
        public void one() {
            queue.add(1);
        }

        @Actor
        public void other() {
            queue.add(2);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = taker.outcome(Set.of(1, 2));
        }
    }

    /** The work on a key ends while the key is added again: that is another run, or none if the work has not begun. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class EndAgainstAdd extends Queue {

        private final Sinks.Empty<Result> end = Sinks.empty();
        private final Disposable working = queue.process(1, key -> {
            runs.incrementAndGet(key);
            return runs.get(key) == 1 ? end.asMono() : Mono.empty();
        }).subscribe();

        public EndAgainstAdd() {
            queue.add(1);
        }

        @Actor
        public void ends() {
            end.tryEmitEmpty();
        }

        @Actor
        public void adds() {
            queue.add(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            working.dispose();
            result.r1 = outcome(runs.get(1) == 2);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ReleaseAgainstAdd extends Queue {

        private final Disposable working = work(1);

        public ReleaseAgainstAdd() {
            queue.hold(1);
        }

        @Actor
        public void releases() {
            queue.release(1);
        }

        @Actor
        public void adds() {
            queue.add(1);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            working.dispose();
            result.r1 = outcome(runs.get(1) == 1);
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class ShutDownAgainstSubscribe extends Queue {

        private volatile boolean completed;
        private volatile boolean drained;

        @Actor
        public void shutsDown() {
            queue.shutDown();
        }

        @Actor
        public void subscribes() {
            queue.process(1, key -> Mono.empty()).doOnComplete(() -> completed = true).subscribe();
            queue.drain().subscribe(null, null, () -> drained = true);
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = OnlyOk.unless(!completed || !drained, "completed " + completed + ", drained " + drained);
        }
    }

    /** A subscription without operators in between, so that nothing comes between the loop and it. */
    private static final class Taker extends BaseSubscriber<WorkItem<Integer>> {

        final KeySubscriber<Integer> subscription;
        final Set<Integer> keys = ConcurrentHashMap.newKeySet();
        private final AtomicInteger inside = new AtomicInteger();
        private volatile boolean wrong;

        @SuppressWarnings("this-escape")
        Taker(WorkQueue<Integer> queue) {
            var keyed = (KeyedWorkQueue<Integer>) queue;
            subscription = new KeySubscriber<>(keyed, this);
            keyed.join(subscription);
        }

        String outcome(Set<Integer> expected) {
            return wrong ? "two keys at a time" : OnlyOk.unless(!keys.equals(expected), "took " + keys);
        }

        @Override
        protected void hookOnSubscribe(Subscription given) {}

        @Override
        protected void hookOnNext(WorkItem<Integer> item) {
            if (inside.getAndIncrement() != 0) {
                wrong = true;
            }
            keys.add(item.key());
            if (inside.decrementAndGet() != 0) {
                wrong = true;
            }
        }
    }
}
