package io.reactiveinformer.apiserver.internal.validation;

import java.util.List;

/** The rules of roles and of their bindings. */
final class AccessRules {

    private static final String GROUP = "rbac.authorization.k8s.io";

    private AccessRules() {}

    static void role(Value object, boolean namespaced) {
        Value selectors = object.at("aggregationRule", "clusterRoleSelectors");
        if (object.at("aggregationRule").isSet() && selectors.isEmpty()) {
            selectors.required("at least one clusterRoleSelector required if aggregationRule is non-nil");
        }
        for (Value rule : object.at("rules").items()) {
            if (rule.at("verbs").isEmpty()) {
                rule.at("verbs").required("verbs must contain at least one value");
            }
            Value urls = rule.at("nonResourceURLs");
            if (!urls.isEmpty()) {
                if (namespaced) {
                    urls.invalid("namespaced rules cannot apply to non-resource URLs");
                }
                if (!rule.at("apiGroups").isEmpty() || !rule.at("resources").isEmpty() || !rule.at("resourceNames").isEmpty()) {
                    urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
                }
                continue;
            }
            if (rule.at("apiGroups").isEmpty()) {
                rule.at("apiGroups").required("resource rules must supply at least one api group");
            }
            if (rule.at("resources").isEmpty()) {
                rule.at("resources").required("resource rules must supply at least one resource");
            }
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
                    if (!name.isEmpty()) {
                        name.invalid(Names.subdomain(name.text()));
                    }
                    subject.at("apiGroup").oneOf("");
                    if (!namespaced) {
                        subject.at("namespace").require();
                    }
                }
                case "User", "Group" -> subject.at("apiGroup").oneOf(GROUP);
                default -> subject.at("kind").unsupported(List.of("ServiceAccount", "User", "Group"));
            }
        }
    }
}
