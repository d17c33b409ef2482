package io.reactiveinformer.permissions;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What is cached of a Role or ClusterRole. Of an aggregated one, the server has written the rules into the object. */
record RoleRules(List<Rule> rules) {

    boolean allows(AccessRequest request) {
        return rules.stream().anyMatch(rule -> rule.isAbout(request)
                && (rule.resourceNames.isEmpty() || rule.resourceNames.contains(request.name())));
    }

    /** The names to which the rules allow {@code request}, whatever its name is; {@link Rights#ALL} for all. */
    Set<String> names(AccessRequest request) {
        if (request.isWithoutName()) {
            return allows(request.named("")) ? Rights.ALL : Set.of();
        }
        List<Rule> about = rules.stream().filter(rule -> rule.isAbout(request)).toList();
        return about.stream().anyMatch(rule -> rule.resourceNames.isEmpty()) ? Rights.ALL
                : about.stream().flatMap(rule -> rule.resourceNames.stream())
                        .filter(name -> !name.isEmpty()) // allows requests without a name, and so no object
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** A rule about resources; one about other paths has no resources, and matches no request. */
    record Rule(List<String> verbs, List<String> apiGroups, List<String> resources, List<String> resourceNames) {

        boolean isAbout(AccessRequest request) {
            String subresource = request.subresource();
            return hasOrAny(verbs, request.verb()) && hasOrAny(apiGroups, request.group())
                    && (subresource.isEmpty()
                            ? hasOrAny(resources, request.resource())
                            : hasOrAny(resources, request.resource() + "/" + subresource) || resources.contains("*/" + subresource));
        }

        private static boolean hasOrAny(List<String> texts, String text) {
            return texts.contains(text) || texts.contains("*");
        }
    }
}
