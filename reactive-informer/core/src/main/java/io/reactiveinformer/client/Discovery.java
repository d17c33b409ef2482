package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** The resources that the server has, as its discovery documents list them. */
public interface Discovery {

    /**
     * The resource that a person means by {@code name}: {@code pods}, {@code deployments.apps} or {@code widgets.v1.example.com}; by its
     * plural, singular or short name or its kind, in upper or lower case. The answer may be from an earlier request; a name that is not
     * found there is looked up on the server. Empty if the server has no such resource. Fails with
     * {@link io.reactiveinformer.resource.StatusException} if a group that may have it could not be read, and with
     * {@link IllegalArgumentException} if {@code name} begins with a dot or is empty.
     */
    Mono<ResourceType<JsonNode>> find(String name);

    /**
     * Every resource in every version, in the server's order of preference; requested anew by each subscription. Groups that cannot answer
     * now are left out.
     */
    Flux<ResourceType<JsonNode>> all();
}
