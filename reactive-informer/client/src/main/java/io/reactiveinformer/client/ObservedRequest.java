package io.reactiveinformer.client;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/** One request, and the observer that is notified of its start and its end. */
final class ObservedRequest {

    /** The characters of a header's name, by RFC 9110. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /**
     * Headers that an observer may not set, even if the request does not have them: credentials, the resource, and how the request is sent.
     */
    private static final Pattern RESERVED = Pattern.compile(
            "authorization|cookie|host|transfer-encoding|connection|upgrade|content-.*|impersonate-.*|accept.*", Pattern.CASE_INSENSITIVE);

    private final RequestObserver observer;
    private final RequestObserver.Request request;
    private final Scheduler clock;
    private final long began;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong processing = new AtomicLong();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile int status;
    private volatile @Nullable Consumer<RequestObserver.Outcome> outcomes;

    /** @param observer must not throw */
    ObservedRequest(RequestObserver observer, RequestObserver.Request request, Scheduler clock) {
        this.observer = observer;
        this.request = request;
        this.clock = clock;
        this.began = now();
    }

    /** The answer, with a body that counts its bytes as they are read, and the time that the reader takes for them. */
    Transport.Answer answered(Transport.Answer answer) {
        if (observer == RequestObserver.NONE) {
            return answer;
        }
        status = answer.status();
        Flux<ByteBuf> counted = answer.body().doOnNext(chunk -> bytes.addAndGet(chunk.readableBytes()));
        return new Transport.Answer(answer.status(), answer.headers(), counted.transform(
                Operators.<ByteBuf, ByteBuf>lift((source, reader) -> new TimedReader(reader, clock, processing))));
    }

    /** @param exchange receives the request to send: {@code plain}, with the headers that the observer adds */
    <R> Flux<R> observe(HttpRequest plain, Function<HttpRequest, Flux<R>> exchange) {
        if (observer == RequestObserver.NONE) {
            return exchange.apply(plain);
        }
        return Flux.deferContextual(asking -> {
                    Headers[] headers = {plain.headers()};
                    outcomes = observer.observe(request, asking, (name, value) -> headers[0] = with(headers[0], name, value));
                    return exchange.apply(plain.withHeaders(headers[0]));
                })
                .doOnComplete(() -> end(null, false))
                .doOnError(failure -> end(failure, false))
                .doOnCancel(() -> end(null, true));
    }

    private static Headers with(Headers known, String name, String value) {
        return known.first(name).isPresent() || !mayBeSent(name, value) ? known : known.with(name, value);
    }

    private static boolean mayBeSent(String name, String value) {
        return TOKEN.matcher(name).matches()
                && !RESERVED.matcher(name).matches()
                && value.chars().noneMatch(Character::isISOControl);
    }

    /** Notifies the observer of the end, before the subscriber: what the subscriber does then may depend on it. */
    private void end(@Nullable Throwable failure, boolean cancelled) {
        Consumer<RequestObserver.Outcome> observing = outcomes;
        if (observing == null || !ended.compareAndSet(false, true)) {
            return;
        }
        var duration = Duration.ofNanos(Math.max(0, now() - began));
        var outcome = new RequestObserver.Outcome(status, bytes.get(), duration, failure, cancelled, Duration.ofNanos(processing.get()));
        observing.accept(outcome);
    }

    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }

    /**
     * Measures how long the downstream takes for each chunk. No composition of operators can do that: {@code doOnNext} runs before the
     * downstream, and no hook runs right after it.
     */
    private record TimedReader(CoreSubscriber<? super ByteBuf> reader, Scheduler clock, AtomicLong took)
            implements CoreSubscriber<ByteBuf> {

        @Override
        public void onNext(ByteBuf chunk) {
            long began = clock.now(TimeUnit.NANOSECONDS);
            try {
                reader.onNext(chunk);
            } finally {
                took.addAndGet(Math.max(0, clock.now(TimeUnit.NANOSECONDS) - began));
            }
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            reader.onSubscribe(subscription);
        }

        @Override
        public void onError(Throwable failure) {
            reader.onError(failure);
        }

        @Override
        public void onComplete() {
            reader.onComplete();
        }

        @Override
        public Context currentContext() {
            return reader.currentContext();
        }
    }
}
