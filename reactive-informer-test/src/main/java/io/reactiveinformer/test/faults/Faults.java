package io.reactiveinformer.test.faults;

import io.reactiveinformer.test.server.Answer;
import io.reactiveinformer.test.server.ApiRequest;
import io.reactiveinformer.test.server.RequestHandler;
import io.reactiveinformer.transport.HttpRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private final Sinks.Many<Fault.Occurrence> occurrences = Sinks.many().replay().limit(256);
    private final Scheduler scheduler;
    private final Runnable compaction;

    /** Made by the server. */
    public Faults(Scheduler scheduler, Runnable compaction) {
        this.scheduler = scheduler;
        this.compaction = compaction;
    }

    public FaultSetup onWatch(String plural) {
        return on("watch", plural);
    }

    public FaultSetup onList(String plural) {
        return on("list", plural);
    }

    /**
     * For requests of one kind.
     *
     * @param verb get, list, watch, create, update, patch, delete or deletecollection
     * @param plural such as {@code pods} or {@code deployments.apps}
     */
    public FaultSetup on(String verb, String plural) {
        int dot = plural.indexOf('.');
        String resource = dot < 0 ? plural : plural.substring(0, dot);
        String group = dot < 0 ? "" : plural.substring(dot + 1);
        return onRequest(
                verb + " " + plural,
                request -> request.verb().equals(verb) && request.plural().equals(resource) && (dot < 0 || request.group().equals(group)));
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

    /** Each time any fault happens; the latest 256 of before too. Never completes. */
    public Flux<Fault.Occurrence> occurrences() {
        return occurrences.asFlux();
    }

    /** Nothing goes wrong any more, except what is under way. */
    public void clear() {
        faults.clear();
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Runnable compaction() {
        return compaction;
    }

    Fault add(Fault fault) {
        faults.add(fault);
        return fault;
    }

    /** {@code handler}, let down by these faults. */
    public RequestHandler around(RequestHandler handler) {
        return request -> Mono.defer(() -> handle(handler, request));
    }

    private Mono<Answer> handle(RequestHandler handler, HttpRequest http) {
        ApiRequest request = ApiRequest.of(http);
        Optional<Fault> claimed = faults.stream().filter(fault -> fault.claims(request)).findFirst();
        faults.removeIf(Fault::isSpent);
        return claimed.map(fault -> fault.effect().apply(request, handler.handle(http), () -> report(fault, request)))
                .orElseGet(() -> handler.handle(http));
    }

    private void report(Fault fault, ApiRequest request) {
        Fault.Occurrence occurrence = fault.happen(request);
        synchronized (occurrences) {
            occurrences.tryEmitNext(occurrence).orThrow();
        }
    }
}
