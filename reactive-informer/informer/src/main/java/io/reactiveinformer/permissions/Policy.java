package io.reactiveinformer.permissions;

import io.reactiveinformer.permissions.BoundRole.Grant;
import io.reactiveinformer.permissions.Permissions.Decision;
import io.reactiveinformer.permissions.Rights.Reach;
import io.reactiveinformer.permissions.RoleRules.Rule;
import io.reactiveinformer.resource.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The roles, and the bindings by subject. One writer at a time; readers do not wait, and may see one half of a change that is being made:
 * each half is a state of one object that the server had.
 */
final class Policy {

    /** The binding that the server is born with, as it were: it has an authorizer of its own for this group. No object has such a key. */
    private static final ObjectKey MASTERS = ObjectKey.of("/", "system:masters");
    private static final List<String> ANY = List.of("*");

    private final Map<ObjectKey, RoleRules> roles = new ConcurrentHashMap<>();
    private final Map<String, Map<ObjectKey, Grant>> bySubject = new ConcurrentHashMap<>();

    Policy() {
        roles.put(MASTERS, new RoleRules(List.of(new Rule(ANY, ANY, ANY, List.of()))));
        bySubject.put(BoundRole.group(MASTERS.name()), Map.of(MASTERS, new Grant(null, MASTERS)));
    }

    /** @param rules null if there is no such role any more */
    void setRole(ObjectKey key, @Nullable RoleRules rules) {
        if (rules == null) {
            roles.remove(key);
        } else {
            roles.put(key, rules);
        }
    }

    /**
     * Replaces a binding.
     *
     * @param before what the binding was at the last call; null for none
     * @param after what it is; null for none
     * @return the subjects that it concerns, or has concerned
     */
    Set<String> setBinding(ObjectKey key, @Nullable BoundRole before, @Nullable BoundRole after) {
        Set<String> concerned = new HashSet<>();
        Grant grant = after == null ? null : after.grant(key);
        if (after != null && grant != null) {
            for (String subject : after.subjects(key)) {
                bySubject.computeIfAbsent(subject, any -> new ConcurrentHashMap<>()).put(key, grant);
                concerned.add(subject);
            }
        }
        for (String subject : before == null ? List.<String>of() : before.subjects(key)) {
            if (concerned.add(subject)) {
                bySubject.computeIfPresent(subject, (any, bindings) -> {
                    bindings.remove(key);
                    return bindings.isEmpty() ? null : bindings;
                });
            }
        }
        return concerned;
    }

    Set<Grant> grants(User user) {
        Set<Grant> all = new HashSet<>();
        BoundRole.subjectsOf(user).forEach(subject -> all.addAll(bySubject.getOrDefault(subject, Map.of()).values()));
        return Set.copyOf(all);
    }

    /** What grants say about requests like {@code request}, in all namespaces and for all names. */
    Rights rights(Set<Grant> grants, AccessRequest request) {
        Map<@Nullable String, Reach> granted = new HashMap<>();
        for (Grant grant : grants) {
            RoleRules role = roles.get(grant.role());
            if (role != null) {
                granted.merge(grant.namespace(), role.reach(request), Reach::with);
            }
        }
        boolean named = request.group().isEmpty() && request.resource().equals("namespaces") && !Set.of("list", "watch").contains(request.verb());
        return Rights.of(granted, named);
    }

    Decision decide(User user, AccessRequest request) {
        String missing = "";
        for (String subject : BoundRole.subjectsOf(user)) {
            for (Map.Entry<ObjectKey, Grant> binding : bySubject.getOrDefault(subject, Map.of()).entrySet()) {
                Grant grant = binding.getValue();
                RoleRules role = roles.get(grant.role());
                if (grant.namespace() != null && !grant.namespace().equals(request.namespace())) {
                    continue;
                }
                if (role == null) {
                    missing = "; the binding " + binding.getKey() + " is to the role " + grant.role() + ", which does not exist";
                } else if (role.allows(request)) {
                    return new Decision(true, "the binding " + binding.getKey() + " of the role " + grant.role() + " to " + subject + " allows it");
                }
            }
        }
        return new Decision(false, "no role allows User " + user.name() + " to " + request + missing);
    }
}
