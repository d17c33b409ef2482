package io.reactiveinformer.queue;

import io.reactiveinformer.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A queue against a plain model of it, over random schedules in virtual time: the same keys begin, in the same order, at the same moments;
 * depths and the calls of the observer agree; at rest nothing is left. {@code -Dqueue.seeds=N} plays more, {@code -Dqueue.seed=N} from
 * another one. Numbers with a § are of client-go's semantics 8.10, others of the stream scenarios.
 *
 * <p>Planted, and caught within six seeds: a key that is added while it is worked on, forgotten; a key lined up while it is worked on; a
 * held key lined up when its work ends; a key that comes again at once, not reported; a delay in place of an earlier one. Within thirty: a
 * failure that is counted although the pause after the one before was not over.
 */
class WorkQueueLawsTest {

    private static final int SEEDS = 2_000;
    private static final int STEPS = 120;
    private static final int KEYS = 6;
    private static final int CONCURRENCY = 2;

    /** What the queue says it does, in sets and lists. */
    private static final class Model {

        final Set<Integer> line = new LinkedHashSet<>();
        final Set<Integer> running = new HashSet<>();
        final Map<Integer, Integer> held = new HashMap<>();
        final Set<Integer> blocked = new LinkedHashSet<>(); // dirty, and running or held
        final Map<Integer, Long> due = new LinkedHashMap<>(); // in the order in which they were set
        final Map<Integer, Integer> failures = new HashMap<>();
        final Map<Integer, Long> pausedUntil = new HashMap<>();
        final List<Integer> begun = new ArrayList<>();
        long now;

        void add(int key) {
            due.remove(key);
            if (running.contains(key) || held.containsKey(key)) {
                blocked.add(key);
            } else {
                line.add(key);
            }
        }

        void delay(int key, long after) {
            if (after == 0) {
                add(key);
            } else if (!line.contains(key) && !blocked.contains(key) && now + after < due.getOrDefault(key, Long.MAX_VALUE)) {
                due.remove(key);
                due.put(key, now + after);
            }
        }

        void take() {
            while (running.size() < CONCURRENCY && !line.isEmpty()) {
                int key = line.iterator().next();
                line.remove(key);
                running.add(key);
                begun.add(key);
            }
        }

        void finish(int key, Result result) {
            running.remove(key);
            long next = -1;
            if (result instanceof Result.Failed) {
                if (pausedUntil.getOrDefault(key, now) <= now) {
                    pausedUntil.put(key, now + (5L << failures.merge(key, 1, Integer::sum) - 1));
                }
                next = pausedUntil.get(key) - now;
            } else {
                failures.remove(key);
                pausedUntil.remove(key);
                next = result instanceof Result.Again again ? again.delay().toMillis() : -1;
            }
            if (blocked.contains(key)) {
                unblock(key);
            } else if (next >= 0) {
                delay(key, next);
            }
        }

        void unblock(int key) {
            if (blocked.contains(key) && !running.contains(key) && !held.containsKey(key)) {
                blocked.remove(key);
                line.add(key);
            }
        }

        void advance(long millis) {
            long end = now + millis;
            while (true) {
                long next = due.values().stream().mapToLong(when -> when).min().orElse(Long.MAX_VALUE);
                if (next > end) {
                    break;
                }
                now = next;
                due.entrySet().stream().filter(entry -> entry.getValue() == next).map(Map.Entry::getKey).toList().forEach(this::add);
                take();
            }
            now = end;
        }
    }

    /** One schedule. */
    private static final class Schedule {

        private final long seed;
        private final SplittableRandom random;
        private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
        private final int[] depth = new int[1];
        private final WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.<Integer>defaults()
                .withLimiter(RateLimiter.exponential(ofMillis(5), Duration.ofHours(1)))
                .withWorkers(time)
                .withTimer(time)
                .withObserver(new WorkQueue.Observer() {
                    @Override
                    public void added() {
                        depth[0]++;
                    }

                    @Override
                    public void taken(Duration waited) {
                        depth[0]--;
                    }

                    @Override
                    public void dropped(int keys, int delayed) {
                        depth[0] -= keys;
                    }
                }));
        private final Model model = new Model();
        private final List<Integer> begun = new ArrayList<>();
        private final Map<Integer, Sinks.One<Result>> working = new HashMap<>();
        private final List<Integer> twice = new ArrayList<>();
        private final StringBuilder story = new StringBuilder();

