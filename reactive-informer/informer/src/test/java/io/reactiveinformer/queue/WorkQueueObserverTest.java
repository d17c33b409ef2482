package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

/** What a queue reports to its observer. Numbers with a § are of client-go's semantics 8.10, others of the stream scenarios. */
class WorkQueueObserverTest extends WorkQueueFixture {

    @Test // §185
    void tellsItsObserverAndWhatIsUnfinished() {
        List<String> received = new ArrayList<>();
        WorkQueue<String> observed = WorkQueue.create(options.withObserver(new RecordingObserver(received)));
        observed.add("a");
        observed.add("a");
        time.advanceTimeBy(ofSeconds(2));
        work(observed, 1);
        time.advanceTimeBy(ofSeconds(3));
        assertThat(observed.unfinished()).isEqualTo(new WorkQueue.Unfinished(1, ofSeconds(3), ofSeconds(3)));
        finish("a", Result.failed(new IllegalStateException("away")));
        assertThat(received).containsExactly("added", "taken after PT2S", "retried after PT0.005S", "finished after PT3S");
    }

    @Test
    void theNumberInLineFollowsFromTheObserversCalls() {
        int[] inLine = new int[2];
        WorkQueue<String> observed = WorkQueue.create(options.withObserver(new WorkQueue.Observer() {
            @Override
            public void added() {
                inLine[0]++;
            }

            @Override
            public void taken(Duration waited) {
                inLine[0]--;
            }

            @Override
            public void dropped(int keys, int delayed) {
                inLine[0] -= keys;
                inLine[1] += delayed;
            }
        }));
        Disposable first = work(observed, 2);
        List.of("a", "b", "c").forEach(observed::add);
        finish("a", Result.again(Duration.ZERO));
        assertThat(inLine[0]).as("one taken, one again").isEqualTo(1);
        first.dispose();
        working.clear();
        assertThat(inLine[0]).as("given back").isEqualTo(3).isEqualTo(observed.size());
        work(observed, 1);
        observed.add(begun.get(begun.size() - 1));
        observed.addAfter("later", ofSeconds(1));
        observed.close();
        assertThat(inLine).containsExactly(0, 1);
    }

    /** The work sees both additions, so nothing is in line, and the higher priority counts when it is repeated. */
    @Test
    void anAdditionDuringTheWorkKeepsItsPriority() {
        List<String> received = new ArrayList<>();
        List<Runnable> workers = new ArrayList<>();
        try (WorkQueue<String> busy = WorkQueue.create(
                options.withWorkers(Schedulers.fromExecutor(workers::add)).withObserver(new RecordingObserver(received)))) {
            work(busy, 1);
            busy.add("a");
            busy.add("a", 9);
            assertThat(received).containsExactly("added", "taken after PT0S", "added");
            busy.add("b", 5);
            workers.remove(0).run();
            assertThat(received).endsWith("added", "merged");
            finish("a", Result.again(Duration.ZERO));
            workers.remove(0).run();
            assertThat(begun()).as("before b").containsExactly("a", "a");
            assertThat(received.stream().filter("added"::equals)).as("added: a, a, b, and a again").hasSize(4);
        }
    }

    /** A key waits from when it is due, not from when somebody said that it would be. */
    @Test
    void tellsOfDelayedKeysWhenTheyAreDue() {
        List<String> received = new ArrayList<>();
        WorkQueue<String> observed = WorkQueue.create(options.withObserver(new RecordingObserver(received)));
        time.advanceTimeBy(ofSeconds(100));
        observed.addAfter("a", ofSeconds(5));
        observed.addRateLimited("b");
        assertThat(received).containsExactly("retried after PT0.005S");
        time.advanceTimeBy(ofSeconds(7));
        assertThat(received).containsExactly("retried after PT0.005S", "added", "added");
        work(observed, 2);
        assertThat(received).endsWith("taken after PT6.995S", "taken after PT2S");
        finish("a");
        finish("b");
        received.clear();
        observed.addAfter("a", ofSeconds(5));
        observed.close();
        assertThat(received).containsExactly("dropped 0 and 1");
    }

    @Test
    void tellsNothingOfAQueueThatEndsEmpty() {
        List<String> received = new ArrayList<>();
        WorkQueue<String> observed = WorkQueue.create(options.withObserver(new WorkQueue.Observer() {
            @Override
            public void dropped(int keys, int delayed) {
                received.add(keys + " and " + delayed);
            }
        }));
        observed.close();
        assertThat(received).isEmpty();
        WorkQueue<String> full = WorkQueue.create(options.withObserver(new WorkQueue.Observer() {
            @Override
            public void dropped(int keys, int delayed) {
                received.add(keys + " and " + delayed);
            }
        }));
        full.add("a");
        full.addAfter("b", ofSeconds(1));
        full.close();
        assertThat(received).containsExactly("1 and 1");
    }

    @Test
    void whatIsForgottenBeginsAnew() {
        queue.addRateLimited("a");
        queue.addRateLimited("a");
        assertThat(queue.retries("a")).isEqualTo(2);
        queue.forget("a");
        assertThat(queue.retries("a")).isZero();
    }

    @Test
    void anObserverThatThrowsHarmsNoKey() {
        WorkQueue<String> observed = WorkQueue.create(options.withObserver(new WorkQueue.Observer() {
            @Override
            public void added() {
                throw new IllegalStateException("added");
            }

            @Override
            public void taken(Duration waited) {
                throw new NoClassDefFoundError("taken");
            }

            @Override
            public void merged() {
                throw new IllegalStateException("merged");
            }

            @Override
            public void finished(Duration took) {
                throw new IllegalStateException("finished");
            }

            @Override
            public void retried(Duration delay) {
                throw new IllegalStateException("retried");
            }

            @Override
            public void dropped(int keys, int delayed) {
                throw new AssertionError("dropped");
            }
        }));
        work(observed, 2);
        List.of("a", "b").forEach(observed::add);
        assertThat(begun()).containsExactly("a", "b");
        finish("a", Result.failed(new IllegalStateException("away")));
        finish("b");
        assertThat(outcomes).hasSize(2);
        time.advanceTimeBy(ofMillis(5));
        assertThat(begun()).containsExactly("a");
        observed.addAfter("late", ofMillis(5));
        observed.close();
        finish("a");
        assertThat(observed.delayed() + observed.size() + observed.unfinished().keys()).isZero();
    }

    /** Writes down all its calls. */
    private record RecordingObserver(List<String> received) implements WorkQueue.Observer {
        @Override
        public void added() {
            received.add("added");
        }

        @Override
        public void taken(Duration waited) {
            received.add("taken after " + waited);
        }

        @Override
        public void merged() {
            received.add("merged");
        }

        @Override
        public void finished(Duration took) {
            received.add("finished after " + took);
        }

        @Override
        public void retried(Duration delay) {
            received.add("retried after " + delay);
        }

        @Override
        public void dropped(int keys, int delayed) {
            received.add("dropped " + keys + " and " + delayed);
        }
    }
}
