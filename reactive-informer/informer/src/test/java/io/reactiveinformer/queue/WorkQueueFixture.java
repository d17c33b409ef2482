package io.reactiveinformer.queue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import reactor.core.Disposable;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

/** A queue in virtual time; what it works on is over when the test says so. */
abstract class WorkQueueFixture {

    final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    final WorkQueueOptions<String> options =
            WorkQueueOptions.<String>defaults().withLimiter(RateLimiter.exponential(ofMillis(5), ofSeconds(1_000)))
                    .withWorkers(time).withTimer(time);
    final WorkQueue<String> queue = WorkQueue.create(options);

    /** Keys whose work has begun, in order; their work is over when the test says so. */
    final List<String> begun = new ArrayList<>();

    final Map<String, Sinks.One<Result>> working = new LinkedHashMap<>();
    final List<WorkQueue.Outcome<String>> outcomes = new ArrayList<>();
    private final List<String> twice = new ArrayList<>(); // not asserted in the work: what that throws is a failure of the key

    @AfterEach
    void end() {
        time.dispose();
        assertThat(twice).as("keys that were worked on twice at a time").isEmpty();
    }

    Disposable work(WorkQueue<String> of, int concurrency) {
        return of.process(concurrency, key -> {
            begun.add(key);
            Sinks.One<Result> result = Sinks.one();
            if (working.put(key, result) != null) {
                twice.add(key);
            }
            return result.asMono();
        }).subscribe(outcomes::add);
    }

    Disposable work(int concurrency) {
        return work(queue, concurrency);
    }

    void finish(String key, Result result) {
        working.remove(key).tryEmitValue(result).orThrow();
    }

    void finish(String key) {
        finish(key, Result.done());
    }

    List<String> begun() {
        List<String> since = List.copyOf(begun);
        begun.clear();
        return since;
    }
}
