package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * The resources of a server, as the answers of {@code /api} and {@code /apis} list them: those of all groups at once, as servers answer
 * since Kubernetes 1.27.
 *
 * @param resources in the server's order, which is the order of preference
 * @param failures of the groups that could not be read
 * @see <a href="https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api">Kubernetes: discovery API</a>
 */
record Catalogue(List<ServerResource> resources, Map<GroupVersion, StatusException> failures) {

    private static final String KIND = "APIGroupDiscoveryList";

    /** @param group empty for the core group */
    record GroupVersion(String group, String version) {

        private String path() {
            return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        }
    }

    /** @throws UnexpectedAnswerException if the document names groups only, as those of older servers do */
    static Catalogue of(String path, JsonNode document) {
        String kind = document.path("kind").asString("");
        if (!kind.equals(KIND)) {
            throw new UnexpectedAnswerException("expected the resources of all groups (" + KIND + ", since Kubernetes 1.27), but \"" + kind
                    + "\" came from " + path + "; name the type by ResourceType.dynamic(group, version, plural)");
        }
        var found = new ArrayList<ServerResource>();
        var failures = new LinkedHashMap<GroupVersion, StatusException>();
        for (JsonNode group : document.path("items")) {
            String groupName = group.path("metadata").path("name").asString("");
            for (JsonNode version : group.path("versions")) {
                var of = new GroupVersion(groupName, version.path("version").asString(""));
                if (version.path("freshness").asString("").equals("Stale")) {
                    failures.put(of, StatusException.of(
                            Status.of(503, "ServiceUnavailable",
                                    "the API server behind this group is unavailable, and its list of resources may be out of date"),
                            "discover " + of.path()));
                }
                for (JsonNode resource : version.path("resources")) {
                    boolean namespaced = resource.path("scope").asString("").equals("Namespaced");
                    found.add(new ServerResource(
                            of.group,
                            of.version,
                            resource.path("resource").asString(""),
                            resource.path("singularResource").asString(""),
                            resource.path("responseKind").path("kind").asString(""),
                            namespaced ? Scope.NAMESPACED : Scope.CLUSTER,
                            texts(resource.path("shortNames")),
                            texts(resource.path("verbs"))));
                }
            }
        }
        return new Catalogue(found, failures);
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(text -> text.asString("")).toList();
    }

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

    /**
     * One resource of one version, as the server lists it.
     *
     * @param singular lower case; may be empty
     * @param verbs the requests that the server takes, such as {@code list}
     */
    record ServerResource(
            String group, String version, String plural, String singular, String kind, Scope scope, List<String> shortNames,
            List<String> verbs) {

        ResourceType<JsonNode> type() {
            return ResourceType.dynamic(group, version, plural).kind(kind, scope);
        }

        /** How well {@code name} names it, 0 best; negative if it does not. */
        int rank(String name) {
            if (plural.equals(name)) {
                return 0;
            }
            if (singular.equals(name) || kind.toLowerCase(Locale.ROOT).equals(name)) {
                return 1;
            }
            return shortNames.contains(name) ? 2 : -1;
        }
    }
}
