package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.resource.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The types of a real cluster, by its discovery, which is requested again for a type that is not known. */
final class RealTypes {

    static final String DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private final RealCluster cluster;
    private List<Type> known = List.of();

    /** @param parts subresources */
    record Type(String group, String version, String plural, String kind, boolean namespaced, List<String> verbs, List<String> parts) {

        String apiVersion() {
            return group.isEmpty() ? version : group + "/" + version;
        }

        /** The path of the objects in a namespace; null for all. */
        String collection(@Nullable String namespace) {
            return (group.isEmpty() ? "/api/" : "/apis/") + apiVersion() + (namespace == null ? "" : "/namespaces/" + namespace) + "/" + plural;
        }
    }

    RealTypes(RealCluster cluster) {
        this.cluster = cluster;
    }

    /** @throws IllegalArgumentException if the cluster does not serve it */
    Type of(JsonNode object) {
        String apiVersion = Json.text(object, "apiVersion");
        String kind = Json.text(object, "kind");
        return find(type -> type.apiVersion().equals(apiVersion) && type.kind().equals(kind),
                "apiVersion \"" + apiVersion + "\", kind \"" + kind + "\"");
    }

    /** @throws IllegalArgumentException if the cluster does not serve it */
    Type of(ResourceType<?> wanted) {
        return find(type -> type.apiVersion().equals(wanted.apiVersion()) && type.plural().equals(wanted.plural()), wanted.toString());
    }

    /**
     * Checks that requests can be about this resource, as in rules of access.
     *
     * @throws IllegalArgumentException if the cluster has none of this name
     */
    void require(String resource) {
        String[] parts = resource.split("/", 2);
        String[] names = parts[0].split("\\.", 2);
        if (!resource.equals("*")) {
            find(type -> type.plural().equals(names[0]) && (names.length == 1 || type.group().equals(names[1]))
                    && (parts.length == 1 || parts[1].equals("*") || type.parts().contains(parts[1])), "resource \"" + resource + "\"");
        }
    }

    /** The namespaced types whose objects can be listed and deleted, in each version. */
    synchronized List<Type> deletable() {
        known = known.isEmpty() ? discovered() : known;
        return known.stream().filter(type -> type.namespaced() && type.verbs().containsAll(List.of("list", "delete"))).toList();
    }

    /** Requests them again when they are needed: definitions may have come and gone. */
    synchronized void forget() {
        known = List.of();
    }

    private synchronized Type find(Predicate<Type> wanted, String name) {
        if (known.stream().noneMatch(wanted)) {
            known = discovered();
        }
        return known.stream().filter(wanted).findFirst().orElseThrow(() -> new IllegalArgumentException(
                "the real cluster has no type for " + name + "; a custom one needs its CustomResourceDefinition first"));
    }

    private List<Type> discovered() {
        List<Type> types = new ArrayList<>();
        for (String root : List.of("/api", "/apis")) {
            for (JsonNode group : cluster.call("GET", root, null).path("items")) {
                for (JsonNode version : group.path("versions")) {
                    version.path("resources").forEach(resource -> types.add(new Type(Json.text(group, "metadata", "name"),
                            Json.text(version, "version"), Json.text(resource, "resource"), Json.text(resource, "responseKind", "kind"),
                            Json.text(resource, "scope").equals("Namespaced"), resource.path("verbs").valueStream().map(JsonNode::asString).toList(),
                            resource.path("subresources").valueStream().map(part -> Json.text(part, "subresource")).toList())));
                }
            }
        }
        return types;
    }
}
