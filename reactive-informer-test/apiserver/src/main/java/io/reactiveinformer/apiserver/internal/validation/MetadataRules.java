package io.reactiveinformer.apiserver.internal.validation;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** The rules of the metadata of all types. */
final class MetadataRules {

    static final String NO_FINALIZER = "name is neither a standard finalizer name nor is it fully qualified";

    private static final int MOST_OF_ANNOTATIONS = 256 * 1024;
    private static final List<String> STANDARD_FINALIZERS = List.of("kubernetes", "orphan", "foregroundDeletion");
    private static final int LONGEST_CRON_JOB = 52;

    /** Types whose names are labels, and types whose names are any part of a path; those of other types are DNS subdomains. */
    private static final Set<String> LABELS = Set.of("namespaces", "services", "statefulsets.apps");
    private static final Set<String> SEGMENTS = Set.of("events", "roles.rbac.authorization.k8s.io",
            "clusterroles.rbac.authorization.k8s.io", "rolebindings.rbac.authorization.k8s.io",
            "clusterrolebindings.rbac.authorization.k8s.io", "ipaddresses.networking.k8s.io",
            "certificatesigningrequests.certificates.k8s.io", "clustertrustbundles.certificates.k8s.io", "poddisruptionbudgets.policy",
            "storageversions.internal.apiserver.k8s.io", "apiservices.apiregistration.k8s.io");

    private MetadataRules() {}

    /**
     * Checks the metadata of a new object.
     *
     * @param type such as {@code deployments.apps}
     * @param builtIn whether it is built in
     */
    static void created(String type, boolean builtIn, Value metadata) {
        Function<String, List<String>> rule = LABELS.contains(type) ? Names::label
                : SEGMENTS.contains(type) ? Names::pathSegment : Names::subdomain;
        Value base = metadata.at("generateName");
        base.invalidIf(!base.isEmpty(), rule.apply(base.text().replaceFirst("(?<=.)-$", "a"))); // the end of a name follows
        Value name = metadata.at("name");
        name.invalidIf(name.require("name or generateName is required"), rule.apply(name.text()));
        metadata.at("generation").invalidIf(metadata.at("generation").number() < 0, "must be greater than or equal to 0");
        updated(builtIn, metadata);
        name.invalidIf(type.equals("cronjobs.batch") && name.text().length() > LONGEST_CRON_JOB, "must be no more than 52 characters");
    }

    /** Checks the metadata of a changed object. */
    static void updated(boolean builtIn, Value metadata) {
        labels(metadata.at("labels"));
        annotations(metadata.at("annotations"));
        owners(metadata.at("ownerReferences"));
        Value finalizers = metadata.at("finalizers");
        finalizers.items().forEach(finalizer -> finalizers.with(finalizer.node()).invalid(Names.key(finalizer.text())));
        finalizers.items().forEach(finalizer -> finalizer.invalidIf(builtIn && !isFinalizer(finalizer.text()), NO_FINALIZER));
    }

    static boolean isFinalizer(String name) {
        return name.contains("/") || STANDARD_FINALIZERS.contains(name);
    }

    static void labels(Value labels) {
        labels.node().properties().forEach(label -> {
            labels.with(StringNode.valueOf(label.getKey())).invalid(Names.key(label.getKey()));
            labels.with(label.getValue()).invalid(Names.labelValue(label.getValue().asString("")));
        });
    }

    static void annotations(Value annotations) {
        int size = 0;
        for (Map.Entry<String, JsonNode> annotation : annotations.node().properties()) {
            annotations.with(StringNode.valueOf(annotation.getKey())).invalid(Names.annotationKey(annotation.getKey()));
            size += bytes(annotation.getKey()) + bytes(annotation.getValue().asString(""));
        }
        annotations.tooLong(size, MOST_OF_ANNOTATIONS);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void owners(Value owners) {
        String first = "";
        for (Value item : owners.items()) {
            Value owner = owners.with(item.node());
            owner.at("apiVersion").invalidIf(owner.at("apiVersion").isEmpty(), "version must not be empty");
            for (String field : List.of("kind", "name", "uid")) {
                owner.at(field).invalidIf(owner.at(field).isEmpty(), "must not be empty");
            }
            owner.invalidIf(owner.at("kind").has("Event") && owner.at("apiVersion").has("v1"),
                    "/v1, Kind=Event is disallowed from being an owner");
            if (owner.at("controller").node().asBoolean(false)) {
                String name = owner.at("kind").text() + "/" + owner.at("name").text();
                owners.invalidIf(!first.isEmpty(),
                        "Only one reference can have Controller set to true. Found \"true\" in references for " + first + " and " + name);
                first = first.isEmpty() ? name : first;
            }
        }
    }
}
