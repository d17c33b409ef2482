package io.reactiveinformer.apiserver.internal.validation;

import java.util.List;

/** The rules of roles and of their bindings. */
final class AccessRules {

    private static final String GROUP = "rbac.authorization.k8s.io";

    private AccessRules() {}

    static void role(Value object, boolean namespaced) {
        Value selectors = object.at("aggregationRule", "clusterRoleSelectors");
        selectors.requiredIf(object.at("aggregationRule").isSet() && selectors.isEmpty(),
                "at least one clusterRoleSelector required if aggregationRule is non-nil");
        for (Value rule : object.at("rules").items()) {
            rule.at("verbs").requiredIf(rule.at("verbs").isEmpty(), "verbs must contain at least one value");
            Value urls = rule.at("nonResourceURLs");
            if (!urls.isEmpty()) {
                urls.invalidIf(namespaced, "namespaced rules cannot apply to non-resource URLs");
                urls.invalidIf(!rule.at("apiGroups").isEmpty() || !rule.at("resources").isEmpty() || !rule.at("resourceNames").isEmpty(),
                        "rules cannot apply to both regular resources and non-resource URLs");
                continue;
            }
            rule.at("apiGroups").requiredIf(rule.at("apiGroups").isEmpty(), "resource rules must supply at least one api group");
            rule.at("resources").requiredIf(rule.at("resources").isEmpty(), "resource rules must supply at least one resource");
        }
    }

    static void binding(Value object, boolean namespaced) {
        Value role = object.at("roleRef");
        role.at("apiGroup").oneOf(GROUP);
        List<String> kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
        if (!kinds.contains(role.at("kind").text())) {
            role.at("kind").unsupported(kinds);
        }
        for (Value subject : object.at("subjects").items()) {
            Value name = subject.at("name");
            name.require();
            switch (subject.at("kind").text()) {
                case "ServiceAccount" -> {
                    name.invalidIf(!name.isEmpty(), Names.subdomain(name.text()));
                    subject.at("apiGroup").oneOf("");
                    subject.at("namespace").requiredIf(!namespaced && subject.at("namespace").isEmpty(), "");
                }
                case "User", "Group" -> subject.at("apiGroup").oneOf(GROUP);
                default -> subject.at("kind").unsupported(List.of("ServiceAccount", "User", "Group"));
            }
        }
    }
}
