package io.reactiveinformer.laws.permissions;

import io.reactiveinformer.permissions.AccessRequest;
import io.reactiveinformer.permissions.User;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Roles, bindings, users and requests at random, from few words, so that many of them meet. */
final class RandomRoles {

    static final List<String> NAMESPACES = List.of("judged-a", "judged-b", "judged-c");
    private static final List<String> VERBS = List.of("get", "list", "watch", "create", "deletecollection", "use");
    private static final List<String> GROUPS = List.of("", "apps", "example.com");
    private static final List<String> RESOURCES = List.of("pods", "configmaps", "deployments", "namespaces", "widgets");
    private static final List<String> SUBRESOURCES = List.of("", "", "", "log", "scale");
    private static final List<String> NAMES = List.of("a", "b", "judged-a");
    private static final List<String> USERS = List.of("jane", "bob", "o'neil \"x\"", "team-a", "ünï",
            "system:serviceaccount:judged-a:app", "system:serviceaccount:judged-b:app", "system:anonymous");
    private static final List<String> TEAMS = List.of("team-a", "team-b", "team c", "jane", "system:masters");

    private final Random random;

    RandomRoles(long seed) {
        random = new Random(seed);
    }

    <T> T of(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    private List<String> some(int most, Supplier<String> word) {
        return Stream.generate(word).limit(1 + random.nextInt(most)).distinct().toList();
    }

    /** @param ofCluster whether it may be about other paths than those of resources */
    private Map<String, Object> rule(boolean ofCluster) {
        Map<String, Object> rule = new HashMap<>();
        rule.put("verbs", some(3, () -> oneIn(8) ? "*" : of(VERBS)));
        if (ofCluster && oneIn(6)) {
            rule.put("nonResourceURLs", some(2, () -> of(List.of("*", "/pods", "/api/*"))));
            return rule;
        }
        rule.put("apiGroups", some(2, () -> oneIn(5) ? "*" : of(GROUPS)));
        rule.put("resources", some(3, () -> oneIn(12) ? "*" : oneIn(8) ? "*/" + of(List.of("log", "scale"))
                : of(RESOURCES) + (oneIn(4) ? "/" + of(List.of("log", "scale", "*")) : "")));
        if (oneIn(6)) {
            rule.put("resourceNames", List.of()); // for all, as without it
            rule.put("nonResourceURLs", List.of());
        } else if (oneIn(3)) {
            rule.put("resourceNames", some(2, () -> oneIn(10) ? "*" : oneIn(10) ? "" : of(NAMES)));
        }
        return rule;
    }

    /** @param namespace empty for a ClusterRole */
    Map<String, Object> role(String namespace, String name) {
        Map<String, Object> metadata = Map.of("metadata", metadata(namespace, name));
        Map<String, Object> role = new HashMap<>(metadata);
        role.put("rules", Stream.generate(() -> rule(namespace.isEmpty())).limit(random.nextInt(6)).toList());
        return oneIn(12) ? metadata : role;
    }

    private static Map<String, String> metadata(String namespace, String name) {
        return namespace.isEmpty() ? Map.of("name", name) : Map.of("name", name, "namespace", namespace);
    }

    private Map<String, String> subject(String bindingNamespace) {
        if (oneIn(4)) {
            Map<String, String> account = new HashMap<>(Map.of("kind", "ServiceAccount", "name", "app"));
            if (bindingNamespace.isEmpty() || oneIn(2)) {
                account.put("namespace", of(NAMESPACES));
            }
            return account;
        }
        return oneIn(2)
                ? Map.of("kind", "User", "name", of(USERS), "apiGroup", "rbac.authorization.k8s.io")
                : Map.of("kind", "Group", "apiGroup", "rbac.authorization.k8s.io", "name", oneIn(4)
                        ? of(List.of("system:authenticated", "system:unauthenticated", "system:serviceaccounts",
                                "system:serviceaccounts:judged-b", "nobody-is-in-it"))
                        : of(TEAMS));
    }

    /** @param namespace empty for a ClusterRoleBinding */
    Map<String, Object> binding(String namespace, String name, List<String> roles, List<String> clusterRoles) {
        boolean ofCluster = namespace.isEmpty() || oneIn(2);
        String role = oneIn(10) ? "judged-missing" : of(ofCluster ? clusterRoles : roles);
        return Map.of("metadata", metadata(namespace, name),
                "subjects", Stream.generate(() -> subject(namespace)).limit(random.nextInt(4)).toList(),
                "roleRef", Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", ofCluster ? "ClusterRole" : "Role", "name", role));
    }

    User user() {
        Set<String> groups = new TreeSet<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            groups.add(oneIn(30) ? "system:masters" : of(TEAMS.subList(0, TEAMS.size() - 1)));
        }
        return new User(of(USERS), groups);
    }

    AccessRequest request() {
        return new AccessRequest(oneIn(20) ? "*" : of(VERBS), oneIn(20) ? "*" : of(GROUPS), oneIn(20) ? "*" : of(RESOURCES),
                of(SUBRESOURCES), oneIn(4) ? "" : of(NAMESPACES), oneIn(3) ? "" : of(NAMES));
    }

    /** As {@code like}, for any object. */
    AccessRequest request(AccessRequest like) {
        return new AccessRequest(like.verb(), like.group(), like.resource(), "", oneIn(4) ? "" : of(NAMESPACES), of(NAMES));
    }

    List<String> shuffled(List<String> all) {
        List<String> some = new ArrayList<>(all);
        Collections.shuffle(some, random);
        return some;
    }
}
