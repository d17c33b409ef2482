package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Which resources the server has. */
public interface Discovery {

    /**
     * The resource that a person means by {@code name}: {@code pods}, {@code deployments.apps} or {@code widgets.v1.example.com}. Empty if the
     * server was asked and has none such.
     */
    Mono<ResourceType<JsonNode>> find(String name);

    /** Every resource in every version, in the server's order of preference; asked anew. Groups that cannot answer now are left out. */
    Flux<ResourceType<JsonNode>> all();
}
