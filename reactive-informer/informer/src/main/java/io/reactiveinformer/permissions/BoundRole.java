package io.reactiveinformer.permissions;

import io.reactiveinformer.resource.ObjectKey;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is cached of a RoleBinding or ClusterRoleBinding. Subjects are texts: {@code User jane}, {@code Group team-a}. */
record BoundRole(List<Subject> subjects, @Nullable RoleRef roleRef) {

    /**
     * A role, and where it is granted.
     *
     * @param namespace empty for the cluster
     * @param role of a Role it has a namespace, of a ClusterRole it has none
     */
    record Grant(String namespace, ObjectKey role) {}

    record RoleRef(String kind, @Nullable String name) {}

    record Subject(@Nullable String kind, @Nullable String namespace, @Nullable String name) {

        /** A service account without a namespace is one of the binding's. */
        @Nullable String text(@Nullable String bindingNamespace) {
            if (!"ServiceAccount".equals(kind)) {
                return kind + " " + name;
            }
            String where = namespace == null || namespace.isEmpty() ? bindingNamespace : namespace;
            return where == null ? null : "User system:serviceaccount:" + where + ":" + name;
        }
    }

    /** All subjects that a user is. */
    static List<String> subjectsOf(User user) {
        return Stream.concat(Stream.of("User " + user.name()), user.groups().stream().map(group -> "Group " + group)).toList();
    }

    Set<String> subjects(ObjectKey binding) {
        return subjects.stream().map(subject -> subject.text(binding.namespace())).filter(Objects::nonNull).collect(Collectors.toSet());
    }

    /** What it grants; null if the server would find no such role either. */
    @Nullable Grant grant(ObjectKey binding) {
        String namespace = binding.namespace();
        if (roleRef == null || roleRef.name == null || roleRef.name.isEmpty()) {
            return null;
        }
        return roleRef.kind.equals("ClusterRole") ? new Grant(namespace == null ? "" : namespace, ObjectKey.clusterScoped(roleRef.name))
                : roleRef.kind.equals("Role") && namespace != null ? new Grant(namespace, ObjectKey.of(namespace, roleRef.name))
                : null;
    }
}
