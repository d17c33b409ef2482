package io.reactiveinformer.client;

import io.reactiveinformer.client.DiscoveryDocuments.GroupVersion;
import io.reactiveinformer.resource.StatusException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/**
 * The resources of a server.
 *
 * @param resources in the server's order, which is the order of preference
 * @param failures of the groups that could not be read
 */
record Catalogue(List<ServerResource> resources, Map<GroupVersion, StatusException> failures) {

    static final Catalogue EMPTY = new Catalogue(List.of(), Map.of());

    Catalogue and(Catalogue more) {
        var allFailures = new LinkedHashMap<>(failures);
        allFailures.putAll(more.failures);
        return new Catalogue(Stream.concat(resources.stream(), more.resources.stream()).toList(), allFailures);
    }

    /** The resource that {@code wanted} names; empty if there is none; fails if a group that may have it could not be read. */
    Mono<ServerResource> find(ResourceName wanted) {
        return Mono.justOrEmpty(wanted.among(resources))
                .switchIfEmpty(Mono.defer(() -> Mono.justOrEmpty(failures.entrySet().stream()
                                .filter(failed -> wanted.allows(failed.getKey().group(), failed.getKey().version()))
                                .findFirst())
                        .flatMap(failed -> Mono.error(failed.getValue()))));
    }
}
