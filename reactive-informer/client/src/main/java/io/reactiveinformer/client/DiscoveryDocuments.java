package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Reads the answers of {@code /api} and {@code /apis}, in both forms: everything at once (since Kubernetes 1.26), or names to request next.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api">Kubernetes: discovery API</a>
 */
final class DiscoveryDocuments {

    private DiscoveryDocuments() {}

    /** @param group empty for the core group */
    record GroupVersion(String group, String version) {

        String path() {
            return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        }
    }

    static boolean isAggregated(JsonNode document) {
        return document.path("kind").asString("").equals("APIGroupDiscoveryList");
    }

    static Catalogue aggregated(JsonNode document) {
        var found = new ArrayList<ServerResource>();
        var failures = new LinkedHashMap<GroupVersion, StatusException>();
        for (JsonNode group : document.path("items")) {
            String groupName = group.path("metadata").path("name").asString("");
            for (JsonNode version : group.path("versions")) {
                if (version.path("freshness").asString("").equals("Stale")) {
                    var away = new GroupVersion(groupName, version.path("version").asString(""));
                    failures.put(away, StatusException.of(
                            Status.of(503, "ServiceUnavailable",
                                    "the API server behind this group is unavailable, and its list of resources may be out of date"),
                            "discover " + away.path()));
                }
                for (JsonNode resource : version.path("resources")) {
                    found.add(new ServerResource(
                            groupName,
                            version.path("version").asString(""),
                            resource.path("resource").asString(""),
                            resource.path("singularResource").asString(""),
                            resource.path("responseKind").path("kind").asString(""),
                            scope(resource.path("scope").asString("").equals("Namespaced")),
                            texts(resource.path("shortNames")),
                            texts(resource.path("verbs"))));
                }
            }
        }
        return new Catalogue(found, failures);
    }

    /** The versions of an APIVersions or APIGroupList document; the preferred version of each group comes before its others. */
    static List<GroupVersion> groupVersions(JsonNode document) {
        var found = new ArrayList<GroupVersion>();
        texts(document.path("versions")).forEach(version -> found.add(new GroupVersion("", version)));
        for (JsonNode group : document.path("groups")) {
            String name = group.path("name").asString("");
            String preferred = group.path("preferredVersion").path("version").stringValue(null);
            add(found, name, preferred);
            for (JsonNode version : group.path("versions")) {
                add(found, name, version.path("version").stringValue(null));
            }
        }
        return found;
    }

    private static void add(List<GroupVersion> all, String group, @Nullable String version) {
        if (version != null && !all.contains(new GroupVersion(group, version))) {
            all.add(new GroupVersion(group, version));
        }
    }

    /** The resources of an APIResourceList document, without subresources. */
    static List<ServerResource> resources(GroupVersion of, JsonNode document) {
        var found = new ArrayList<ServerResource>();
        for (JsonNode resource : document.path("resources")) {
            String plural = resource.path("name").asString("");
            if (plural.indexOf('/') < 0) {
                found.add(new ServerResource(
                        of.group,
                        of.version,
                        plural,
                        resource.path("singularName").asString(""),
                        resource.path("kind").asString(""),
                        scope(resource.path("namespaced").asBoolean(false)),
                        texts(resource.path("shortNames")),
                        texts(resource.path("verbs"))));
            }
        }
        return found;
    }

    private static Scope scope(boolean namespaced) {
        return namespaced ? Scope.NAMESPACED : Scope.CLUSTER;
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(text -> text.asString("")).toList();
    }

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
}
