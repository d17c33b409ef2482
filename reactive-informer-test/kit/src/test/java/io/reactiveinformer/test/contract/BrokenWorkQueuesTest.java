package io.reactiveinformer.test.contract;

import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.queue.WorkQueueOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The contract finds what is wrong with three queues that look right at first. */
class BrokenWorkQueuesTest {

    /** Ours, to be broken in one place. */
    private static class Ours implements WorkQueue<String> {
        final WorkQueue<String> queue;

        Ours(WorkQueueOptions<String> options) {
            this.queue = WorkQueue.create(options);
        }

        @Override
        public void add(String key, int priority) {
            queue.add(key, priority);
        }

        @Override
        public void addAfter(String key, Duration delay) {
            queue.addAfter(key, delay);
        }

        @Override
        public void addRateLimited(String key) {
            queue.addRateLimited(key);
        }

        @Override
        public void hold(String key) {
            queue.hold(key);
        }

        @Override
        public void release(String key) {
            queue.release(key);
        }

        @Override
        public boolean cancelDelay(String key) {
            return queue.cancelDelay(key);
        }

        @Override
        public void forget(String key) {
            queue.forget(key);
        }

        @Override
        public int retries(String key) {
            return queue.retries(key);
        }

        @Override
        public int size() {
            return queue.size();
        }

        @Override
        public int delayed() {
            return queue.delayed();
        }

        @Override
        public Unfinished unfinished() {
            return queue.unfinished();
        }

        @Override
        public Flux<WorkQueue.Outcome<String>> process(int concurrency, Function<? super String, Mono<Result>> work) {
            return queue.process(concurrency, work);
        }

        @Override
        public void shutDown() {
            queue.shutDown();
        }

        @Override
        public Mono<Void> drain() {
            return queue.drain();
        }

        @Override
        public void close() {
            queue.close();
        }
    }

    static class LosesAnAdditionDuringTheWork extends WorkQueueContract {
        @Override
        protected WorkQueue<String> create(WorkQueueOptions<String> options) {
            return new Ours(options) {
                private final Set<String> running = ConcurrentHashMap.newKeySet();

                @Override
                public void add(String key, int priority) {
                    if (!running.contains(key)) {
                        super.add(key, priority);
                    }
                }

                @Override
                public Flux<WorkQueue.Outcome<String>> process(int concurrency, Function<? super String, Mono<Result>> work) {
                    return super.process(concurrency, key -> {
                        running.add(key);
                        return work.apply(key).doFinally(end -> running.remove(key));
                    });
                }
            };
        }
    }

    /** Each subscription has a line of its own. */
    static class WorksTwiceAtATime extends WorkQueueContract {
        @Override
        protected WorkQueue<String> create(WorkQueueOptions<String> options) {
            return new Ours(options) {
                private final WorkQueue<String> second = WorkQueue.create(options);

                @Override
                public void add(String key, int priority) {
                    super.add(key, priority);
                    second.add(key, priority);
                }

                @Override
                public int size() {
                    return Math.max(super.size(), second.size());
                }

                @Override
                public Flux<WorkQueue.Outcome<String>> process(int concurrency, Function<? super String, Mono<Result>> work) {
                    return Flux.merge(super.process(concurrency, work), second.process(concurrency, work));
                }

                @Override
                public void shutDown() {
                    super.shutDown();
                    second.shutDown();
                }
            };
        }
    }

    /** An addition of one key drops the delays of the others. */
    static class ForgetsDelayedKeys extends WorkQueueContract {
        @Override
        protected WorkQueue<String> create(WorkQueueOptions<String> options) {
            return new Ours(options) {
                private String delayed = "";

                @Override
                public synchronized void addAfter(String key, Duration delay) {
                    if (!delayed.equals(key)) {
                        super.cancelDelay(delayed);
                    }
                    delayed = key;
                    super.addAfter(key, delay);
                }
            };
        }
    }

    private static LauncherDiscoveryRequest request(Class<?> contract) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(contract))
                .filters(EngineFilter.includeEngines("junit-jupiter"))
                .build();
    }

    private static List<String> failures(Class<?> contract) {
        var listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request(contract), listener);
        return listener.getSummary().getFailures().stream().map(failure -> failure.getTestIdentifier().getDisplayName()).toList();
    }

    @Test
    void findsThatAnAdditionIsLost() {
        assertThat(failures(LosesAnAdditionDuringTheWork.class)).contains("worksOnceMoreOnWhatWasAddedMeanwhileButNotAtTheSameTime()");
    }

    @Test
    void findsThatAKeyIsWorkedOnTwiceAtATime() {
        assertThat(failures(WorksTwiceAtATime.class))
                .contains("worksOnceMoreOnWhatWasAddedMeanwhileButNotAtTheSameTime()",
                        "sharesKeysAmongSubscriptionsWithoutGivingOneToTwo()");
    }

    @Test
    void findsThatDelaysAreForgotten() {
        assertThat(failures(ForgetsDelayedKeys.class)).containsExactly("servesADelayedKeyWhenItsTimeHasCome()");
    }
}
