package io.reactiveinformer.leader;

import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * One machine's way to the server. Requests arrive late, also after their sender has given up; answers are lost; all is cut off for a
 * while, with an error or in silence; or it fades away.
 */
public final class UnreliableNetwork implements Transport {

    private final Transport server;
    private final VirtualTimeScheduler truth;
    private final DriftingClock machine;
    private final Random random;
    private double trouble;
    private boolean cut;
    private int slow;
    private boolean fading;

    public UnreliableNetwork(Transport server, VirtualTimeScheduler truth, DriftingClock machine, Random random) {
        this.server = server;
        this.truth = truth;
        this.machine = machine;
        this.random = random;
    }

    /** @param share of the requests that meet with something, between 0 and 1 */
    public void trouble(double share) {
        trouble = share;
    }

    public void cut(boolean now) {
        cut = now;
        fading = false;
    }

    /** So many requests arrive late, or are answered late, but in time to count. */
    public void slow(int requests) {
        slow = requests;
        fading = false;
    }

    /** The same, and then it is cut. */
    public void fade(int requests) {
        slow = requests;
        fading = true;
    }

    public boolean isCut() {
        return cut;
    }

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return Flux.defer(() -> {
            if (slow > 0) {
                slow--;
                Duration late = Duration.ofMillis(random.nextInt(5_000));
                boolean there = random.nextInt(3) == 0;
                return detached(request, reader, there ? late : Duration.ZERO, there ? Duration.ZERO : late);
            }
            cut |= fading;
            if (cut) {
                return random.nextBoolean() ? Flux.never() : refused(request);
            }
            Duration there = Duration.ofMillis(random.nextInt(20));
            Duration back = Duration.ofMillis(random.nextInt(20));
            if (random.nextDouble() >= trouble) {
                return detached(request, reader, there, back);
            }
            return switch (random.nextInt(6)) {
                case 0 -> refused(request);
                case 1 -> Flux.never();
                case 2 -> detached(request, reader, there, Duration.ofHours(10)); // carried out, but nobody receives the answer
                case 3 -> detached(request, reader, there, Duration.ofMillis(random.nextInt(12_000)));
                case 4 -> detached(request, reader, Duration.ofMillis(random.nextInt(30_000)), back);
                default -> detached(request, reader, Duration.ofMillis(random.nextInt(8_000)), Duration.ofMillis(random.nextInt(8_000)));
            };
        });
    }

    private static <R> Flux<R> refused(HttpRequest request) {
        return Flux.error(new TransportException(request + ": connection refused, by chance", null));
    }

    /** What was sent is on its way, whether or not somebody still waits for the answer. */
    private <R> Flux<R> detached(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader,
            Duration there, Duration back) {
        Sinks.One<List<R>> answer = Sinks.one();
        truth.schedule(() -> server.<R>exchange(request, reader).collectList().subscribe(
                items -> arrive(() -> answer.tryEmitValue(items), back),
                failure -> arrive(() -> answer.tryEmitError(failure), back)), there.toMillis(), TimeUnit.MILLISECONDS);
        return answer.asMono().flatMapIterable(items -> items);
    }

    private void arrive(Runnable arrival, Duration after) {
        truth.schedule(() -> machine.run(arrival), after.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public Mono<Void> dispose() {
        return Mono.empty();
    }
}
