package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.Resources;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The defaults that the server fills in, as far as other programs read them. Most are in {@code defaults.json}: for each type the fields of
 * objects at paths, always, when an object is created, or by admission; and where it has a template of pods. The others are here.
 */
final class Defaults {

    static final List<String> CONTAINERS = List.of("containers", "initContainers");

    private static final JsonNode TABLE = Json.read(Resources.text(Defaults.class, "defaults.json"));
    private static final JsonNode OF_PORTS = Json.object().put("protocol", "TCP");

    private Defaults() {}

    /** @param keepStatus whether the status that the writer sent is stored */
    static void onCreate(ResourceDefinition type, ObjectNode tree, boolean keepStatus) {
        boolean hasStatus = type.hasSubresource("status");
        if (hasStatus && !keepStatus && !type.qualified().equals("nodes")) { // nodes keep their creator's status
            tree.remove("status");
        }
        always(type, tree);
        fillIn(type, "create", tree);
        switch (type.qualified()) {
            case "namespaces" -> {
                named(type, tree);
                Json.child(tree, "spec").putArray("finalizers").add("kubernetes");
            }
            case CustomTypes.DEFINITIONS -> {
                ObjectNode names = Json.child(Json.child(tree, "spec"), "names");
                String kind = Json.text(names, "kind");
                absent(names, Json.object().put("singular", kind.toLowerCase(Locale.ROOT)).put("listKind", kind + "List"));
            }
            default -> { }
        }
        if (hasStatus && !type.isCustom()) {
            Json.child(tree, "status");
        }
    }

    /** The defaults that depend on the name, which the server may have made. */
    static void named(ResourceDefinition type, ObjectNode tree) {
        String name = Json.text(tree, "metadata", "name");
        if (type.qualified().equals("namespaces") && !name.isEmpty()) {
            Json.child(Json.child(tree, "metadata"), "labels").put("kubernetes.io/metadata.name", name);
        }
    }

    static void always(ResourceDefinition type, ObjectNode tree) {
        fillIn(type, "always", tree);
        switch (type.qualified()) {
            case "pods" -> CONTAINERS.forEach(containers -> tree.path("spec").path(containers).forEach(container -> {
                JsonNode limits = container.path("resources").path("limits");
                if (!limits.isEmpty()) {
                    absent(Json.child((ObjectNode) container.path("resources"), "requests"), limits);
                }
                if (containers.equals("containers")) {
                    String image = Json.text(container, "image");
                    boolean latest = image.endsWith(":latest") || image.lastIndexOf(':') <= image.lastIndexOf('/');
                    absent(container, Json.object().put("imagePullPolicy", latest ? "Always" : "IfNotPresent"));
                }
            }));
            case "secrets" -> {
                JsonNode texts = tree.remove("stringData"); // a secret's text is stored, and read, as bytes
                if (texts != null) {
                    texts.properties().forEach(text -> Json.child(tree, "data")
                            .put(text.getKey(), Base64.getEncoder().encodeToString(Json.utf8(text.getValue().asString()))));
                }
            }
            case "services" -> tree.path("spec").path("ports").valueStream().filter(port -> port.has("port"))
                    .forEach(port -> absent(port, Json.object().set("targetPort", port.path("port"))));
            case "limitranges" -> LimitRanges.defaults(tree);
            default -> { }
        }
        // a protocol is part of the key by which managed fields name a port, also where nobody has written it
        String template = Json.text(TABLE, type.qualified(), "template");
        if (!template.isEmpty()) {
            CONTAINERS.forEach(containers -> at(tree, template + "." + containers + ".*.ports.*").forEach(port -> absent(port, OF_PORTS)));
        }
    }

    /** The defaults of admission, which are filled in after managed fields were recorded, so that the client does not own them. */
    static void onAdmission(ResourceDefinition type, ObjectNode tree) {
        fillIn(type, "admission", tree);
        switch (type.qualified()) {
            case "pods" -> Json.child(tree, "spec").put("priority", 0);
            case CustomTypes.DEFINITIONS -> {
                ObjectNode status = Json.child(tree, "status");
                if (status.isEmpty()) {
                    status.putNull("conditions");
                    status.putObject("acceptedNames").put("plural", "").put("kind", "");
                    status.putArray("storedVersions").add(CustomTypes.storageVersion(tree.path("spec").path("versions")));
                }
            }
            default -> { }
        }
    }

    private static void fillIn(ResourceDefinition type, String when, ObjectNode tree) {
        TABLE.path(type.qualified()).path(when).properties().forEach(each ->
                at(tree, each.getKey()).forEach(object -> absent(object, each.getValue())));
    }

    /** The nodes at a path; {@code *} is each item of a list. */
    private static List<JsonNode> at(JsonNode tree, String path) {
        List<JsonNode> found = List.of(tree);
        for (String step : path.isEmpty() ? new String[0] : path.split("\\.", -1)) {
            found = found.stream().flatMap(node -> step.equals("*") ? node.valueStream() : Stream.of(node.path(step))).toList();
        }
        return found;
    }

    /** Gives an object those fields that it lacks. */
    private static void absent(JsonNode object, JsonNode defaults) {
        defaults.properties().stream().filter(each -> object.isObject() && !object.has(each.getKey()))
                .forEach(each -> ((ObjectNode) object).set(each.getKey(), each.getValue().deepCopy()));
    }
}
