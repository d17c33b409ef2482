package io.reactiveinformer.test.faults;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.Breaks;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * The faults of a server, and the requests that they happen to. At most one fault happens to a request: the first that was set of those
 * that match.
 *
 * <pre>{@code
 * Fault cut = server.faults().onWatch("pods").after(3).events().cut(Cut.RST);
 * server.faults().onList("pods").times(2).tooManyRequests(Duration.ofSeconds(5));
 * cut.happened(Duration.ofSeconds(10)).block();
 * }</pre>
 *
 * <p>Faults are the same with sockets and without. Delays run in the server's time. Any thread may use this.
 */
public final class Faults {

    private final List<Fault> faults = new CopyOnWriteArrayList<>();
    private final List<Fault> expected = new CopyOnWriteArrayList<>(); // those that must happen and did not yet
    private final Sinks.Many<Dated> occurrences = Sinks.many().replay().limit(256);
    private final Scheduler scheduler;
    private final Host host;
    private final Consumer<String> resources;
    private final Breaks breaks = new Breaks();
    private final AtomicInteger era = new AtomicInteger();

    /** @param era counts resets: occurrences before a reset are not emitted to subscribers that come after it */
    private record Dated(int era, Fault.Occurrence occurrence) {}

    /** Disruptions of the server itself, on command. */
    public interface Host {
        /** Forgets the history up to now; open watches go on. */
        void compact();

        /** Resets all connections and forgets all history; the store stays. */
        void restart();

        /** Resets all connections and keeps the latest {@code events} of each type's history; the store stays. */
        void restartKeeping(int events);

        /** A copy of the current state of the store. */
        Backup backup();

        /** Whether it can do these: a real cluster has a history of its own. */
        default boolean ownsStore() {
            return true;
        }

        /** Throws what skips the test if it cannot do these. */
        default void requireStore(String what) {}

        /** Replaces the store with a backup, and resets all connections. The resourceVersion may decrease. */
        void restore(Backup backup);
    }

    /**
     * Called by the server that these faults belong to.
     *
     * @param resources throws an {@link IllegalArgumentException} if the server has no resource of this name
     */
    public Faults(Scheduler scheduler, Host host, Consumer<String> resources) {
        this.scheduler = scheduler;
        this.host = host;
        this.resources = resources;
    }

    /** A fault of watches of {@code resource}, streaming lists too; see {@link #on} for its form. */
    public FaultSetup onWatch(String resource) {
        return on("watch", resource);
    }

    /** A fault of streaming lists only: watches that request initial events. {@link #onWatch} includes them too. */
    public FaultSetup onStreamingList(String resource) {
        resources.accept(resource);
        return onRequest("streaming list " + resource, request -> request.isStreamingList() && request.isAbout(resource));
    }

    /** A fault of lists of {@code resource}, each page of them, but not of streaming lists; see {@link #on} for its form. */
    public FaultSetup onList(String resource) {
        return on("list", resource);
    }

    /**
     * A fault of requests of one kind.
     *
     * @param verb get, list, watch, create, update, patch, delete or deletecollection
     * @param resource such as {@code pods}, {@code deployments.apps} or {@code deployments.apps/status}, see {@link ApiRequest#isAbout}
     * @throws IllegalArgumentException if there is no such verb, or if the server has no such resource now
     */
    public FaultSetup on(String verb, String resource) {
        Verb wanted = Verb.of(verb);
        resources.accept(resource);
        return onRequest(verb + " " + resource, request -> request.verb() == wanted && request.isAbout(resource));
    }

    /** A fault of every request, discovery too. */
    public FaultSetup onAny() {
        return onRequest("any request", request -> true);
    }

    /**
     * A fault of the requests that {@code which} accepts.
     *
     * @param name names these requests in messages
     */
    public FaultSetup onRequest(String name, Predicate<ApiRequest> which) {
        return new FaultSetup(this, name, which);
    }

