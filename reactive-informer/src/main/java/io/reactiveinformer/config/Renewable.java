package io.reactiveinformer.config;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A value that goes stale. It is handed out while it is fresh; then it is loaded again, once for all who ask meanwhile. When that fails, the
 * old one serves for as long as it is good.
 */
final class Renewable<T> {

    /** How long a value is kept that could not be renewed, before the next try. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /**
     * @param freshUntil when it is to be renewed, in the clock's milliseconds
     * @param goodUntil until when it may be used if renewing fails
     */
    record Lease<T>(T value, long freshUntil, long goodUntil) {

        static <T> Lease<T> forEver(T value) {
            return new Lease<>(value, Long.MAX_VALUE, Long.MAX_VALUE);
        }
    }

    private final Mono<Lease<T>> load;
    private final Scheduler clock;
    private final AtomicReference<@Nullable Lease<T>> held = new AtomicReference<>();
    private final AtomicReference<@Nullable Mono<T>> loading = new AtomicReference<>();

    Renewable(Mono<Lease<T>> load, Scheduler clock) {
        this(load, clock, null);
    }

    /** @param first what is there already; null for nothing */
    Renewable(Mono<Lease<T>> load, Scheduler clock, @Nullable Lease<T> first) {
        this.load = load;
        this.clock = clock;
        this.held.set(first);
    }

    /** Never stale. */
    static <T> Renewable<T> of(T value) {
        return new Renewable<>(Mono.just(Lease.forEver(value)), Schedulers.immediate());
    }

    /** The value, at once while it is fresh. */
    Mono<T> get() {
        return Mono.defer(() -> {
            Lease<T> lease = held.get();
            return lease != null && isFresh(lease) ? Mono.just(lease.value) : renewed();
        });
    }

    /** Whoever was given {@code value} could not use it. Nothing happens if it has been renewed since. */
    void refused(T value) {
        refusedIf(value::equals);
    }

    /** As {@link #refused}, for who knows only a part of the value. */
    void refusedIf(Predicate<? super T> given) {
        Lease<T> lease = held.get();
        if (lease != null && given.test(lease.value)) {
            held.compareAndSet(lease, new Lease<>(lease.value, Long.MIN_VALUE, Long.MIN_VALUE));
        }
    }

    private Mono<T> renewed() {
        Mono<T> mine = Mono.defer(this::loadUnlessDone)
                .doOnNext(held::set)
                .doOnTerminate(() -> loading.set(null))
                .map(Lease::value)
                .cache(); // a caller who goes away does not stop it for the others
        Mono<T> others = loading.compareAndExchange(null, mine);
        return others == null ? mine : others;
    }

    /** Another caller may have renewed it after this one had looked. */
    private Mono<Lease<T>> loadUnlessDone() {
        Lease<T> lease = held.get();
        return lease != null && isFresh(lease) ? Mono.just(lease) : load.onErrorResume(this::stillGood);
    }

    private Mono<Lease<T>> stillGood(Throwable failure) {
        Lease<T> old = held.get();
        return old == null || now() >= old.goodUntil
                ? Mono.error(failure)
                : Mono.just(new Lease<>(old.value, now() + PAUSE.toMillis(), old.goodUntil));
    }

    private boolean isFresh(Lease<T> lease) {
        return now() < lease.freshUntil;
    }

    private long now() {
        return clock.now(TimeUnit.MILLISECONDS);
    }
}
