package io.reactiveinformer.permissions;

import io.reactiveinformer.permissions.Rights.Reach;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is cached of a Role or ClusterRole. Of an aggregated one, the server has written the rules into the object. */
record RoleRules(List<Rule> rules) {

    boolean allows(AccessRequest request) {
        return rules.stream().anyMatch(rule -> rule.isAbout(request)
                && (rule.resourceNames.isEmpty() || rule.resourceNames.contains(request.name())));
    }

    /** What the rules say about {@code request}, whatever its name is. */
    Reach reach(AccessRequest request) {
        Set<String> names = new HashSet<>();
        for (Rule rule : rules) {
            if (rule.isAbout(request)) {
                if (rule.resourceNames.isEmpty()) {
                    return Reach.ALL;
                }
                names.addAll(rule.resourceNames);
            }
        }
        return names.isEmpty() ? Reach.NONE : new Reach(false, Set.copyOf(names));
    }

    /** A rule about resources; one about other paths has no resources, and matches no request. */
    record Rule(List<String> verbs, List<String> apiGroups, List<String> resources, List<String> resourceNames) {

        private static final String ANY = "*";

        boolean isAbout(AccessRequest request) {
            return hasOrAny(verbs, request.verb()) && hasOrAny(apiGroups, request.group())
                    && (request.subresource().isEmpty()
                            ? hasOrAny(resources, request.resource())
                            : hasOrAny(resources, request.resource() + "/" + request.subresource())
                                    || resources.contains("*/" + request.subresource()));
        }

        private static boolean hasOrAny(List<String> texts, String text) {
            return texts.contains(text) || texts.contains(ANY);
        }
    }
}
