package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.ApiRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A fault that is set on a server. It happens to matching requests, and a test can wait until it has. Any thread may use it. */
public final class Fault {

    private final String name;
    private final Predicate<ApiRequest> matches;
    private final Function<ApiRequest, Effect> effects;
    private final AtomicInteger toSkip;
    private final AtomicInteger left;
    private final AtomicInteger matching = new AtomicInteger();
    private volatile boolean claimed;
    private final Sinks.Many<Occurrence> occurrences = Sinks.many().replay().limit(64);

    Fault(String name, Predicate<ApiRequest> matches, Function<ApiRequest, Effect> effects, int skip, int times) {
        this.name = name;
        this.matches = matches;
        this.effects = effects;
        this.toSkip = new AtomicInteger(skip);
        this.left = new AtomicInteger(times);
    }

    /**
     * One occurrence of a fault.
     *
     * @param fault what happened
     * @param request the request that it happened to, such as {@code watch pods in prod}
     */
    public record Occurrence(String fault, String request) {}

    /**
     * The first occurrence, or the earliest of the latest 64, once the fault has happened; also if it did before. Fails with an
     * {@link AssertionError} after {@code patience} of real time.
     */
    public Mono<Occurrence> happened(Duration patience) {
        return occurrences.asFlux().next()
                .timeout(patience, Mono.error(() -> new AssertionError(this + " did not happen within " + patience)));
    }

    /** Emits the latest 64 occurrences so far, and then each new one. Never completes. */
    public Flux<Occurrence> occurrences() {
        return occurrences.asFlux();
    }

    /** Ends the fault: it happens to no later request. Exchanges that it already affects stay affected. */
    public void disarm() {
        left.set(0);
    }

    /**
     * Whether it happens to this request: the request matches, enough matching ones have been skipped, and not too many affected. Counts
     * the request.
     */
    boolean claims(ApiRequest request) {
        if (left.get() == 0 || !matches.test(request)) {
            return false;
        }
        matching.incrementAndGet();
        boolean claims = toSkip.getAndUpdate(skip -> Math.max(0, skip - 1)) == 0
                && left.getAndUpdate(times -> Math.max(0, times - 1)) > 0;
        claimed |= claims;
        return claims;
    }

    /** Why it did not happen, if it did not. */
    String whyNot() {
        int came = matching.get();
        return came == 0 ? "no such request came" : came + (came == 1 ? " such request came" : " such requests came")
                + (claimed ? ", but the answer did not get so far" : ", all of them before those that it was for");
    }

    boolean isSpent() {
        return left.get() == 0;
    }

    Effect effect(ApiRequest request) {
        return effects.apply(request);
    }

    Occurrence occurrence(ApiRequest request, Effect effect) {
        return new Occurrence(name.endsWith(effect.name()) ? name : name + ": " + effect.name(), request.toString());
    }

    /** Emits the occurrence to all that wait for it. */
    void happen(Occurrence occurrence) {
        synchronized (occurrences) {
            occurrences.tryEmitNext(occurrence).orThrow();
        }
    }

    @Override
    public String toString() {
        return "fault \"" + name + "\"";
    }
}
