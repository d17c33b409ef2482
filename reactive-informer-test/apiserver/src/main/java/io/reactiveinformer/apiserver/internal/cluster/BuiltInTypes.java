package io.reactiveinformer.apiserver.internal.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

import static java.util.Map.entry;

/** The types of Kubernetes 1.36, read from its own discovery document, as it was recorded. */
final class BuiltInTypes {

    /** The fields that field selectors support, besides name and namespace. */
    private static final Map<String, Set<String>> SELECTABLE = Map.ofEntries(
            entry("pods", Set.of(
                    "spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
                    "spec.hostNetwork", "status.phase",
                    "status.podIP", "status.nominatedNodeName")),
            entry("events", Set.of(
                    "involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
                    "involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath", "reason",
                    "reportingComponent", "source", "type")),
            entry("events.events.k8s.io", Set.of(
                    "regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid", "regarding.apiVersion",
                    "regarding.resourceVersion", "regarding.fieldPath", "reason", "reportingController", "source", "type")),
            entry("secrets", Set.of("type")),
            entry("nodes", Set.of("spec.unschedulable")),
            entry("namespaces", Set.of("status.phase")),
            entry("services", Set.of("spec.clusterIP", "spec.type")),
            entry("replicationcontrollers", Set.of("status.replicas")),
            entry("replicasets.apps", Set.of("status.replicas")),
            entry("jobs.batch", Set.of("status.successful")),
            entry("certificatesigningrequests.certificates.k8s.io", Set.of("spec.signerName")));

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

    /** The types in the order of discovery. */
    static List<ResourceDefinition> load() {
        Map<String, ResourceDefinition> byName = new LinkedHashMap<>();
        for (JsonNode group : document().path("items")) {
            for (JsonNode version : group.path("versions")) {
                for (JsonNode resource : version.path("resources")) {
                    ResourceDefinition definition = definition(Json.text(group, "metadata", "name"),
                            Json.text(version, "version"), resource);
                    byName.merge(definition.qualified(), definition, BuiltInTypes::withBothVersions);
                }
            }
        }
        return List.copyOf(byName.values());
    }

    private static JsonNode document() {
        try (InputStream stream = BuiltInTypes.class.getResourceAsStream("built-in-types.json")) {
            if (stream == null) {
                throw new IllegalStateException("built-in-types.json is missing beside " + BuiltInTypes.class.getName()
                        + "; is the jar complete?");
            }
            return Json.read(stream.readAllBytes());
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read built-in-types.json", failure);
        }
    }

    private static ResourceDefinition definition(String group, String version, JsonNode resource) {
        String plural = Json.text(resource, "resource");
        String kind = Json.text(resource, "responseKind", "kind");
        Map<String, ResourceDefinition.Subresource> subresources = new LinkedHashMap<>();
        for (JsonNode subresource : resource.path("subresources")) {
            String name = Json.text(subresource, "subresource");
            subresources.put(
                    name,
                    new ResourceDefinition.Subresource(
                            name,
                            Json.text(subresource, "responseKind", "group"),
                            Json.text(subresource, "responseKind", "version"),
                            Json.text(subresource, "responseKind", "kind"),
                            strings(subresource.path("verbs"))));
        }
        return new ResourceDefinition(
                group,
                plural,
                Json.text(resource, "singularResource"),
                kind,
                kind + "List",
                Json.text(resource, "scope").equals("Namespaced"),
                List.of(version),
                strings(resource.path("shortNames")),
                strings(resource.path("categories")),
                strings(resource.path("verbs")),
                subresources,
                SELECTABLE.getOrDefault(group.isEmpty() ? plural : plural + "." + group, Set.of()),
                null);
    }

    private static ResourceDefinition withBothVersions(ResourceDefinition one, ResourceDefinition other) {
        List<String> versions = new ArrayList<>(one.versions());
        versions.addAll(other.versions());
        return new ResourceDefinition(
                one.group(),
                one.plural(),
                one.singular(),
                one.kind(),
                one.listKind(),
                one.namespaced(),
                versions,
                one.shortNames(),
                one.categories(),
                one.verbs(),
                one.subresources(),
                one.selectableFields(),
                null);
    }

    static List<String> strings(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asString).toList();
    }
}
