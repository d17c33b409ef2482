package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.cel.SchemaRules;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition.Subresource;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Adds and removes the types of CustomResourceDefinitions. */
final class CustomTypes {

    private static final List<String> VERBS = List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

    /** Which names of different definitions may not be the same. */
    private static final List<List<String>> NAMES = List.of(List.of("plural", "singular", "shortNames"), List.of("kind", "listKind"));

    static final String DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";

    private CustomTypes() {}

    /** Serves the definition's type unless another one has its names, and reports that in its conditions. Within a write. */
    static void establish(Cluster cluster, StoredObject crd) {
        ObjectNode tree = crd.tree();
        if (isEstablished(tree)) {
            cluster.define(definition(tree));
            return;
        }
        List<JsonNode> others = inGroup(cluster, crd).map(each -> each.tree().path("status").path("acceptedNames")).toList();
        ObjectNode status = Json.child(tree, "status").without("conditions");
        ObjectNode names = status.putObject("acceptedNames").put("plural", "").put("kind", "");
        String reason = "NoConflicts";
        String message = "no conflicts found";
        for (Map.Entry<String, JsonNode> name : tree.path("spec").path("names").properties()) {
            List<String> fields = NAMES.stream().filter(each -> each.contains(name.getKey())).findFirst().orElse(List.of());
            List<String> taken = values(name.getValue()).filter(each -> others.stream().anyMatch(other -> fields.stream()
                    .flatMap(field -> values(other.path(field))).anyMatch(each::equals))).map(each -> each + " is already in use").toList();
            if (taken.isEmpty()) {
                names.set(name.getKey(), name.getValue());
            } else {
                reason = Character.toUpperCase(name.getKey().charAt(0)) + name.getKey().substring(1) + "Conflict";
                message = taken.size() == 1 ? taken.get(0) : taken.toString();
            }
        }
        boolean good = reason.equals("NoConflicts");
        new Conditions(tree, cluster.timestamp()).with("NamesAccepted", good, reason, message)
                .with("Established", good, good ? "InitialNamesAccepted" : "NotAccepted",
                        good ? "the initial names have been accepted" : "not all names are accepted");
        if (good) {
            cluster.define(definition(tree));
        }
        cluster.store(crd.type(), tree);
    }

    private static Stream<JsonNode> values(JsonNode names) {
        return names.isArray() ? names.valueStream() : Stream.of(names);
    }

    /** The other definitions of its group. */
    private static Stream<StoredObject> inGroup(Cluster cluster, StoredObject crd) {
        return cluster.list(crd.type(), Selection.all(), null).objects().stream().filter(other -> !other.name().equals(crd.name())
                && Json.text(other.tree(), "spec", "group").equals(Json.text(crd.tree(), "spec", "group")));
    }

    /** As {@link #establish}, in a write of its own, if the definition still exists. */
    static void establishLater(Cluster cluster, StoredObject crd) {
        cluster.write(() -> {
            StoredObject present = cluster.current(crd);
            if (present != null && !isEstablished(present.tree())) {
                establish(cluster, present);
            }
            return crd;
        });
    }

    static boolean isEstablished(JsonNode crd) {
        return Conditions.has(crd, "Established", "True");
    }

    /** Stops serving the type, whose names others may have now. Returns its objects, which are removed. Within a write. */
    static List<StoredObject> remove(Cluster cluster, StoredObject crd) {
        List<StoredObject> objects = cluster.types()
                .find(Json.text(crd.tree(), "spec", "group"), Json.text(crd.tree(), "spec", "names", "plural"))
                .map(cluster::undefine)
                .orElse(List.of());
        inGroup(cluster, crd).filter(other -> Conditions.has(other.tree(), "NamesAccepted", "False")).forEach(other -> establish(cluster, other));
        return objects;
    }

    static String storageVersion(JsonNode versions) {
        return Json.text(storage(versions), "name");
    }

    private static JsonNode storage(JsonNode versions) {
        return versions.valueStream().filter(version -> version.path("storage").asBoolean(false)).findFirst().orElse(versions.path(0));
    }

    private static JsonNode schema(JsonNode version) {
        return version.path("schema").path("openAPIV3Schema");
    }

