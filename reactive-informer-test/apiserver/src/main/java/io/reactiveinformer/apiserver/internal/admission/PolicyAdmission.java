package io.reactiveinformer.apiserver.internal.admission;

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

    private final AdmissionRequest request;
    private final Cluster cluster;
    private final Set<String> warnings = new LinkedHashSet<>();

    PolicyAdmission(AdmissionRequest request) {
        this.request = request;
        this.cluster = request.cluster();
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
        List<ApiFailure> refusals = new ArrayList<>();
        for (StoredObject policy : policies) {
            JsonNode spec = policy.tree().path("spec");
            String version = version(spec.path("matchConstraints"), write, object);
            if (!version.isEmpty()) {
                bindings.stream().filter(binding -> Json.text(binding, "spec", "policyName").equals(policy.name()))
                        .filter(binding -> !version(binding.path("spec").path("matchResources"), write, object).isEmpty())
                        .forEach(binding -> validate(policy, spec, binding, write, object, version, refusals));
            }
        }
        if (!refusals.isEmpty()) {
            throw refusals.get(0);
        }
    }

    private void validate(StoredObject policy, JsonNode spec, JsonNode binding, Attributes write, @Nullable ObjectNode object,
            String version, List<ApiFailure> refusals) {
        List<Policy.Denial> denials = new ArrayList<>();
        try {
            Policy compiled = COMPILED.computeIfAbsent(policy, key -> new Policy(spec, "spec"));
            for (JsonNode params : params(spec.path("paramKind"), binding.path("spec").path("paramRef"), write)) {
                denials.addAll(compiled.denials(request.variables(write, object, version, params)));
            }
        } catch (IllegalStateException wrong) {
            if (!Json.text(spec, "failurePolicy").equals("Ignore")) {
                denials.add(new Policy.Denial("", "failed to configure binding: " + wrong.getMessage(), true));
            }
        }
        String name = "ValidatingAdmissionPolicy '" + policy.name() + "' with binding '" + Json.text(binding, "metadata", "name") + "'";
        List<String> actions = binding.path("spec").path("validationActions").valueStream().map(JsonNode::asString).toList();
        denials.forEach(denial -> {
            if (actions.contains("Warn") && !denial.always()) {
                warnings.add("Validation failed for " + name + ": " + denial.message());
            }
            if (actions.contains("Deny") || denial.always()) {
                refusals.add(refused(write, object, denial, name + " denied request: " + denial.message()));
            }
        });
    }

    private static ApiFailure refused(Attributes write, @Nullable ObjectNode object, Policy.Denial denial, String message) {
        ResourceDefinition type = write.target().type();
        String name = object == null ? write.target().name() : Json.text(object, "metadata", "name");
        ObjectNode details = ApiFailure.details(type, name);
        details.putArray("causes").addObject().put("message", message);
        return ApiFailure.of(CODES.getOrDefault(denial.reason(), 422), denial.reason().isEmpty() ? "Invalid" : denial.reason(),
                type.qualified() + " \"" + name + "\" is forbidden: " + message, details);
    }

    List<StoredObject> objects(String plural) {
        return cluster.list(cluster.types().find(GROUP, plural).orElseThrow(), Selection.all(), null).objects();
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
        if (!type.namespaced() && reference.has("namespace")) {
            throw new IllegalStateException("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
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

    /** The version in which a policy sees the objects of a write; empty if it is not about them. */
    private String version(JsonNode constraints, Attributes write, @Nullable ObjectNode object) {
        JsonNode rules = constraints.path("resourceRules");
        return !request.isSelected(constraints, write, object)
                || !request.version(constraints.path("excludeResourceRules"), constraints, write).isEmpty() ? ""
                : rules.isEmpty() ? request.request().version() : request.version(rules, constraints, write);
    }
}