    /**
     * The store of the server does not answer, until {@link Fault#disarm}: writes are refused after 34 s, reads that must be current end
     * after a minute without an answer, streaming lists end with an error at their timeout, and {@code /livez} fails. What is asked of the
     * watch cache is answered: lists and watches with a version, be it 0; open watches go on.
     */
    public Fault storeDown() {
        return onRequest("any request for the store", StoreOutage::isAffected).always().storeDown();
    }

    /** Random faults of all kinds. The same seed gives the same faults for the same requests in the same order. */
    public RandomFaults random(long seed) {
        return new RandomFaults(this, seed);
    }

    /**
     * Emits the occurrences of all faults: at most the latest 256 since the server's start or its last {@link #reset}, then each new one.
     * Never completes.
     */
    public Flux<Fault.Occurrence> occurrences() {
        return Flux.defer(() -> {
            int present = era.get();
            return occurrences.asFlux().filter(each -> each.era() >= present).map(Dated::occurrence);
        });
    }

    /**
     * Verifies that each fault that was set since the start or the last {@link #reset} happened at least once, also if it was removed or
     * disarmed since. Random faults, and those that are {@link FaultSetup#optional}, need not happen. The JUnit extension calls this after
     * each test that has not failed.
     *
     * @throws AssertionError that names the faults that did not happen
     */
    public void verifyHappened() {
        if (!expected.isEmpty()) {
            throw new AssertionError(expected.stream().map(fault -> fault + " never happened: " + fault.whyNot())
                    .collect(Collectors.joining("\n", "", "\nA fault that need not happen is set with optional(): "
                            + "server.faults().onList(\"pods\").optional().refuse()")));
        }
    }

    /** Removes all faults. Exchanges that a fault already affects stay affected. */
    public void clear() {
        faults.clear();
    }

    Scheduler scheduler() {
        return scheduler;
    }

    Host host() {
        return host;
    }

    /** The host, for a fault that is this disruption. */
    Host host(String disruption) {
        host.requireStore(disruption);
        return host;
    }

    void requireResource(String resource) {
        resources.accept(resource);
    }

    Fault add(Fault fault, boolean optional) {
        if (!optional) {
            expected.add(fault);
        }
        faults.add(fault);
        return fault;
    }

    /**
     * Removes all faults, forgets their occurrences, runs {@code change}, and then breaks the exchanges that a fault affects. Subscribers
     * of {@link #occurrences} stay subscribed and receive later occurrences.
     */
    public void reset(Runnable change) {
        clear();
        expected.clear();
        breaks.breakAll(() -> {
            era.incrementAndGet();
            change.run();
        });
    }

    /**
     * A handler that passes requests to {@code handler}, with these faults.
     *
     * @param listener is called with each occurrence, on the thread on which it happens
     */
    public RequestHandler around(RequestHandler handler, Consumer<Fault.Occurrence> listener) {
        return request -> Mono.defer(() -> handle(handler, request, listener));
    }

    private Mono<Answer> handle(RequestHandler handler, ApiRequest request, Consumer<Fault.Occurrence> listener) {
        Optional<Fault> claimed = faults.stream().filter(fault -> fault.claims(request)).findFirst();
        faults.removeIf(Fault::isSpent);
        if (claimed.isEmpty()) {
            return handler.handle(request);
        }
        Fault fault = claimed.get();
        Effect effect = fault.effect(request);
        int present = era.get();
        return breaks.around(ignored -> effect.apply(request, handler.handle(request),
                () -> report(present, fault, fault.occurrence(request, effect), listener)))
                .handle(request);
    }

    /** Notifies the fault last: a test that waited for it finds it in the log and among all occurrences. */
    private void report(int present, Fault fault, Fault.Occurrence occurrence, Consumer<Fault.Occurrence> listener) {
        if (present == era.get()) {
            listener.accept(occurrence);
        }
        synchronized (occurrences) {
            occurrences.tryEmitNext(new Dated(present, occurrence)).orThrow();
        }
        expected.remove(fault);
        fault.happen(occurrence);
    }
}
