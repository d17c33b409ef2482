package io.reactiveinformer.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

/** How a queue ends. Numbers with a § are of client-go's semantics 8.10, others of the stream scenarios. */
class WorkQueueEndTest extends WorkQueueFixture {

    @Test // §173, §176, 106
    void shutDownServesWhatIsThereAndThenCompletes() {
        List<String> ended = new ArrayList<>();
        queue.process(1, key -> {
            begun.add(key);
            working.put(key, Sinks.one());
            return working.get(key).asMono();
        }).doOnComplete(() -> ended.add("process")).subscribe();
        List.of("a", "b").forEach(queue::add);
        queue.addAfter("delayed", ofSeconds(1));
        queue.drain().doOnSuccess(done -> ended.add("drain")).subscribe();
        queue.add("c");
        queue.add("a");
        time.advanceTimeBy(ofSeconds(2));
        assertThat(begun()).containsExactly("a");
        finish("a", Result.again(ofSeconds(1)));
        assertThat(begun()).containsExactly("b");
        assertThat(ended).isEmpty();
        finish("b", Result.failed(new IllegalStateException("away")));
        assertThat(ended).containsExactlyInAnyOrder("process", "drain");
        assertThat(queue.delayed()).isZero();
    }

    @Test // §176
    void aKeyThatWasDirtyWhenTheQueueShutDownIsWorkedOnOnceMore() {
        work(1);
        queue.add("a");
        queue.add("a");
        queue.shutDown();
        finish("a");
        assertThat(begun()).containsExactly("a", "a");
    }

    @Test // §174
    void closeDropsWhatWaitsAndLetsWorkEnd() {
        List<String> ended = new ArrayList<>();
        Sinks.One<Result> result = Sinks.one();
        queue.process(1, key -> result.asMono().doOnSubscribe(s -> begun.add(key))).doOnComplete(() -> ended.add("process"))
                .subscribe(outcomes::add);
        List.of("a", "b").forEach(queue::add);
        queue.add("a");
        queue.close();
        assertThat(ended).isEmpty();
        result.tryEmitValue(Result.done());
        assertThat(begun()).containsExactly("a");
        assertThat(outcomes).hasSize(1);
        assertThat(ended).containsExactly("process");
    }

    @Test
    void whoComesAfterTheEndIsDoneAtOnce() {
        queue.shutDown();
        queue.add("a");
        assertThat(queue.process(1, key -> Mono.just(Result.done())).collectList().block()).isEmpty();
        assertThat(queue.size()).isZero();
    }

    @Test
    void keysThatAreHeldWhenTheQueueShutsDownAreServed() {
        List<String> ended = new ArrayList<>();
        queue.hold("a");
        queue.add("a");
        work(1);
        queue.drain().doOnSuccess(done -> ended.add("drain")).subscribe();
        assertThat(begun()).containsExactly("a");
        queue.hold("a");
        finish("a");
        assertThat(ended).containsExactly("drain");
    }

    @Test
    void noTimerIsLeftArmedWhenTheQueueIsShutDown() {
        List<Disposable> armed = new ArrayList<>();
        Scheduler watched = new Scheduler() {
            @Override
            public Disposable schedule(Runnable task) {
                return time.schedule(task);
            }

            @Override
            public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
                Disposable one = Disposables.single();
                armed.add(one);
                return one;
            }

            @Override
            public long now(TimeUnit unit) {
                return time.now(unit);
            }

            @Override
            public Worker createWorker() {
                throw new UnsupportedOperationException();
            }
        };
        for (Consumer<WorkQueue<String>> end : List.<Consumer<WorkQueue<String>>>of(WorkQueue::shutDown, WorkQueue::close)) {
            WorkQueue<String> delaying = WorkQueue.create(options.withTimer(watched));
            delaying.addAfter("a", ofDays(1));
            delaying.addAfter("b", ofSeconds(1));
            assertThat(armed).hasSize(2);
            end.accept(delaying);
            assertThat(armed).allMatch(Disposable::isDisposed);
            armed.clear();
        }
    }

    @Test
    void keysThatAreHeldTwiceWhenTheQueueShutsDownAreServed() {
        queue.hold("a");
        queue.hold("a");
        queue.add("a");
        work(1);
        queue.shutDown();
        assertThat(begun()).containsExactly("a");
        queue.release("a");
        finish("a");
        assertThat(queue.size() + queue.unfinished().keys()).isZero();
    }
}
