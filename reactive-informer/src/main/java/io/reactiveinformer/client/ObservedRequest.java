package io.reactiveinformer.client;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.transport.HttpAnswer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** One request, while its observer waits to be told how it ended. */
final class ObservedRequest {

    private static final Logger LOG = LoggerFactory.getLogger(RequestObserver.class);

    private final RequestObserver observer;
    private final RequestObserver.Request request;
    private final Scheduler clock;
    private final long began;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile int status;

    ObservedRequest(RequestObserver observer, RequestObserver.Request request, Scheduler clock) {
        this.observer = observer;
        this.request = request;
        this.clock = clock;
        this.began = now();
    }

    /** The answer, its bytes counted as they are read. */
    HttpAnswer answered(HttpAnswer answer) {
        status = answer.status();
        Flux<ByteBuf> counted = answer.body().doOnNext(chunk -> bytes.addAndGet(chunk.readableBytes()));
        return new HttpAnswer(answer.status(), answer.headers(), counted);
    }

    <R> Flux<R> observe(Flux<R> exchange) {
        return exchange
                .doFirst(() -> tell(() -> observer.started(request)))
                .doOnComplete(() -> end(null, false))
                .doOnError(failure -> end(failure, false))
                .doOnCancel(() -> end(null, true));
    }

    /** Before those who asked know it; what they do then may go on from here. */
    private void end(@Nullable Throwable failure, boolean cancelled) {
        if (ended.compareAndSet(false, true)) {
            var duration = Duration.ofNanos(Math.max(0, now() - began));
            tell(() -> observer.ended(request, new RequestObserver.Outcome(status, bytes.get(), duration, failure, cancelled)));
        }
    }

    private static void tell(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException broken) {
            LOG.warn("an observer of requests failed; the request goes on", broken);
        }
    }

    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }
}
