package io.reactiveinformer.apiserver.internal.admission;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cel.Policy;
import io.reactiveinformer.apiserver.internal.cluster.Admission.Attributes;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.LabelSelector;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The ValidatingAdmissionPolicies that apply to one request, by their bindings.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/">Validating Admission Policy</a>
 */
final class PolicyAdmission {

    private static final String GROUP = "admissionregistration.k8s.io";
    private static final Map<StoredObject, Policy> COMPILED = Collections.synchronizedMap(new WeakHashMap<>());
    private static final Map<String, Integer> CODES = Map.of("Unauthorized", 401, "Forbidden", 403, "RequestEntityTooLarge", 413);

    private final Cluster cluster;
    private final ApiRequest request;
    private final ObjectNode user;
    private final Set<String> warnings = new LinkedHashSet<>();

    /** @param user who sends the request: {@code username} and {@code groups} */
    PolicyAdmission(Cluster cluster, ApiRequest request, ObjectNode user) {
        this.cluster = cluster;
        this.request = request;
        this.user = user;
    }

    /** What policies want the client to be told. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    void validate(Attributes write, @Nullable ObjectNode object) {
        List<StoredObject> policies = objects("validatingadmissionpolicies");
        if (policies.isEmpty() || write.target().type().group().equals(GROUP) || write.target().subresource().equals("scale")) {
            return;
        }
        List<JsonNode> bindings = objects("validatingadmissionpolicybindings").stream().<JsonNode>map(StoredObject::tree).toList();
        for (StoredObject policy : policies) {
            JsonNode spec = policy.tree().path("spec");
            if (matches(spec.path("matchConstraints"), write, object)) {
                bindings.stream().filter(binding -> Json.text(binding, "spec", "policyName").equals(policy.name()))
                        .filter(binding -> matches(binding.path("spec").path("matchResources"), write, object))
                        .forEach(binding -> validate(policy, spec, binding, write, object));
            }
        }
    }

    private void validate(StoredObject policy, JsonNode spec, JsonNode binding, Attributes write, @Nullable ObjectNode object) {
        List<Policy.Denial> denials = new ArrayList<>();
        try {
            Policy compiled = COMPILED.computeIfAbsent(policy, key -> new Policy(spec));
            for (JsonNode params : params(spec.path("paramKind"), binding.path("spec").path("paramRef"), write)) {
                denials.addAll(compiled.denials(inputs(write, object, params)));
            }
        } catch (IllegalStateException wrong) {
            if (!Json.text(spec, "failurePolicy").equals("Ignore")) {
                denials.add(new Policy.Denial("", "failed to configure binding: " + wrong.getMessage()));
            }
        }
        String name = "ValidatingAdmissionPolicy '" + policy.name() + "' with binding '" + Json.text(binding, "metadata", "name") + "'";
        List<String> actions = binding.path("spec").path("validationActions").valueStream().map(JsonNode::asString).toList();
        if (actions.contains("Warn")) {
            denials.forEach(denial -> warnings.add("Validation failed for " + name + ": " + denial.message()));
        }
        if (actions.contains("Deny") && !denials.isEmpty()) {
            throw refused(write, object, denials.get(0), name + " denied request: " + denials.get(0).message());
        }
    }

    private static ApiFailure refused(Attributes write, @Nullable ObjectNode object, Policy.Denial denial, String message) {
        ResourceDefinition type = write.target().type();
        String name = object == null ? write.target().name() : Json.text(object, "metadata", "name");
        ObjectNode details = ApiFailure.details(type, name);
        details.putArray("causes").addObject().put("message", message);
        return ApiFailure.of(CODES.getOrDefault(denial.reason(), 422), denial.reason().isEmpty() ? "Invalid" : denial.reason(),
                type.qualified() + " \"" + name + "\" is forbidden: " + message, details);
    }

    private Map<String, JsonNode> inputs(Attributes write, @Nullable ObjectNode object, JsonNode params) {
        ResourceDefinition type = write.target().type();
        ObjectNode kind = Json.object().put("group", type.group()).put("version", request.version());
        ObjectNode resource = kind.deepCopy().put("resource", type.plural());
        kind.put("kind", type.kind());
        ObjectNode asked = Json.object().put("operation", write.operation()).put("dryRun", write.dryRun())
                .put("name", object == null ? write.target().name() : Json.text(object, "metadata", "name"))
                .put("subResource", write.target().subresource()).put("requestSubResource", write.target().subresource());
        if (write.target().namespace() != null) {
            asked.put("namespace", write.target().namespace());
        }
        asked.set("kind", kind);
        asked.set("requestKind", kind);
        asked.set("resource", resource);
        asked.set("requestResource", resource);
        asked.set("userInfo", user);
        Map<String, JsonNode> inputs = new HashMap<>();
        inputs.put("object", object == null ? NullNode.getInstance() : object);
        inputs.put("oldObject", write.old() == null ? NullNode.getInstance() : write.old());
        inputs.put("request", asked);
        inputs.put("params", params);
        StoredObject namespace = namespace(write);
        inputs.put("namespaceObject", namespace == null ? NullNode.getInstance() : namespace.tree());
        return inputs;
    }

    private List<StoredObject> objects(String plural) {
        return cluster.list(cluster.types().find(GROUP, plural).orElseThrow(), Selection.all(), null).objects();
    }

    private @Nullable StoredObject namespace(Attributes write) {
        String name = write.target().namespace();
        return name == null ? null : cluster.get(cluster.types().find("", "namespaces").orElseThrow(), null, name);
    }

    /** The parameters of a binding: one null node without any. */
    private List<JsonNode> params(JsonNode kind, JsonNode reference, Attributes write) {
        if (kind.isMissingNode() || reference.isMissingNode()) {
            return List.of(NullNode.getInstance());
        }
        ResourceDefinition type = cluster.types().all().stream().filter(each -> each.kind().equals(Json.text(kind, "kind"))
                && each.versions().stream().anyMatch(version -> each.apiVersion(version).equals(Json.text(kind, "apiVersion"))))
                .findFirst().orElseThrow(() -> new IllegalStateException("failed to find resource referenced by paramKind: '"
                        + Json.text(kind, "apiVersion") + ", Kind=" + Json.text(kind, "kind") + "'"));
        String namespace = !type.namespaced() ? null
                : reference.has("namespace") ? Json.text(reference, "namespace") : write.target().namespace();
        if (type.namespaced() && namespace == null) {
            throw new IllegalStateException("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
        }
        LabelSelector selector = LabelSelector.of(reference.path("selector"));
        List<JsonNode> params = cluster.list(type, new Selection(namespace, selector, Selection.all().fields()), null).objects().stream()
                .filter(each -> !reference.has("name") || each.name().equals(Json.text(reference, "name")))
                .<JsonNode>map(StoredObject::tree).toList();
        if (params.isEmpty() && Json.text(reference, "parameterNotFoundAction").equals("Deny")) {
            throw new IllegalStateException("no params found for policy binding with `Deny` parameterNotFoundAction");
        }
        return params;
    }

    private boolean matches(JsonNode constraints, Attributes write, @Nullable ObjectNode object) {
        LabelSelector objects = LabelSelector.of(constraints.path("objectSelector"));
        JsonNode rules = constraints.path("resourceRules");
        return selectsNamespace(LabelSelector.of(constraints.path("namespaceSelector")), write, object)
                && Stream.of(object, write.old()).anyMatch(each -> each != null && objects.matches(each.path("metadata").path("labels")))
                && (rules.isEmpty() || rules.valueStream().anyMatch(rule -> isFor(rule, write)))
                && constraints.path("excludeResourceRules").valueStream().noneMatch(rule -> isFor(rule, write));
    }

    private boolean selectsNamespace(LabelSelector selector, Attributes write, @Nullable ObjectNode object) {
        if (write.target().type().qualified().equals("namespaces")) {
            JsonNode itself = object != null || write.old() == null ? object : write.old();
            return itself != null && selector.matches(itself.path("metadata").path("labels"));
        }
        StoredObject namespace = namespace(write);
        return namespace == null || selector.matches(namespace.tree().path("metadata").path("labels"));
    }

    private static boolean isFor(JsonNode rule, Attributes write) {
        return write.target().type().versions().stream().anyMatch(version -> Webhook.isFor(rule, write, version))
                && (rule.path("resourceNames").isEmpty() || Webhook.has(rule, "resourceNames", write.target().name()));
    }
}
