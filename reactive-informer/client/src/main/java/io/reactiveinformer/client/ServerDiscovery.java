package io.reactiveinformer.client;

import io.reactiveinformer.client.Catalogue.ServerResource;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Requests the discovery documents, caches them, and requests them again for a name that is not in them. */
final class ServerDiscovery implements Discovery {

    private static final Headers ACCEPT = Headers.of(
            "Accept",
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
                    + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json");
    private static final int NOT_MODIFIED = 304;
    private final RequestPipeline calls;
    private final Map<String, Page> pages = new ConcurrentHashMap<>();
    private volatile Catalogue held = new Catalogue(List.of(), Map.of());

    ServerDiscovery(RequestPipeline calls) {
        this.calls = calls;
    }

    /** @param entityTag sent to ask whether the page has changed */
    private record Page(String entityTag, JsonNode document) {}

    @Override
    public Mono<ResourceType<JsonNode>> find(String name) {
        return Mono.defer(() -> {
            ResourceName wanted = ResourceName.parse(name);
            return Mono.justOrEmpty(wanted.among(held.resources())).switchIfEmpty(catalogue().flatMap(all -> all.find(wanted)));
        }).map(ServerResource::type);
    }

    @Override
    public Flux<Resource> resources() {
        return catalogue().flatMapIterable(all -> {
            Set<List<String>> seen = new HashSet<>();
            return all.resources().stream().map(resource -> new Resource(resource.type(), Set.copyOf(resource.verbs()),
                    seen.add(List.of(resource.group(), resource.plural())))).toList();
        });
    }

    /** The core group comes first: its names are the older ones. */
    private Mono<Catalogue> catalogue() {
        return Flux.concat(rootIfThere("/api"), rootIfThere("/apis"))
                .reduce(Catalogue::and)
                .switchIfEmpty(root("/api")) // neither exists: a refusal, not a server without resources
                .doOnNext(all -> held = all);
    }

    private Mono<Catalogue> root(String path) {
        return document(path).map(document -> Catalogue.of(path, document));
    }

    /** The resources of one root; empty if the server does not have that root. */
    private Mono<Catalogue> rootIfThere(String path) {
        return root(path).onErrorResume(NotFoundException.class, missing -> Mono.empty());
    }

    private Mono<JsonNode> document(String path) {
        return Mono.defer(() -> {
            Page last = pages.get(path);
            Headers headers = last == null ? ACCEPT : ACCEPT.with("If-None-Match", last.entityTag);
            return calls.callAgain(HttpRequest.get(path, headers), new RequestDescription("discover", path, ""), answer ->
                            last != null && answer.status() == NOT_MODIFIED ? Mono.just(last.document) : read(path, answer))
                    .single();
        });
    }

    private Mono<JsonNode> read(String path, Transport.Answer answer) {
        return calls.codec().tree(answer.body()).doOnNext(document ->
                answer.headers().first("ETag").ifPresent(entityTag -> pages.put(path, new Page(entityTag, document))));
    }
}
