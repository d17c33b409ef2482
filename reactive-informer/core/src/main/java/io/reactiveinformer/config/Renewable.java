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
 * A value that goes stale. It is handed out while it is fresh; then it is loaded again, once for all who ask meanwhile: while it is sure to be
 * good they are given the old one and nobody waits, afterwards they wait for the new one. When loading fails or takes long, the old one serves for
 * as long as it may be good.
 */
final class Renewable<T> {

    /** How long a value is kept that could not be renewed, before the next try; and as long at least lies between two loads for its being refused. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /** So long one waits for a new value while the old one may be good: reading a file takes no time, but the threads for it may all be taken. */
    static final Duration HELD_UP = Duration.ofSeconds(1);

    /** No load takes longer: a plugin has a minute. One that has not ended then, as where no thread could be had for it, is another one's turn. */
    static final Duration LONGEST = Duration.ofSeconds(90);

    /**
     * @param freshUntil when it is to be renewed, in the clock's milliseconds
     * @param sureUntil until when it serves while it is being renewed
     * @param goodUntil until when it may be used if renewing fails
     */
    record Lease<T>(T value, long freshUntil, long sureUntil, long goodUntil) {

        /** May be good for ever, but who knows. */
        static <T> Lease<T> unsure(T value, long freshUntil) {
            return new Lease<>(value, freshUntil, freshUntil, Long.MAX_VALUE);
        }

        /** Good until it expires, and not longer. */
        static <T> Lease<T> until(T value, long freshUntil, long expiry) {
            return new Lease<>(value, freshUntil, expiry, expiry);
        }

        static <T> Lease<T> forEver(T value) {
            return new Lease<>(value, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
        }

        private Lease<T> renewedAt(long time) {
            return new Lease<>(value, Math.min(time, goodUntil), sureUntil, goodUntil);
        }

        private Lease<T> refused() {
            return new Lease<>(value, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);
        }
    }

    private final Mono<Lease<T>> load;
    private final Scheduler clock;
    private final AtomicReference<@Nullable Lease<T>> held = new AtomicReference<>();
    private final AtomicReference<@Nullable Mono<T>> loading = new AtomicReference<>();
    private volatile long refusableFrom = Long.MIN_VALUE;

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
        return new Renewable<>(Mono.just(Lease.forEver(value)), Schedulers.single(), Lease.forEver(value));
    }

    /** The value, at once while it is sure to be good. */
    Mono<T> get() {
        return Mono.defer(() -> {
            Lease<T> lease = held.get();
            if (lease != null && isFresh(lease)) {
                return Mono.just(lease.value);
            }
            if (lease == null || !isGood(lease)) {
                return renewed();
            }
            if (now() >= lease.sureUntil) {
                return renewed().timeout(HELD_UP, Mono.fromSupplier(() -> putOff(lease)).publishOn(Schedulers.parallel()), clock);
            }
            if (loading.get() == null) {
                renewed().subscribe(renewed -> {}, failure -> {}); // which comes again, and is told, to whoever asks when this one has expired
            }
            return Mono.just(lease.value);
        });
    }

    /**
     * Whoever was given {@code value} could not use it. Nothing happens if it has been renewed since; or if that was tried a moment ago for
     * the same reason, so that one whom nobody accepts is not loaded anew for each request.
     */
    void refused(T value) {
        refusedIf(value::equals);
    }

    /** As {@link #refused}, for who knows only a part of the value. */
    void refusedIf(Predicate<? super T> given) {
        Lease<T> lease = held.get();
        if (lease != null && given.test(lease.value) && now() >= refusableFrom && held.compareAndSet(lease, lease.refused())) {
            refusableFrom = now() + PAUSE.toMillis();
        }
    }

    /** The others need not wait, too. */
    private T putOff(Lease<T> lease) {
        held.compareAndSet(lease, lease.renewedAt(now() + PAUSE.toMillis()));
        return lease.value;
    }

    private Mono<T> renewed() {
        Mono<T> mine = Mono.defer(this::loadUnlessDone)
                .doOnTerminate(() -> loading.set(null))
                .map(Lease::value)
                .cache(); // a caller who goes away does not stop it for the others
        Mono<T> others = loading.compareAndExchange(null, mine);
        return others == null ? mine : others;
    }

    /** Another caller may have renewed it after this one had looked. */
    private Mono<Lease<T>> loadUnlessDone() {
        Lease<T> lease = held.get();
        return lease != null && isFresh(lease) ? Mono.just(lease) : inTime(load).doOnNext(held::set).onErrorResume(this::stillGood);
    }

    private Mono<Lease<T>> inTime(Mono<Lease<T>> loaded) {
        return loaded.timeout(LONGEST, Mono.error(() -> new ConfigException("what is needed to connect was not read or made within " + LONGEST.toSeconds() + " s")), clock);
    }

    private Mono<Lease<T>> stillGood(Throwable failure) {
        Lease<T> kept = held.updateAndGet(old -> old != null && isGood(old) ? old.renewedAt(now() + PAUSE.toMillis()) : old); // it may be refused meanwhile
        return kept != null && isGood(kept) ? Mono.just(kept) : Mono.error(failure);
    }

    private boolean isGood(Lease<T> lease) {
        return now() < lease.goodUntil;
    }

    private boolean isFresh(Lease<T> lease) {
        return now() < lease.freshUntil;
    }

    private long now() {
        return clock.now(TimeUnit.MILLISECONDS);
    }
}
