package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.internal.server.ApiRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A fault that waits for its request, happens, and can be waited for. */
public final class Fault {

    private final String name;
    private final Predicate<ApiRequest> matches;
    private final Function<ApiRequest, Effect> effects;
    private final AtomicInteger toSkip;
    private final AtomicInteger left;
    private final Sinks.Many<Occurrence> occurrences = Sinks.many().replay().limit(64);

    Fault(String name, Predicate<ApiRequest> matches, Function<ApiRequest, Effect> effects, int skip, int times) {
        this.name = name;
        this.matches = matches;
        this.effects = effects;
        this.toSkip = new AtomicInteger(skip);
        this.left = new AtomicInteger(times);
    }

    /** One time at which a fault happened: what, and to which request, such as {@code watch pods in prod}. */
    public record Occurrence(String fault, String request) {}

    /** Completes once the fault has happened for the first time, also if it did before. Fails after {@code patience} of real time. */
    public Mono<Occurrence> happened(Duration patience) {
        return occurrences.asFlux().next().timeout(patience, Mono.error(() -> new AssertionError(this + " did not happen within " + patience)));
    }

    /** Each time it happens; the latest 64 of before too. Never completes. */
    public Flux<Occurrence> occurrences() {
        return occurrences.asFlux();
    }

    /** It happens no more. */
    public void disarm() {
        left.set(0);
    }

    /** Takes a request for itself, if it is its kind and it is its time. */
    boolean claims(ApiRequest request) {
        return left.get() > 0
                && matches.test(request)
                && toSkip.getAndUpdate(skip -> Math.max(0, skip - 1)) == 0
                && left.getAndUpdate(times -> Math.max(0, times - 1)) > 0;
    }

    boolean isSpent() {
        return left.get() == 0;
    }

    Effect effect(ApiRequest request) {
        return effects.apply(request);
    }

    Occurrence occurrence(ApiRequest request, Effect effect) {
        return new Occurrence(effect.name().isEmpty() ? name : name + ": " + effect.name(), request.toString());
    }

    /** Wakes those who wait for it. */
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
