package io.reactiveinformer.controller;

import io.reactiveinformer.controller.Controller.HeldKey;
import io.reactiveinformer.queue.WorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Keys that wait until a cache has caught up with what was written for them. There is a time limit: a write that the cache never gets must
 * not block its key forever.
 */
final class WriteBarriers<K> {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private final WorkQueue<K> queue;
    private final Duration limit;
    private final Scheduler timer;
    private final Mono<?> over;
    private final Runnable changed;
    private final Map<ReconcileRequest<K>, HeldKey<K>> held = new ConcurrentHashMap<>();
    private volatile @Nullable String unseen;

    /**
     * @param over ends every wait
     * @param changed called when {@link #unseen} has changed
     */
    WriteBarriers(WorkQueue<K> queue, Duration limit, Scheduler timer, Mono<?> over, Runnable changed) {
        this.queue = queue;
        this.limit = limit;
        this.timer = timer;
        this.over = over;
        this.changed = changed;
    }

    /** To be called before the queue is notified that the work on the key has ended. */
    void hold(ReconcileRequest<K> request) {
        List<ReconcileRequest.Awaited> awaited = request.awaited();
        if (!awaited.isEmpty()) {
            Instant now = Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS));
            held.put(request, new HeldKey<>(request.key(), awaited.stream().map(ReconcileRequest.Awaited::what).toList(), now));
            queue.hold(request.key());
            try {
                Mono.when(awaited.stream().map(one -> seen(request, one)).toList())
                        .takeUntilOther(over)
                        .doFinally(end -> release(request))
                        .subscribe();
            } catch (Throwable failure) { // not passed on: the key is worked on without the wait
                LOG.warn("{}: the wait for what was written failed, and the key does not wait", request, failure);
                release(request);
            }
        }
    }

    private void release(ReconcileRequest<K> request) {
        if (held.remove(request) != null) {
            queue.release(request.key());
        }
    }

    private Mono<Void> seen(ReconcileRequest<K> request, ReconcileRequest.Awaited one) {
        return Mono.defer(one::seen).then()
                .timeout(limit, Mono.fromRunnable(() -> inVain(request, one)), timer)
                .onErrorResume(failure -> Mono.fromRunnable(() -> LOG.warn("{}: the wait for {} failed, and the key does not wait: {}",
                        request, one.what(), failure.getMessage())));
    }

    private void inVain(ReconcileRequest<K> request, ReconcileRequest.Awaited one) {
        LOG.warn("{}: {} was not seen within {}. The key is worked on without it and may repeat its writes; check that the informer is "
                + "up to date, and that its namespaces and selectors include what is written", request, one.what(), limit);
        unseen = request.key() + ": " + one.what();
        try {
            changed.run();
        } catch (Throwable failure) { // the wait is over in any case
            LOG.warn("{}: the status of the controller could not be published", request, failure);
        }
    }

    /** The last key whose wait reached the limit, and what for; null if there was none. */
    @Nullable String unseen() {
        return unseen;
    }

    /** The waiting keys, the longest waiting first. */
    List<HeldKey<K>> all() {
        return held.values().stream().sorted(Comparator.comparing(HeldKey::since)).toList();
    }
}
