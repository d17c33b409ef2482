package io.reactiveinformer.permissions;

import io.reactiveinformer.permissions.BoundRole.Grant;
import io.reactiveinformer.permissions.Permissions.Decision;
import io.reactiveinformer.permissions.RoleRules.Rule;
import io.reactiveinformer.resource.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The roles, and the bindings by subject. One writer at a time; readers do not wait, and may see one half of a change that is being made:
 * each half is a state of one object that the server had.
 */
final class Policy {

    /** The server has an authorizer of its own for this group. No object has such a key. */
    private static final ObjectKey MASTERS = ObjectKey.of("/", "system:masters");

    private final Map<ObjectKey, RoleRules> roles = new ConcurrentHashMap<>();
    private final Map<ObjectKey, BoundRole> bindings = new HashMap<>(); // for the writer
    private final Map<AccessRequest, Map<ObjectKey, Set<String>>> names = new HashMap<>(); // what roles say, for the writer
    private final Map<String, Map<ObjectKey, Grant>> bySubject = new ConcurrentHashMap<>();
    final Set<ObjectKey> changedRoles = new HashSet<>(); // since all was settled; for the writer, as the next one
    final Set<String> changedSubjects = new HashSet<>(); // those of bindings that have changed, before and after

    Policy() {
        roles.put(MASTERS, new RoleRules(List.of(new Rule(List.of("*"), List.of("*"), List.of("*"), List.of()))));
        bySubject.put("Group system:masters", new ConcurrentHashMap<>(Map.of(MASTERS, new Grant("", MASTERS))));
    }

    /** @param rules null if there is no such role any more */
    void setRole(ObjectKey key, @Nullable RoleRules rules) {
        roles.compute(key, (any, before) -> rules);
        names.values().forEach(said -> said.remove(key));
        changedRoles.add(key);
    }

    /** @param after null if there is no such binding any more */
    void setBinding(ObjectKey key, @Nullable BoundRole after) {
        BoundRole before = after == null ? bindings.remove(key) : bindings.put(key, after);
        Grant grant = after == null ? null : after.grant(key);
        Set<String> now = after == null || grant == null ? Set.of() : after.subjects(key);
        now.forEach(subject -> bySubject.computeIfAbsent(subject, any -> new ConcurrentHashMap<>()).put(key, grant));
        changedSubjects.addAll(now);
        Set<String> former = before == null ? Set.of() : before.subjects(key);
        changedSubjects.addAll(former);
        former.stream().filter(subject -> !now.contains(subject)).forEach(subject -> bySubject.computeIfPresent(
                subject, (any, grants) -> grants.remove(key) != null && grants.isEmpty() ? null : grants));
    }

    Set<Grant> grants(List<String> subjects) {
        return subjects.stream().flatMap(subject -> bySubject.getOrDefault(subject, Map.of()).values().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** All changes were passed on. What roles say is forgotten for all requests but these. */
    void settle(Set<AccessRequest> followed) {
        changedRoles.clear();
        changedSubjects.clear();
        names.keySet().retainAll(followed);
    }

    /**
     * What grants say about requests like {@code request}, in all namespaces and for all names. What a role says is remembered, as one
     * instance for all kinds of users that have it: equal rights are then compared at once. Called by the writer.
     */
    Rights rights(Set<Grant> grants, AccessRequest request) {
        Map<ObjectKey, Set<String>> said = names.computeIfAbsent(request, any -> new HashMap<>());
        Map<String, Set<String>> granted = new HashMap<>();
        for (Grant grant : grants) {
            RoleRules role = roles.get(grant.role());
            if (role != null) {
                granted.merge(grant.namespace(), said.computeIfAbsent(grant.role(), any -> role.names(request)), Rights::both);
            }
        }
        return Rights.of(granted, request.isNamedByNamespace());
    }

    Decision decide(User user, AccessRequest request) {
        String why = "no role allows User " + user.name() + " to " + request;
        for (String subject : BoundRole.subjectsOf(user)) {
            for (Map.Entry<ObjectKey, Grant> binding : bySubject.getOrDefault(subject, Map.of()).entrySet()) {
                Grant grant = binding.getValue();
                RoleRules role = roles.get(grant.role());
                String what = "the binding " + binding.getKey() + " of " + subject + " to the role " + grant.role();
                if (role == null) {
                    why += "; " + what + " grants nothing, since there is no such role";
                } else if ((grant.namespace().isEmpty() || grant.namespace().equals(request.namespace())) && role.allows(request)) {
                    return new Decision(true, what);
                }
            }
        }
        return new Decision(false, why);
    }
}
