package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The requests of the code under test, in the order in which the server received them; client-go's fake clientset calls them actions. The
 * latest {@value #KEPT} are kept. Any thread may use it.
 *
 * <pre>{@code
 * server.requests().clear();
 * reconcile();
 * server.requests().verifyWrites("create replicasets.apps in default", "update deployments.apps/status web in default");
 * }</pre>
 */
public final class RecordedRequests {

    static final int KEPT = 10_000;

    /** The resources of Events, in both of their groups. */
    private static final Set<String> EVENTS = Set.of("events", "events.events.k8s.io");

    private final Sinks.Many<ApiRequest> arriving = Sinks.many().multicast().directBestEffort();
    private final NeededRights rights = new NeededRights();
    private List<ApiRequest> requests = new ArrayList<>();

    RecordedRequests() {}

    /** All kept requests, oldest first. */
    public synchronized List<ApiRequest> all() {
        return List.copyOf(requests);
    }

    /** The kept requests that change something, oldest first: create, update, patch, delete and deletecollection of resources. */
    public List<ApiRequest> writes() {
        return all().stream().filter(request -> request.isResource() && request.verb().isWrite()).toList();
    }

    /**
     * The rights that all requests to this server needed, also forgotten ones, as YAML for {@code kubectl apply}: a ClusterRole for
     * requests in all namespaces, for objects outside of namespaces, and for all that is done with a resource that is listed in all
     * namespaces; then a Role for each namespace with what the ClusterRole does not allow. Events, which are written in the namespace of
     * the object that they are about, are allowed wherever objects are listed. What is listed and applied may be read singly, too, as
     * an operator's {@code Applier} does after a restart. Requests that were refused count, too, and so do
     * those of the test's own clients. What the test did not make the code do is not in it. Where the cluster checks owner references,
     * {@code update} on {@code finalizers} of the owners is needed besides.
     *
     * @param name of the roles
     */
    public synchronized String roles(String name) {
        return rights.yaml(name);
    }

    /** Forgets all requests so far. */
    public synchronized void clear() {
        requests = new ArrayList<>();
    }

    /**
     * The first request that matches {@code wanted}, kept or to come. Fails with an {@link AssertionError} after {@code patience} of real
     * time; the message lists the kept requests.
     */
    public Mono<ApiRequest> await(Predicate<ApiRequest> wanted, Duration patience) {
        return arriving.asFlux().onBackpressureBuffer().mergeWith(Flux.defer(() -> Flux.fromIterable(all())))
                .filter(wanted)
                .next()
                .timeout(patience,
                        Mono.error(() -> new AssertionError("no such request within " + patience + "; there were:\n" + lines(all()))));
    }

    /**
     * Verifies that the kept {@link #writes} are exactly these, in this order. Each is given as {@link ApiRequest#toString} writes it.
     * Requests that write Events are left out: an Event reports work and is no part of it, and a recorder writes it some time later.
     *
     * @throws AssertionError at the first difference; the message names its place and lists the actual requests
     */
    public void verifyWrites(String... expected) {
        verify(List.of(expected), writes().stream().filter(request -> !EVENTS.contains(request.resource())).toList());
    }

    /**
     * Verifies that all kept requests are exactly these, in this order. Each is given as {@link ApiRequest#toString} writes it.
     *
     * @throws AssertionError at the first difference; the message names its place and lists the actual requests
     */
    public void verify(String... expected) {
        verify(List.of(expected), all());
    }

    private static void verify(List<String> expected, List<ApiRequest> actual) {
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            String wanted = i < expected.size() ? expected.get(i) : "nothing more";
            String was = i < actual.size() ? actual.get(i).toString() : "nothing";
            if (!wanted.equals(was)) {
                throw new AssertionError("request " + (i + 1) + ": expected: " + wanted + "; was: "
                        + was + "\nall requests:\n" + lines(actual));
            }
        }
    }

    private static String lines(List<ApiRequest> requests) {
        var lines = new StringBuilder();
        requests.forEach(request -> lines.append("  ").append(request).append('\n'));
        return lines.toString();
    }

    RequestHandler around(RequestHandler handler) {
        return request -> Mono.defer(() -> {
            synchronized (this) {
                if (requests.size() == KEPT) {
                    requests.remove(0);
                }
                requests.add(request);
                rights.add(request);
                arriving.tryEmitNext(request);
            }
            return handler.handle(request);
        });
    }
}
