package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.RequestHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

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

    private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete", "deletecollection");

    private final Sinks.Many<Request> arriving = Sinks.many().multicast().directBestEffort();
    private List<Request> requests = new ArrayList<>();

    RecordedRequests() {}

    /**
     * One request.
     *
     * @param verb get, list, watch, create, update, patch, delete or deletecollection
     * @param resource such as {@code deployments.apps}; followed by {@code /status} or another subresource if that is addressed
     * @param namespace null for a cluster-scoped resource and for all namespaces
     * @param name null for a collection
     * @param uri as sent, with the query
     * @param body null if there is none or it is not JSON
     */
    public record Request(
            String verb, String resource, @Nullable String namespace, @Nullable String name, String uri, @Nullable JsonNode body) {

        /** {@code update deployments.apps/status web in default}: what {@link #verify} compares. */
        @Override
        public String toString() {
            return verb + " " + resource + (name == null ? "" : " " + name) + (namespace == null ? "" : " in " + namespace);
        }

        static Request of(ApiRequest request) {
            if (!request.isResource()) {
                return new Request(request.verb(), request.path(), null, null, request.http().uri(), null);
            }
            String resource = request.plural() + (request.group().isEmpty() ? "" : "." + request.group())
                    + (request.subresource().isEmpty() ? "" : "/" + request.subresource());
            return new Request(
                    request.verb(), resource, request.namespace(), request.name(), request.http().uri(), body(request.http().body()));
        }

        private static @Nullable JsonNode body(byte @Nullable [] bytes) {
            try {
                return bytes == null ? null : Json.read(bytes);
            } catch (JacksonException notJson) {
                return null;
            }
        }
    }

    /** All kept requests, oldest first. */
    public synchronized List<Request> all() {
        return List.copyOf(requests);
    }

    /** The kept requests that change something, oldest first: create, update, patch, delete and deletecollection. */
    public List<Request> writes() {
        return all().stream().filter(request -> WRITES.contains(request.verb())).toList();
    }

    /** Forgets all requests so far. */
    public synchronized void clear() {
        requests = new ArrayList<>();
    }

    /**
     * The first request that matches {@code wanted}, kept or to come. Fails with an {@link AssertionError} after {@code patience} of real
     * time; the message lists the kept requests.
     */
    public Mono<Request> await(Predicate<Request> wanted, Duration patience) {
        return arriving.asFlux().onBackpressureBuffer().mergeWith(Flux.defer(() -> Flux.fromIterable(all())))
                .filter(wanted)
                .next()
                .timeout(patience,
                        Mono.error(() -> new AssertionError("no such request within " + patience + "; there were:\n" + lines(all()))));
    }

    /**
     * Verifies that the kept {@link #writes} are exactly these, in this order. Each is given as {@link Request#toString} writes it.
     *
     * @throws AssertionError at the first difference; the message names its place and lists the actual requests
     */
    public void verifyWrites(String... expected) {
        verify(List.of(expected), writes());
    }

    /**
     * Verifies that all kept requests are exactly these, in this order. Each is given as {@link Request#toString} writes it.
     *
     * @throws AssertionError at the first difference; the message names its place and lists the actual requests
     */
    public void verify(String... expected) {
        verify(List.of(expected), all());
    }

    private static void verify(List<String> expected, List<Request> actual) {
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            String wanted = i < expected.size() ? expected.get(i) : "nothing more";
            String was = i < actual.size() ? actual.get(i).toString() : "nothing";
            if (!wanted.equals(was)) {
                throw new AssertionError("request " + (i + 1) + ": expected: " + wanted + "; was: "
                        + was + "\nall requests:\n" + lines(actual));
            }
        }
    }

    private static String lines(List<Request> requests) {
        var lines = new StringBuilder();
        requests.forEach(request -> lines.append("  ").append(request).append('\n'));
        return lines.toString();
    }

    RequestHandler around(RequestHandler handler) {
        return asked -> Mono.defer(() -> {
            Request request = Request.of(asked);
            synchronized (this) {
                if (requests.size() == KEPT) {
                    requests.remove(0);
                }
                requests.add(request);
                arriving.tryEmitNext(request);
            }
            return handler.handle(asked);
        });
    }
}
