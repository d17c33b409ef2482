package io.reactiveinformer.apiserver.internal.cluster;

import java.util.Base64;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The defaults that the server fills in, as far as other programs read them. */
final class Defaults {

    private static final JsonNode WEBHOOK = Json.read("{\"failurePolicy\":\"Fail\",\"matchPolicy\":\"Equivalent\",\"namespaceSelector\":{},"
            + "\"objectSelector\":{},\"timeoutSeconds\":10}");
    private static final JsonNode MUTATING = ((ObjectNode) WEBHOOK.deepCopy()).put("reinvocationPolicy", "Never");
    private static final JsonNode RULE = Json.object().put("scope", "*");
    private static final JsonNode SERVICE = Json.object().put("port", 443);

    private Defaults() {}

    /** @param keepStatus whether the status that the writer sent is stored */
    static void onCreate(ResourceDefinition type, ObjectNode tree, boolean keepStatus) {
        if (type.hasSubresource("status") && !keepStatus && !type.qualified().equals("nodes")) { // nodes keep their creator's status
            tree.remove("status");
        }
        switch (type.qualified()) {
            case "pods" -> PodDefaults.apply(tree);
            case "namespaces" -> {
                named(type, tree);
                Json.child(tree, "spec").putArray("finalizers").add("kubernetes");
                absent(Json.child(tree, "status"), "phase", "Active");
            }
            case "secrets" -> {
                secret(tree);
                absent(tree, "type", "Opaque");
            }
            case "customresourcedefinitions.apiextensions.k8s.io" -> definition(Json.child(tree, "spec"));
            case "deployments.apps", "replicasets.apps", "statefulsets.apps" -> {
                ObjectNode spec = Json.child(tree, "spec");
                if (!spec.has("replicas")) {
                    spec.put("replicas", 1);
                }
                Json.child(tree, "status");
            }
            default -> {
                if (type.hasSubresource("status") && !type.isCustom()) {
                    Json.child(tree, "status");
                }
            }
        }
        protocols(type, tree);
    }

    /** The defaults that depend on the name, which the server may have made. */
    static void named(ResourceDefinition type, ObjectNode tree) {
        String name = Json.text(tree, "metadata", "name");
        if (type.qualified().equals("namespaces") && !name.isEmpty()) {
            Json.child(Json.child(tree, "metadata"), "labels").put("kubernetes.io/metadata.name", name);
        }
    }

    static void onUpdate(ResourceDefinition type, ObjectNode tree) {
        switch (type.qualified()) {
            case "pods" -> PodDefaults.specification(tree);
            case "secrets" -> secret(tree);
            default -> { }
        }
        protocols(type, tree);
    }

    /** A protocol is part of the key by which managed fields name a port, also where nobody has written it. */
    private static void protocols(ResourceDefinition type, ObjectNode tree) {
        JsonNode spec = tree.path("spec");
        switch (type.qualified()) {
            case "services" -> spec.path("ports").forEach(port -> {
                if (port instanceof ObjectNode object && object.has("port")) {
                    absent(object, "protocol", "TCP");
                    if (!object.has("targetPort")) {
                        object.set("targetPort", object.path("port"));
                    }
                }
            });
            case "pods" -> PodDefaults.protocols(spec);
            case "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "replicationcontrollers" ->
                PodDefaults.protocols(spec.path("template").path("spec"));
            case "cronjobs.batch" -> PodDefaults.protocols(spec.path("jobTemplate").path("spec").path("template").path("spec"));
            case "limitranges" -> LimitRanges.defaults(tree);
            case "mutatingwebhookconfigurations.admissionregistration.k8s.io",
                    "validatingwebhookconfigurations.admissionregistration.k8s.io" -> tree.path("webhooks").forEach(webhook -> {
                        absent(webhook, type.plural().startsWith("mutating") ? MUTATING : WEBHOOK);
                        webhook.path("rules").forEach(rule -> absent(rule, RULE));
                        absent(webhook.path("clientConfig").path("service"), SERVICE);
                    });
            case CustomTypes.DEFINITIONS -> absent(spec.path("conversion").path("webhook").path("clientConfig").path("service"), SERVICE);
            case "storageclasses.storage.k8s.io" -> {
                absent(tree, "reclaimPolicy", "Delete");
                absent(tree, "volumeBindingMode", "Immediate");
            }
            case "priorityclasses.scheduling.k8s.io" -> absent(tree, "preemptionPolicy", "PreemptLowerPriority");
            case "podtemplates" -> PodDefaults.protocols(tree.path("template").path("spec"));
            default -> { }
        }
    }

    /** A secret's text is stored, and read, as bytes. */
    private static void secret(ObjectNode tree) {
        JsonNode texts = tree.remove("stringData");
        if (texts != null) {
            ObjectNode data = Json.child(tree, "data");
            texts.properties().forEach(text -> data.put(text.getKey(), base64(text.getValue().asString())));
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(Json.utf8(text));
    }

    /** The defaults of admission, which are filled in after managed fields were recorded, so that the client does not own them. */
    static void onAdmission(ResourceDefinition type, ObjectNode tree) {
        switch (type.qualified()) {
            case "pods" -> PodDefaults.admit(tree);
            case "customresourcedefinitions.apiextensions.k8s.io" -> established(tree);
            default -> { }
        }
    }

    private static void definition(ObjectNode spec) {
        ObjectNode names = Json.child(spec, "names");
        String kind = Json.text(names, "kind");
        absent(names, "singular", kind.toLowerCase(Locale.ROOT));
        absent(names, "listKind", kind + "List");
        absent(Json.child(spec, "conversion"), "strategy", "None");
    }

    private static void established(ObjectNode tree) {
        ObjectNode status = Json.child(tree, "status");
        if (status.isEmpty()) {
            status.putNull("conditions");
            status.putObject("acceptedNames").put("plural", "").put("kind", "");
            status.putArray("storedVersions").add(CustomTypes.storageVersion(tree.path("spec").path("versions")));
        }
    }

    private static void absent(JsonNode object, JsonNode defaults) {
        defaults.properties().stream().filter(each -> object.isObject() && !object.has(each.getKey()))
                .forEach(each -> ((ObjectNode) object).set(each.getKey(), each.getValue().deepCopy()));
    }

    static void absent(ObjectNode object, String field, String value) {
        if (!object.has(field)) {
            object.put(field, value);
        }
    }
}
