package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.ApiRequest;
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
 * What the code under test asked of the server, in order: what client-go's fake clientset calls actions. The latest {@value #KEPT} are
 * kept.
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
     * @param resource such as {@code deployments.apps}; with {@code /status} where a subresource is meant
     * @param namespace null for none and for all
     * @param name null for a collection
     * @param body null where there is none, or it is no JSON
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

    /** All that are kept, the oldest first. */
    public synchronized List<Request> all() {
        return List.copyOf(requests);
    }

    /** Those that change something. */
    public List<Request> writes() {
        return all().stream().filter(request -> WRITES.contains(request.verb())).toList();
    }

    public synchronized void clear() {
        requests = new ArrayList<>();
    }

    /** The first that fits, kept or to come; fails after {@code patience} of real time, and says what came instead. */
    public Mono<Request> await(Predicate<Request> wanted, Duration patience) {
        return arriving.asFlux().onBackpressureBuffer().mergeWith(Flux.defer(() -> Flux.fromIterable(all())))
                .filter(wanted)
                .next()
                .timeout(patience, Mono.error(() -> new AssertionError("no such request within " + patience + "; there were:\n" + lines(all()))));
    }

    /** Fails unless exactly these changed something, in this order, and says where it went another way. */
    public void verifyWrites(String... expected) {
        verify(List.of(expected), writes());
    }

    /** The same, of all requests. */
    public void verify(String... expected) {
        verify(List.of(expected), all());
    }

    private static void verify(List<String> expected, List<Request> actual) {
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            String wanted = i < expected.size() ? expected.get(i) : "nothing more";
            String was = i < actual.size() ? actual.get(i).toString() : "nothing";
            if (!wanted.equals(was)) {
                throw new AssertionError("request " + (i + 1) + ": expected: " + wanted + "; was: " + was + "\nall requests:\n" + lines(actual));
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