    static ResourceDefinition definition(JsonNode crd) {
        JsonNode spec = crd.path("spec");
        JsonNode names = spec.path("names");
        String group = Json.text(spec, "group");
        String kind = Json.text(names, "kind");
        String storage = storageVersion(spec.path("versions"));
        JsonNode stored = schema(storage(spec.path("versions")));
        Map<String, CustomType.Version> versions = new LinkedHashMap<>();
        Set<String> selectable = new LinkedHashSet<>();
        Map<String, Subresource> subresources = new LinkedHashMap<>();
        for (JsonNode version : spec.path("versions")) {
            versions.put(Json.text(version, "name"), version(version, group, kind, storage, stored));
            version.path("selectableFields").forEach(field -> selectable.add(Json.text(field, "jsonPath").substring(1)));
            Stream.of(new Subresource("status", "", "", kind, SUBRESOURCE_VERBS),
                    new Subresource("scale", "autoscaling", "v1", "Scale", SUBRESOURCE_VERBS))
                    .filter(part -> version.path("subresources").has(part.name())).forEach(part -> subresources.put(part.name(), part));
        }
        String listKind = Json.text(names, "listKind");
        String singular = Json.text(names, "singular");
        return new ResourceDefinition(group, Json.text(names, "plural"),
                singular.isEmpty() ? kind.toLowerCase(java.util.Locale.ROOT) : singular,
                kind, listKind.isEmpty() ? kind + "List" : listKind, Json.text(spec, "scope").equals("Namespaced"),
                versions.values().stream().filter(CustomType.Version::served).map(CustomType.Version::name)
                        .sorted(VersionPriority.PREFERRED_FIRST).toList(),
                BuiltInTypes.strings(names.path("shortNames")), BuiltInTypes.strings(names.path("categories")), VERBS, subresources,
                selectable, true,
                new CustomType(storage, versions, Json.text(spec, "conversion", "strategy").equals("Webhook")
                        ? new Conversion(spec.path("conversion").path("webhook")) : null));
    }

    /** What is wrong with the name of a definition, and with the rules of its schemas. */
    static List<Problem> problems(JsonNode crd) {
        List<Problem> problems = new ArrayList<>();
        JsonNode name = crd.path("metadata").path("name");
        if (!name.asString("").equals(Json.text(crd, "spec", "names", "plural") + "." + Json.text(crd, "spec", "group"))) {
            problems.add(new Problem("FieldValueInvalid", "Invalid value: " + name + ": must be spec.names.plural+\".\"+spec.group",
                    "metadata.name"));
        }
        List<JsonNode> stored = crd.path("status").path("storedVersions").valueStream().toList();
        stored.stream().filter(each -> crd.path("spec").path("versions").valueStream().noneMatch(version -> version.path("name").equals(each)))
                .forEach(each -> problems.add(new Problem("FieldValueInvalid", "Invalid value: " + each + ": missing from spec.versions; "
                        + each.asString() + " was previously a storage version, and must remain in spec.versions until a storage migration"
                        + " ensures no data remains persisted in " + each.asString() + " and removes " + each.asString()
                        + " from status.storedVersions", "status.storedVersions[" + stored.indexOf(each) + "]")));
        List<JsonNode> schemas = crd.path("spec").path("versions").valueStream()
                .map(CustomTypes::schema).toList();
        boolean same = schemas.stream().distinct().count() == 1;
        for (int i = 0; i < (same ? 1 : schemas.size()); i++) {
            problems.addAll(SchemaRules.problems(schemas.get(i),
                    same ? "spec.validation.openAPIV3Schema" : "spec.versions[" + i + "].schema.openAPIV3Schema"));
        }
        return problems;
    }

    private static CustomType.Version version(JsonNode version, String group, String kind, String preferred, JsonNode stored) {
        String name = Json.text(version, "name");
        String warning = Json.text(version, "deprecationWarning");
        boolean deprecated = version.path("deprecated").asBoolean(false);
        JsonNode schema = schema(version);
        return new CustomType.Version(name, version.path("served").asBoolean(false), schema, new SchemaRules(schema), schema.equals(stored),
                version.path("additionalPrinterColumns"), version.path("subresources").path("scale"),
                !deprecated ? "" : warning.isEmpty() ? group + "/" + name + " " + kind + " is deprecated; use " + group + "/" + preferred
                        + " " + kind : warning);
    }

}
