package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The types of Kubernetes 1.36, read from its own discovery document, as it was recorded. To it was added what field selectors support
 * besides name and namespace, and which types have a generation.
 */
final class BuiltInTypes {

    /** The values of unset numeric and boolean fields. */
    private static final Map<String, String> IF_NOT_SAID =
            Map.of("spec.hostNetwork", "false", "spec.unschedulable", "false", "status.replicas", "0", "status.successful", "0");

    private BuiltInTypes() {}

    /** The path of the value of a selectable field. */
    static String path(String field) {
        return field.equals("status.successful") ? "status.succeeded" : field;
    }

    /** The value that selectors compare if the object has {@code value} in this field. */
    static String selected(String field, String value) {
        return value.isEmpty() ? IF_NOT_SAID.getOrDefault(field, "") : value;
    }

    /** The types by name, in the order of discovery. */
    static Map<String, ResourceDefinition> load() {
        Map<String, ResourceDefinition> byName = new LinkedHashMap<>();
        for (JsonNode group : Json.read(Resources.text(BuiltInTypes.class, "built-in-types.json")).path("items")) {
            for (JsonNode version : group.path("versions")) {
                for (JsonNode resource : version.path("resources")) {
                    ResourceDefinition definition = definition(Json.text(group, "metadata", "name"),
                            Json.text(version, "version"), resource);
                    byName.merge(definition.qualified(), definition, BuiltInTypes::withBothVersions);
                }
            }
        }
        return byName;
    }

    private static ResourceDefinition definition(String group, String version, JsonNode resource) {
        Map<String, ResourceDefinition.Subresource> subresources = new LinkedHashMap<>();
        for (JsonNode subresource : resource.path("subresources")) {
            JsonNode kind = subresource.path("responseKind");
            String name = Json.text(subresource, "subresource");
            subresources.put(name, new ResourceDefinition.Subresource(name, Json.text(kind, "group"), Json.text(kind, "version"),
                    Json.text(kind, "kind"), strings(subresource.path("verbs"))));
        }
        String kind = Json.text(resource, "responseKind", "kind");
        return new ResourceDefinition(group, Json.text(resource, "resource"), Json.text(resource, "singularResource"), kind, kind + "List",
                Json.text(resource, "scope").equals("Namespaced"), List.of(version), strings(resource.path("shortNames")),
                strings(resource.path("categories")), strings(resource.path("verbs")), subresources,
                Set.copyOf(strings(resource.path("selectable"))), resource.path("generation").asBoolean(false), null);
    }

    private static ResourceDefinition withBothVersions(ResourceDefinition one, ResourceDefinition other) {
        return new ResourceDefinition(one.group(), one.plural(), one.singular(), one.kind(), one.listKind(), one.namespaced(),
                Stream.concat(one.versions().stream(), other.versions().stream()).toList(), one.shortNames(), one.categories(), one.verbs(),
                one.subresources(), one.selectableFields(), one.hasGeneration(), null);
    }

    static List<String> strings(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }
}
