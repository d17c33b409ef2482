package io.reactiveinformer.controller;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.internal.codec.ClassFields;
import io.reactiveinformer.internal.codec.HasCodec;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Compares a custom type with its CustomResourceDefinition on the server, for the start of an operator, or for a test. */
public final class DefinitionCheck {

    private static final ResourceType<JsonNode> DEFINITIONS =
            ResourceType.dynamic("apiextensions.k8s.io", "v1", "customresourcedefinitions");

    /** Described by Kubernetes, and not by definitions. */
    private static final Set<String> GIVEN = Set.of("apiVersion", "kind", "metadata");

    private static final String NUMBER_OR_STRING = "integer or string";

    private final ResourceType<?> type;
    private final ObjectCodec codec;
    private final List<String> differences = new ArrayList<>();

    private DefinitionCheck(ResourceType<?> type, ObjectCodec codec) {
        this.type = type;
        this.codec = codec;
    }

    /**
     * The differences: kind, scope, whether the version is served, and each field of the class compared with the schema. Each is a sentence
     * that begins with the field, such as {@code spec.htlm: the definition has no such field, so the server drops it}; the list is empty if
     * all fits. Fields that only the definition has are a difference only if it requires them. For trees, partial metadata and projections,
     * fields are not compared.
     *
     * <p>Needs the right to {@code get} the definition. Without a definition of that name, that is the only difference.
     *
     * @param type of a group of your own; built-in types have no definition
     */
    public static Mono<List<String>> differences(KubernetesClient client, ResourceType<?> type) {
        String name = type.plural() + "." + type.group();
        ObjectCodec codec = client instanceof HasCodec has ? has.codec() : ObjectCodec.create();
        return client.resources(DEFINITIONS).get(ObjectKey.clusterScoped(name))
                .map(definition -> new DefinitionCheck(type, codec).against(definition))
                .onErrorResume(NotFoundException.class, absent -> Mono.just(List.of("the server has no definition " + name)));
    }

    private List<String> against(JsonNode definition) {
        JsonNode spec = definition.path("spec");
        String scope = type.namespaced() ? "Namespaced" : "Cluster";
        if (type.kind() != null && !spec.path("scope").asString("").equals(scope)) { // without a kind it is only assumed
            differences.add("the scope is " + spec.path("scope").asString("") + " in the definition, and " + scope + " in the program");
        }
        String kind = spec.path("names").path("kind").asString("");
        if (type.kind() != null && !kind.equals(type.kind())) {
            differences.add("the kind is " + kind + " in the definition, and " + type.kind() + " in the program");
        }
        spec.path("versions").valueStream().filter(version -> version.path("name").asString("").equals(type.version())).findFirst()
                .ifPresentOrElse(this::compare, () -> differences.add("the definition has no version " + type.version() + ", but "
                        + spec.path("versions").valueStream().map(version -> version.path("name").asString(""))
                                .collect(Collectors.joining(", "))));
        return List.copyOf(differences);
    }

    private void compare(JsonNode version) {
        if (!version.path("served").asBoolean(false)) {
            differences.add("the version " + type.version() + " is not served");
        }
        if (type.form() == Form.DYNAMIC || type.form() == Form.METADATA || type.form() == Form.PROJECTED) {
            return;
        }
        ClassFields fields = codec.fields(type.objectClass());
        if (fields.properties().containsKey("status") && !version.path("subresources").has("status")) {
            differences.add("status: the definition has no subresource of that name, so that it cannot be written by itself");
        }
        compare("", version.path("schema").path("openAPIV3Schema"), fields);
    }

    private void compare(String path, JsonNode schema, ClassFields fields) {
        if (schema.isEmpty()) {
            return; // anything
        } else if (!fields.form().isEmpty() && !fits(schema, fields.form())) {
            differences.add(path + ": " + formOf(schema) + " in the definition, and " + fields.form() + " in the class");
            return;
        }
        if (fields.values() != null && schema.path("additionalProperties").isObject()) {
            compare(path + ".*", schema.path("additionalProperties"), fields.values());
        }
        if (fields.items() != null) {
            compare(path + "[]", schema.path("items"), fields.items());
        }
        boolean open = schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)
                || schema.path("x-kubernetes-embedded-resource").asBoolean(false) || schema.has("additionalProperties");
        fields.properties().forEach((name, value) -> {
            String inner = path.isEmpty() ? name : path + "." + name;
            JsonNode property = schema.path("properties").path(name);
            if (path.isEmpty() && GIVEN.contains(name)) {
                return;
            } else if (!property.isMissingNode()) {
                compare(inner, property, value);
            } else if (!open && !fields.model()) { // nobody can remove a field from a model
                differences.add(inner + ": the definition has no such field, so the server drops it");
            }
        });
        for (JsonNode required : schema.path("required")) {
            String name = required.asString();
            if (!fields.properties().isEmpty() && !fields.properties().containsKey(name) && !(path.isEmpty() && GIVEN.contains(name))) {
                differences.add((path.isEmpty() ? name : path + "." + name)
                        + ": the definition requires it, and the class has no such field, so that objects cannot be written as a whole");
            }
        }
    }

    private static boolean fits(JsonNode schema, String form) {
        String defined = formOf(schema);
        return defined.isEmpty() || defined.equals(form) || form.equals("number") && defined.equals("integer")
                || form.equals("string") && defined.equals(NUMBER_OR_STRING);
    }

    private static String formOf(JsonNode schema) {
        return schema.path("x-kubernetes-int-or-string").asBoolean(false) ? NUMBER_OR_STRING : schema.path("type").asString("");
    }
}
