package io.reactiveinformer.apiserver.internal.validation;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

import static java.util.Map.entry;

/** The rules of the metadata of all types. */
final class MetadataRules {

    static final String NO_FINALIZER = "name is neither a standard finalizer name nor is it fully qualified";

    private static final int MOST_OF_ANNOTATIONS = 256 * 1024;
    private static final List<String> STANDARD_FINALIZERS = List.of("kubernetes", "orphan", "foregroundDeletion");
    private static final int LONGEST_CRON_JOB = 52;

    /** The rule of names by type; of other types, DNS subdomains. */
    private static final Map<String, Function<String, List<String>>> NAMES = Map.ofEntries(
            entry("namespaces", Names::label),
            entry("services", Names::label),
            entry("statefulsets.apps", Names::label),
            entry("events", Names::pathSegment),
            entry("roles.rbac.authorization.k8s.io", Names::pathSegment),
            entry("clusterroles.rbac.authorization.k8s.io", Names::pathSegment),
            entry("rolebindings.rbac.authorization.k8s.io", Names::pathSegment),
            entry("clusterrolebindings.rbac.authorization.k8s.io", Names::pathSegment),
            entry("certificatesigningrequests.certificates.k8s.io", Names::pathSegment),
            entry("clustertrustbundles.certificates.k8s.io", Names::pathSegment),
            entry("poddisruptionbudgets.policy", Names::pathSegment),
            entry("ipaddresses.networking.k8s.io", Names::pathSegment),
            entry("storageversions.internal.apiserver.k8s.io", Names::pathSegment),
            entry("apiservices.apiregistration.k8s.io", Names::pathSegment));

    private MetadataRules() {}

    /**
     * Checks the metadata of a new object.
     *
     * @param type such as {@code deployments.apps}
     * @param builtIn whether it is built in
     */
    static void created(String type, boolean builtIn, Value metadata) {
        Function<String, List<String>> rule = NAMES.getOrDefault(type, Names::subdomain);
        Value base = metadata.at("generateName");
        if (!base.isEmpty()) {
            base.invalid(rule.apply(base.text().replaceFirst("(?<=.)-$", "a"))); // the end of a name follows
        }
        Value name = metadata.at("name");
        if (name.isEmpty()) {
            name.required("name or generateName is required");
        } else {
            name.invalid(rule.apply(name.text()));
        }
        if (metadata.at("generation").number() < 0) {
            metadata.at("generation").invalid("must be greater than or equal to 0");
        }
        common(metadata);
        finalizers(builtIn, metadata);
        if (type.equals("cronjobs.batch") && name.text().length() > LONGEST_CRON_JOB) {
            name.invalid("must be no more than 52 characters");
        }
    }

    /** Checks the metadata of a changed object. */
    static void updated(boolean builtIn, Value metadata) {
        common(metadata);
        finalizers(builtIn, metadata);
    }

    private static void finalizers(boolean builtIn, Value metadata) {
        Value finalizers = metadata.at("finalizers");
        finalizers.items().forEach(finalizer -> finalizers.with(finalizer.node()).invalid(Names.key(finalizer.text())));
        if (builtIn) {
            finalizers.items().stream().filter(finalizer -> !isFinalizer(finalizer.text()))
                    .forEach(finalizer -> finalizer.invalid(NO_FINALIZER));
        }
    }

    static boolean isFinalizer(String name) {
        return name.contains("/") || STANDARD_FINALIZERS.contains(name);
    }

    /** What is checked of an update too. */
    static void common(Value metadata) {
        labels(metadata.at("labels"));
        annotations(metadata.at("annotations"));
        owners(metadata.at("ownerReferences"));
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
        if (size > MOST_OF_ANNOTATIONS) {
            annotations.tooLong(MOST_OF_ANNOTATIONS);
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void owners(Value owners) {
        String first = "";
        for (Value item : owners.items()) {
            Value owner = owners.with(item.node());
            if (owner.at("apiVersion").isEmpty()) {
                owner.at("apiVersion").invalid("version must not be empty");
            }
            for (String field : List.of("kind", "name", "uid")) {
                if (owner.at(field).isEmpty()) {
                    owner.at(field).invalid("must not be empty");
                }
            }
            if (owner.at("kind").has("Event") && owner.at("apiVersion").has("v1")) {
                owner.invalid("/v1, Kind=Event is disallowed from being an owner");
            }
            if (owner.at("controller").node().asBoolean(false)) {
                String name = owner.at("kind").text() + "/" + owner.at("name").text();
                if (!first.isEmpty()) {
                    owners.invalid("Only one reference can have Controller set to true. Found \"true\" in references for " + first + " and "
                            + name);
                }
                first = first.isEmpty() ? name : first;
            }
        }
    }
}
