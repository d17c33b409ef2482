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
 * A value that goes stale. While it is fresh, it is emitted at once. Then one load, shared by all subscribers, renews it: until
 * {@code sureUntil} subscribers get the old value without waiting, afterwards they wait for the new one. If the load fails or takes long,
 * the old value is used until {@code goodUntil}.
 */
final class Renewable<T> {

    /** The delay before the next try after a failed renewal; also the minimal time between two loads that are caused by refusals. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    /**
     * How long a subscriber waits for a new value while the old one may be good: reading a file is quick, but all threads for it may be
     * busy.
     */
    static final Duration HELD_UP = Duration.ofSeconds(1);

    /** The time limit of a load; a plugin has a minute. After it, as when no thread was available for the load, another one may start. */
    static final Duration LONGEST = Duration.ofSeconds(90);

    /**
     * @param freshUntil when the value is due for renewal, in the clock's milliseconds
     * @param sureUntil until when the value is used while it is being renewed
     * @param goodUntil until when the value may be used if renewing fails
     */
    record Lease<T>(T value, long freshUntil, long sureUntil, long goodUntil) {

        /** Has no known expiry: used after {@code freshUntil} only if renewing fails or takes long, and then without end. */
        static <T> Lease<T> unsure(T value, long freshUntil) {
            return new Lease<>(value, freshUntil, freshUntil, Long.MAX_VALUE);
        }

        /** Good until it expires, and not longer. */
        static <T> Lease<T> until(T value, long freshUntil, long expiry) {
            return new Lease<>(value, freshUntil, expiry, expiry);
        }

        /** Never due for renewal, but may be another one after it was refused. */
        static <T> Lease<T> untilRefused(T value) {
            return unsure(value, Long.MAX_VALUE - 1);
        }

        static <T> Lease<T> forEver(T value) {
            return new Lease<>(value, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
        }

        private boolean isUnsure() {
            return sureUntil != Long.MAX_VALUE && goodUntil == Long.MAX_VALUE;
        }

        private Lease<T> renewedAt(long time) {
            return new Lease<>(value, Math.min(time, goodUntil), sureUntil, goodUntil);
        }

        private Lease<T> refused() {
            return new Lease<>(value, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);
        }
    }

    /**
     * How long a value without a known expiry is used before it is loaded again, while the last refusal of it is less than
     * {@link #SUSPECT} ago: then it is probably about to be replaced, and that is to be noticed within a second.
     */
    static final Duration LOOK = Duration.ofMillis(500);

    /** Longer than the longest pause of those whose credential is refused. */
    static final Duration SUSPECT = Duration.ofMinutes(5);

    private final Mono<Lease<T>> load;
    private final Scheduler clock;
    private final AtomicReference<@Nullable Lease<T>> held = new AtomicReference<>();
    private final AtomicReference<@Nullable Mono<T>> loading = new AtomicReference<>();
    private volatile long refusableFrom = Long.MIN_VALUE;
    private volatile @Nullable Refusal<T> refusal;

    Renewable(Mono<Lease<T>> load, Scheduler clock) {
        this(load, clock, null);
    }

    /** @param first the initial value; null for none */
    Renewable(Mono<Lease<T>> load, Scheduler clock, @Nullable Lease<T> first) {
        this.load = load;
        this.clock = clock;
        this.held.set(first);
    }

    /** A value that is never renewed. */
    static <T> Renewable<T> of(T value) {
        return new Renewable<>(Mono.just(Lease.forEver(value)), Schedulers.single(), Lease.forEver(value));
    }

    /** Emits the value; at once until {@code sureUntil}. */
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
                renewed().subscribe(renewed -> {}, failure -> {}); // a failure recurs, and is emitted, when the old value has expired
            }
            return Mono.just(lease.value);
        });
    }

    /**
     * Reports that {@code value} was rejected. Nothing happens if it has been renewed since, or if a refusal caused a load less than
     * {@link #PAUSE} ago, so that a value that is always rejected is not loaded for each request.
     */
    void refused(T value) {
        refusedIf(value::equals);
    }

    /** As {@link #refused}, for a caller that knows only a part of the value. */
    void refusedIf(Predicate<? super T> given) {
        Lease<T> lease = held.get();
        if (lease == null || !given.test(lease.value)) {
            return;
        }
        refusal = new Refusal<>(lease.value, now());
        if (now() >= refusableFrom && held.compareAndSet(lease, lease.refused())) {
            refusableFrom = now() + PAUSE.toMillis();
        }
    }

    private record Refusal<T>(T value, long at) {}

    private Lease<T> suspected(Lease<T> loaded) {
        return loaded.isUnsure() && isSuspect(loaded.value) ? Lease.unsure(loaded.value, now() + LOOK.toMillis()) : loaded;
    }

    private boolean isSuspect(T value) {
        Refusal<T> last = refusal;
        return last != null && last.value.equals(value) && now() - last.at < SUSPECT.toMillis();
    }

    /** Postpones the next renewal, so that not every subscriber waits for one. */
    private T putOff(Lease<T> lease) {
        held.compareAndSet(lease, lease.renewedAt(now() + PAUSE.toMillis()));
        return lease.value;
    }

    private Mono<T> renewed() {
        Mono<T> mine = Mono.defer(this::loadUnlessDone)
                .doOnTerminate(() -> loading.set(null))
                .map(Lease::value)
                .cache(); // cancelling one subscription does not stop the load for the others
        Mono<T> others = loading.compareAndExchange(null, mine);
        return others == null ? mine : others;
    }

    /** Another caller may have renewed the value since this one read it. */
    private Mono<Lease<T>> loadUnlessDone() {
        Lease<T> lease = held.get();
        return lease != null && isFresh(lease)
                ? Mono.just(lease)
                : inTime(load).map(this::suspected).doOnNext(held::set).onErrorResume(this::stillGood);
    }

    private Mono<Lease<T>> inTime(Mono<Lease<T>> loaded) {
        return loaded.timeout(LONGEST,
                Mono.error(() -> new ConfigException("credentials or certificates were not loaded within "
                + LONGEST.toSeconds() + " s")), clock);
    }

    private Mono<Lease<T>> stillGood(Throwable failure) {
        // it may be refused meanwhile
        Lease<T> kept = held.updateAndGet(old -> old != null && isGood(old)
                ? old.renewedAt(now() + (old.isUnsure() && isSuspect(old.value) ? LOOK : PAUSE).toMillis()) : old);
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
