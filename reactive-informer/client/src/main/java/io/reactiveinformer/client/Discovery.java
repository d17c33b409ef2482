package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType;
import java.util.Set;
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
     * The types that can be listed, each once, as {@code kubectl api-resources --verbs=list} shows them: in the preferred version of its
     * group, or, if that does not have it, in the first of the server's order that does. Requested anew by each subscription. Groups that
     * cannot answer now are left out.
     */
    default Flux<ResourceType<JsonNode>> all() {
        return resources().filter(resource -> resource.preferred() && resource.verbs().contains("list")).map(Resource::type);
    }

    /** Every resource in every version, in the server's order of preference, as {@link #all}. */
    Flux<Resource> resources();

    /**
     * A resource in one version.
     *
     * @param verbs what the server can do with it, such as {@code list}, {@code watch}, {@code patch}; which of these the client may do is
     *     another question
     * @param preferred whether this is the version to use: the preferred one of its group, or, if that does not have the resource, the
     *     first that has it
     */
    record Resource(ResourceType<JsonNode> type, Set<String> verbs, boolean preferred) {

        /** Keeps an immutable copy of the verbs. */
        public Resource {
            verbs = Set.copyOf(verbs);
        }
    }
}
