package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.internal.cluster.Backup;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.ApiRequest;
import io.reactiveinformer.apiserver.internal.server.Breaks;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * What goes wrong with a server, and for which requests. The first fault that claims a request has it; those that were set first come
 * first.
 *
 * <pre>{@code
 * Fault cut = server.faults().onWatch("pods").after(3).events().cut(Cut.RST);
 * server.faults().onList("pods").times(2).tooManyRequests(Duration.ofSeconds(5));
 * cut.happened(Duration.ofSeconds(10)).block();
 * }</pre>
 *
 * <p>The same over sockets and without; delays run in the server's time.
 */
public final class Faults {

    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private final Sinks.Many<Told> occurrences = Sinks.many().replay().limit(256);
    private final Scheduler scheduler;
    private final Host host;
    private final Breaks breaks = new Breaks();
    private final AtomicInteger era = new AtomicInteger();

    /** @param era counts resets: what happened before one is not told to those who come after it */
    private record Told(int era, Fault.Occurrence occurrence) {}

    /** What the server itself can be told to do to its clients. */
    public interface Host {
        void compact();

        void restart();

        void restartKeeping(int events);

        Backup backup();

        void restore(Backup backup);
    }

    /** Made by the server. */
    public Faults(Scheduler scheduler, Host host) {
        this.scheduler = scheduler;
        this.host = host;
    }

    public FaultSetup onWatch(String resource) {
        return on("watch", resource);
    }

    /** For streaming lists alone: watches that ask for what is there first. {@link #onWatch} has them too. */
    public FaultSetup onStreamingList(String resource) {
        return onRequest("streaming list " + resource,
                request -> request.verb().equals("watch") && request.query().flag("sendInitialEvents") && request.isAbout(resource));
    }

    public FaultSetup onList(String resource) {
        return on("list", resource);
    }

    /**
     * For requests of one kind.
     *
     * @param verb get, list, watch, create, update, patch, delete or deletecollection
     * @param resource such as {@code pods}, {@code deployments.apps} or {@code deployments.apps/status}, see {@link ApiRequest#isAbout}
     */
    public FaultSetup on(String verb, String resource) {
        return onRequest(verb + " " + resource, request -> request.verb().equals(verb) && request.isAbout(resource));
    }

    /** For every request, discovery too. */
    public FaultSetup onAny() {
        return onRequest("any request", request -> true);
    }

    /**
     * For the requests that the test chooses.
     *
     * @param name for messages
     */
    public FaultSetup onRequest(String name, Predicate<ApiRequest> which) {
        return new FaultSetup(this, name, which);
    }

    /** Faults of all kinds by chance, the same ones for the same requests in the same order. */
    public RandomFaults random(long seed) {
        return new RandomFaults(this, seed);
    }

    /** Each time any fault happens; the latest 256 of before too, since the server was new or {@link #reset}. Never completes. */
    public Flux<Fault.Occurrence> occurrences() {
        return Flux.defer(() -> {
            int present = era.get();
            return occurrences.asFlux().filter(told -> told.era() >= present).map(Told::occurrence);
        });
    }

    /** Nothing goes wrong any more, except what is under way. */
    public void clear() {
        faults.clear();
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Host host() {
        return host;
    }

    Fault add(Fault fault) {
        faults.add(fault);
        return fault;
    }

    /**
     * As when the server was new: nothing goes wrong, nothing has, and what is under way is broken after {@code change}. Who follows
     * {@link #occurrences} hears of what is to come.
     */
    public void reset(Runnable change) {
        clear();
        breaks.breakAll(() -> {
            era.incrementAndGet();
            change.run();
        });
    }

    /**
     * {@code handler}, let down by these faults.
     *
     * @param told of each that happens
     */
    public RequestHandler around(RequestHandler handler, Consumer<Fault.Occurrence> told) {
        return request -> Mono.defer(() -> handle(handler, request, told));
    }

    private Mono<Answer> handle(RequestHandler handler, ApiRequest request, Consumer<Fault.Occurrence> told) {
        Optional<Fault> claimed = faults.stream().filter(fault -> fault.claims(request)).findFirst();
        faults.removeIf(Fault::isSpent);
        if (claimed.isEmpty()) {
            return handler.handle(request);
        }
        Fault fault = claimed.get();
        Effect effect = fault.effect(request);
        int present = era.get();
        return breaks.around(ignored -> effect.apply(request, handler.handle(request), () -> report(present, fault, fault.occurrence(request, effect), told)))
                .handle(request);
    }

    /** Whoever was waiting for it finds it in the log, and among all occurrences. */
    private void report(int present, Fault fault, Fault.Occurrence occurrence, Consumer<Fault.Occurrence> told) {
        if (present == era.get()) {
            told.accept(occurrence);
        }
        synchronized (occurrences) {
            occurrences.tryEmitNext(new Told(present, occurrence)).orThrow();
        }
        fault.happen(occurrence);
    }
}
