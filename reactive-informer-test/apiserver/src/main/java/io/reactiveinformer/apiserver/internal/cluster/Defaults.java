package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.FieldRules;
import io.reactiveinformer.apiserver.internal.schema.GoForm;
import io.reactiveinformer.apiserver.internal.schema.Quantities;
import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Count;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.stream.Collectors.toSet;

/** The defaults that the server fills in, as far as other programs read them. */
final class Defaults {

    /** The annotation that counts the templates of a DaemonSet. */
    static final String REVISION = "deprecated.daemonset.template.generation";

    private static final Messages MESSAGES = Messages.builtIn();

    private Defaults() {}

    /** @param trusted whether the status that the writer sent is stored, and fields of features that are off */
    static void onCreate(ResourceDefinition type, ObjectNode tree, boolean trusted) {
        if (type.hasSubresource("status") && !trusted && !type.qualified().equals("nodes")) { // nodes keep their creator's status
            tree.remove("status");
        }
        switch (type.qualified()) {
            case "pods" -> PodDefaults.status(tree);
            case "daemonsets.apps" -> Json.child(Json.child(tree, "metadata"), "annotations").put(REVISION, "1");
            case "namespaces" -> {
                ObjectNode spec = Json.child(tree, "spec");
                if (spec.path("finalizers").valueStream().noneMatch(each -> each.asString("").equals("kubernetes"))) {
                    spec.withArray("finalizers").add("kubernetes");
                }
            }
            default -> { }
        }
        onUpdate(type, tree, trusted ? tree : Json.object());
    }

    /** The defaults that depend on the name, which the server may have made. */
    static void named(ResourceDefinition type, ObjectNode tree) {
        String name = Json.text(tree, "metadata", "name");
        if (type.qualified().equals("namespaces") && !name.isEmpty()) {
            Json.child(Json.child(tree, "metadata"), "labels").put("kubernetes.io/metadata.name", name);
        } else if (type.qualified().equals("jobs.batch")) {
            PartDefaults.selectorOfAJob(tree);
        }
    }

    /** @param former has the fields of features that are off, if they may be there */
    static void onUpdate(ResourceDefinition type, ObjectNode tree, JsonNode former) {
        String message = Json.text(tree, "apiVersion") + "." + type.kind();
        switch (type.qualified()) {
            case "namespaces" -> named(type, tree);
            case "pods" -> PodDefaults.ofThePodAlone(Json.child(tree, "spec"));
            case "secrets" -> secret(tree);
            case "customresourcedefinitions.apiextensions.k8s.io" -> names(Json.child(Json.child(tree, "spec"), "names"));
            case "limitranges" -> LimitRanges.defaults(tree);
            default -> { }
        }
        if (MESSAGES.find(message).isPresent()) {
            fill(message, tree, true, former);
        }
    }

    /**
     * Fills in the defaults of the table, and what Go writes for a field that is not set, at every depth.
     *
     * @param preset false without the defaults of this part, as in the template of a CronJob
     */
    private static void fill(String message, ObjectNode object, boolean preset, JsonNode former) {
        Set<String> sent = object.propertyStream().filter(each -> !each.getValue().isNull()).map(Map.Entry::getKey).collect(toSet());
        PartDefaults.apply(message, object);
        for (Field field : MESSAGES.get(message).values()) {
            if (field.inline()) {
                fill(field.type(), object, preset, former);
                continue;
            }
            String name = field.name();
            FieldRules rules = FieldRules.of(message, name);
            if (rules.has("disabled") && former.findValue(name) == null) {
                object.remove(name);
                continue;
            }
            if (rules.get("go").equals("v1.ResourceList") && object.path(name) instanceof ObjectNode amounts) {
                Set.copyOf(amounts.propertyNames())
                        .forEach(each -> amounts.put(each, Quantities.inThousandths(amounts.path(each).asString())));
            }
            JsonNode defaults = !preset ? null : rules.presets().stream().filter(each -> each.field().isEmpty()
                    || (each.expected().isEmpty() ? !sent.contains(each.field()) : Json.text(object, each.field()).equals(each.expected())))
                    .findFirst().map(FieldRules.Preset::value).orElse(null);
            if (isZero(field, object.path(name))) {
                if (defaults == null) {
                    GoForm.addZero(field, object);
                } else {
                    object.set(name, defaults.deepCopy());
                }
            } else if (defaults != null) {
                absent(object.path(name), defaults);
            }
            if (MESSAGES.find(field.type()).isPresent() && !field.type().endsWith(".JSONSchemaProps")) {
                JsonNode value = object.path(name);
                (field.count() == Count.ONE ? Stream.of(value) : value.valueStream()).filter(JsonNode::isObject).forEach(part ->
                        fill(field.type(), (ObjectNode) part, !message.equals("batch/v1.JobTemplateSpec"), former));
            }
        }
    }

    private static boolean isZero(Field field, JsonNode value) {
        return value.isMissingNode() || value.isNull() || !field.pointer() && (value.isContainer() ? field.count() != Count.ONE
                && value.isEmpty() : value.isString() ? value.asString().isEmpty() : value.isNumber() && value.doubleValue() == 0);
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

    private static void names(ObjectNode names) {
        String kind = Json.text(names, "kind");
        absent(names, "singular", kind.toLowerCase(Locale.ROOT));
        absent(names, "listKind", kind + "List");
    }

    /** Remembers that objects of a definition may be stored in its storage version. */
    static void established(ObjectNode tree) {
        String storage = CustomTypes.storageVersion(tree.path("spec").path("versions"));
        ObjectNode status = Json.child(tree, "status").deepCopy();
        if (!BuiltInTypes.strings(status.path("storedVersions")).contains(storage)) {
            status.withArray("storedVersions").add(storage);
            tree.set("status", status);
        }
    }

    private static void absent(JsonNode object, JsonNode defaults) {
        defaults.properties().stream().filter(each -> object.isObject() && !object.has(each.getKey()))
                .forEach(each -> ((ObjectNode) object).set(each.getKey(), each.getValue().deepCopy()));
    }

    static void absent(ObjectNode object, String field, String value) {
        if (Json.text(object, field).isEmpty()) {
            object.put(field, value);
        }
    }
}
