package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.client.Discovery;
import io.reactiveinformer.resource.ResourceType;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The types of a real cluster, by its discovery, which is requested again for a type that is not known. */
final class RealTypes {

    private final RealCluster cluster;
    private List<Discovery.Resource> known = List.of();

    RealTypes(RealCluster cluster) {
        this.cluster = cluster;
    }

    /** The path of the objects in a namespace; null for all. */
    static String collection(ResourceType<?> type, @Nullable String namespace) {
        return version(type) + (namespace == null ? "/" : "/namespaces/" + namespace + "/") + type.plural();
    }

    private static String version(ResourceType<?> type) {
        return (type.group().isEmpty() ? "/api/" : "/apis/") + type.apiVersion();
    }

    /** @throws IllegalArgumentException if the cluster does not serve it */
    ResourceType<JsonNode> of(JsonNode object) {
        String apiVersion = Json.text(object, "apiVersion");
        String kind = Json.text(object, "kind");
        return find(type -> type.apiVersion().equals(apiVersion) && kind.equals(type.kind()),
                "apiVersion \"" + apiVersion + "\", kind \"" + kind + "\"");
    }

    /** @throws IllegalArgumentException if the cluster does not serve it */
    ResourceType<JsonNode> of(ResourceType<?> wanted) {
        return find(type -> type.apiVersion().equals(wanted.apiVersion()) && type.plural().equals(wanted.plural()), wanted.toString());
    }

    /** Whether the type has this subresource. */
    boolean has(ResourceType<?> type, String part) {
        return cluster.call("GET", version(type), null).path("resources").valueStream()
                .anyMatch(each -> Json.text(each, "name").equals(type.plural() + "/" + part));
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
                    && (parts.length == 1 || parts[1].equals("*") || has(type, parts[1])), "resource \"" + resource + "\"");
        }
    }

    /** The namespaced types whose objects can be listed and deleted, in each version. */
    synchronized List<ResourceType<JsonNode>> deletable() {
        known = known.isEmpty() ? cluster.discovered() : known;
        return known.stream().filter(each -> each.type().namespaced() && each.verbs().containsAll(List.of("list", "delete")))
                .<ResourceType<JsonNode>>map(Discovery.Resource::type).toList();
    }

    /** Requests them again when they are needed: definitions may have come and gone. */
    synchronized void forget() {
        known = List.of();
    }

    private synchronized ResourceType<JsonNode> find(Predicate<ResourceType<JsonNode>> wanted, String name) {
        if (known.stream().noneMatch(each -> wanted.test(each.type()))) {
            known = cluster.discovered();
        }
        return known.stream().map(Discovery.Resource::type).filter(wanted).findFirst().orElseThrow(() -> new IllegalArgumentException(
                "the real cluster has no type for " + name + "; a custom one needs its CustomResourceDefinition first"));
    }
}
