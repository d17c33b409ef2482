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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
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
        var matching = new Matching(cluster, request, write, object);
        List<JsonNode> bindings = objects("validatingadmissionpolicybindings").stream().<JsonNode>map(StoredObject::tree).toList();
        for (StoredObject policy : policies) {
            JsonNode spec = policy.tree().path("spec");
            if (matches(spec.path("matchConstraints"), matching)) {
                bindings.stream().filter(binding -> Json.text(binding, "spec", "policyName").equals(policy.name()))
                        .filter(binding -> matches(binding.path("spec").path("matchResources"), matching))
                        .forEach(binding -> validate(policy, spec, binding, matching));
            }
        }
    }

    private void validate(StoredObject policy, JsonNode spec, JsonNode binding, Matching matching) {
        List<Policy.Denial> denials = new ArrayList<>();
        try {
            Policy compiled = COMPILED.computeIfAbsent(policy, key -> new Policy(spec));
            for (JsonNode params : params(spec.path("paramKind"), binding.path("spec").path("paramRef"), matching.write())) {
                denials.addAll(compiled.denials(inputs(matching, params)));
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
            throw refused(matching, denials.get(0), name + " denied request: " + denials.get(0).message());
        }
    }

    private static ApiFailure refused(Matching matching, Policy.Denial denial, String message) {
        String name = name(matching);
        ObjectNode details = ApiFailure.details(matching.type(), name);
        details.putArray("causes").addObject().put("message", message);
        return ApiFailure.of(CODES.getOrDefault(denial.reason(), 422), denial.reason().isEmpty() ? "Invalid" : denial.reason(),
                matching.type().qualified() + " \"" + name + "\" is forbidden: " + message, details);
    }

    private Map<String, JsonNode> inputs(Matching matching, JsonNode params) {
        ObjectNode object = matching.object();
        ObjectNode old = matching.write().old();
        StoredObject namespace = matching.namespace();
        ObjectNode asked = matching.asked(request.version(), user).put("name", name(matching))
                .put("subResource", matching.write().target().subresource())
                .put("requestSubResource", matching.write().target().subresource());
        return Map.of("object", object == null ? NullNode.getInstance() : object, "oldObject", old == null ? NullNode.getInstance() : old,
                "request", asked, "params", params, "namespaceObject", namespace == null ? NullNode.getInstance() : namespace.tree());
    }

    private static String name(Matching matching) {
        return matching.object() == null ? matching.write().target().name() : Json.text(matching.object(), "metadata", "name");
    }

    private List<StoredObject> objects(String plural) {
        return cluster.list(cluster.types().find(GROUP, plural).orElseThrow(), Selection.all(), null).objects();
    }

    /** The parameters of a binding: one null node without any. */
    private List<JsonNode> params(JsonNode kind, JsonNode reference, Attributes write) {
        if (kind.isMissingNode() || reference.isMissingNode()) {
            return List.of(NullNode.getInstance());
        }
        ResourceDefinition type = cluster.types().of(Json.text(kind, "apiVersion"), Json.text(kind, "kind"))
                .orElseThrow(() -> new IllegalStateException("failed to find resource referenced by paramKind: '"
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

    private static boolean matches(JsonNode constraints, Matching matching) {
        JsonNode rules = constraints.path("resourceRules");
        return matching.isSelected(constraints) && (rules.isEmpty() || rules.valueStream().anyMatch(rule -> isFor(rule, matching)))
                && constraints.path("excludeResourceRules").valueStream().noneMatch(rule -> isFor(rule, matching));
    }

    private static boolean isFor(JsonNode rule, Matching matching) {
        return matching.type().versions().stream().anyMatch(version -> matching.isFor(rule, version))
                && (rule.path("resourceNames").isEmpty() || Matching.has(rule, "resourceNames", matching.write().target().name()));
    }

}
