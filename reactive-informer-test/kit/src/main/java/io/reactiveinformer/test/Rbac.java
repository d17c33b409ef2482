package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.server.Action;
import io.reactiveinformer.apiserver.internal.server.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The roles and bindings of a cluster, read anew for each question. {@code cluster-admin} allows everything also if there is no such role.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/rbac/">Using RBAC authorization</a>
 */
final class Rbac {

    private static final JsonNode EVERYTHING = Json.read("[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}]");

    private final Cluster cluster;

    Rbac(Cluster cluster) {
        this.cluster = cluster;
    }

    /** What one binding gives, and why, in the server's words. */
    private record Grant(String reason, List<JsonNode> rules) {}

    /** Whether there is any binding. */
    boolean isUsed() {
        return Stream.concat(objects("clusterrolebindings", null), objects("rolebindings", null)).findAny().isPresent();
    }

    /** The binding that allows this, as a reason; null if there is none. */
    @Nullable String allows(Caller caller, Action action) {
        return grants(caller, action.namespace())
                .filter(grant -> grant.rules().stream().anyMatch(rule -> allows(rule, action)))
                .map(Grant::reason)
                .findFirst()
                .orElse(null);
    }

    /** The rules that the caller's bindings give in a namespace. */
    Stream<JsonNode> rules(Caller caller, String namespace) {
        return grants(caller, namespace).flatMap(grant -> grant.rules().stream());
    }

    private Stream<Grant> grants(Caller caller, @Nullable String namespace) {
        Stream<JsonNode> inNamespace = namespace == null ? Stream.empty() : objects("rolebindings", namespace);
        return Stream.concat(objects("clusterrolebindings", null), inNamespace).flatMap(binding -> elements(binding.path("subjects"))
                .filter(subject -> is(subject, caller, Json.text(binding.path("metadata"), "namespace")))
                .map(subject -> new Grant(reason(binding, subject), rulesOf(binding))));
    }

    /** A service account without a namespace is one of the binding's. */
    private static boolean is(JsonNode subject, Caller caller, String bindingNamespace) {
        String name = Json.text(subject, "name");
        String namespace = Json.text(subject, "namespace");
        return switch (Json.text(subject, "kind")) {
            case "User" -> name.equals(caller.user());
            case "Group" -> caller.groups().contains(name);
            case "ServiceAccount" -> caller.user().equals("system:serviceaccount:" + (namespace.isEmpty() ? bindingNamespace : namespace) + ":" + name);
            default -> false;
        };
    }

    private static String reason(JsonNode binding, JsonNode subject) {
        return "RBAC: allowed by " + Json.text(binding, "kind") + " \"" + qualified(binding.path("metadata")) + "\" of "
                + Json.text(binding, "roleRef", "kind") + " \"" + Json.text(binding, "roleRef", "name") + "\" to "
                + Json.text(subject, "kind") + " \"" + qualified(subject) + "\"";
    }

    private static String qualified(JsonNode named) {
        String namespace = Json.text(named, "namespace");
        return Json.text(named, "name") + (namespace.isEmpty() ? "" : "/" + namespace);
    }

    private List<JsonNode> rulesOf(JsonNode binding) {
        String name = Json.text(binding, "roleRef", "name");
        Stream<JsonNode> roles = Json.text(binding, "roleRef", "kind").equals("Role")
                ? objects("roles", Json.text(binding, "metadata", "namespace"))
                : objects("clusterroles", null);
        List<JsonNode> rules = new ArrayList<>();
        roles.filter(role -> Json.text(role, "metadata", "name").equals(name)).forEach(role -> {
            elements(role.path("rules")).forEach(rules::add);
            elements(role.path("aggregationRule").path("clusterRoleSelectors"))
                    .flatMap(selector -> objects("clusterroles", null).filter(other -> isSelected(other, selector)))
                    .forEach(other -> elements(other.path("rules")).forEach(rules::add));
        });
        if (rules.isEmpty() && name.equals("cluster-admin")) {
            elements(EVERYTHING).forEach(rules::add);
        }
        return rules;
    }

    private static boolean isSelected(JsonNode role, JsonNode selector) {
        JsonNode labels = role.path("metadata").path("labels");
        return selector.path("matchLabels").properties().stream().allMatch(label -> label.getValue().equals(labels.get(label.getKey())));
    }

    private static boolean allows(JsonNode rule, Action action) {
        return has(rule.path("verbs"), action.verb(), "*")
                && has(rule.path("apiGroups"), action.group(), "*")
                && (has(rule.path("resources"), action.resource(), "*")
                        || !action.subresource().isEmpty() && has(rule.path("resources"), "*/" + action.subresource(), "*"))
                && (rule.path("resourceNames").isEmpty() || has(rule.path("resourceNames"), action.name(), action.name()));
    }

    private static boolean has(JsonNode list, String value, String any) {
        return elements(list).map(Json::text).anyMatch(element -> element.equals(value) || element.equals(any));
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private Stream<JsonNode> objects(String plural, @Nullable String namespace) {
        return cluster.list(cluster.types().find("rbac.authorization.k8s.io", plural).orElseThrow(), Selection.namespace(namespace), null)
                .objects().stream().map(StoredObject::tree);
    }
}