        Schedule(long seed) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            queue.process(CONCURRENCY, key -> {
                begun.add(key);
                Sinks.One<Result> result = Sinks.one();
                if (working.put(key, result) != null) {
                    twice.add(key); // thrown here it would be a failure of the key
                }
                return result.asMono();
            }).subscribe();
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                step(random.nextInt(100), random.nextInt(KEYS));
                model.take();
                agree();
            }
            rest();
            time.dispose();
        }

        private void step(int dice, int key) {
            story.append(dice).append('/').append(key).append(' ');
            if (dice < 30) {
                queue.add(key);
                model.add(key);
            } else if (dice < 40) {
                int delay = random.nextInt(30);
                queue.addAfter(key, ofMillis(delay));
                model.delay(key, delay);
            } else if (dice < 45) {
                boolean delayed = model.due.remove(key) != null;
                if (delayed) {
                    model.pausedUntil.remove(key);
                }
                assertThat(queue.cancelDelay(key)).as("seed %s: %s", seed, story).isEqualTo(delayed);
            } else if (dice < 50 && model.running.contains(key)) {
                queue.hold(key);
                model.held.merge(key, 1, Integer::sum);
            } else if (dice < 58) {
                release(key);
            } else if (dice < 85) {
                model.running.stream().skip(random.nextInt(CONCURRENCY)).findFirst()
                        .ifPresent(one -> finish(one, result(random.nextInt(5))));
            } else {
                int millis = random.nextInt(40);
                time.advanceTimeBy(ofMillis(millis));
                model.advance(millis);
            }
        }

        private void release(int key) {
            queue.release(key);
            model.held.computeIfPresent(key, (same, holds) -> holds == 1 ? null : holds - 1);
            model.unblock(key);
        }

        private void finish(int key, Result result) {
            Sinks.One<Result> work = working.remove(key);
            model.finish(key, result);
            work.tryEmitValue(result).orThrow();
        }

        private Result result(int dice) {
            return switch (dice) {
                case 0 -> Result.failed(new IllegalStateException("away"));
                case 1 -> Result.again(ofMillis(random.nextInt(20)));
                case 2 -> Result.givenUp(new IllegalStateException("nonsense"));
                default -> Result.done();
            };
        }

        private void agree() {
            assertThat(twice).as("worked on twice at a time, seed %s: %s", seed, story).isEmpty();
            assertThat(begun).as("seed %s: %s", seed, story).isEqualTo(model.begun);
            assertThat(queue.size()).as("ready, seed %s: %s", seed, story).isEqualTo(model.line.size());
            assertThat(queue.delayed()).as("delayed, seed %s: %s", seed, story).isEqualTo(model.due.size());
            assertThat(queue.unfinished().keys()).as("unfinished, seed %s", seed).isEqualTo(model.running.size());
            assertThat(depth[0]).as("depth as observed, seed %s: %s", seed, story).isEqualTo(model.line.size() + model.blocked.size());
        }

        /** Nothing is added any more, all succeeds: each key that was wanted is worked on, and nothing is left. */
        private void rest() {
            for (int key = 0; key < KEYS; key++) {
                while (model.held.containsKey(key)) {
                    release(key);
                }
            }
            model.take();
            time.advanceTimeBy(Duration.ofHours(2));
            model.advance(Duration.ofHours(2).toMillis());
            while (!model.running.isEmpty()) {
                finish(model.running.iterator().next(), Result.done());
                model.take();
                agree();
            }
            assertThat(queue.size() + queue.delayed() + depth[0]).as("left at rest, seed %s: %s", seed, story).isZero();
        }
    }

    @Test // §168, §170, §172, §178, §180, §184, 108, 110, 112, 117
    @Timeout(value = 30, unit = TimeUnit.MINUTES) // as many seeds as one asks for
    void aQueueDoesWhatItsModelDoes() {
        for (long seed : Rounds.seeds("queue", SEEDS)) {
            new Schedule(seed).run();
        }
    }
}
