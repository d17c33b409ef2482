package io.reactiveinformer.permissions;

import io.reactiveinformer.resource.ObjectKey;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is cached of a RoleBinding or ClusterRoleBinding. */
record BoundRole(List<Subject> subjects, @Nullable RoleRef roleRef) {

    /** A role, and the namespace where it is granted; null for the cluster. The key of a Role has a namespace, that of a ClusterRole none. */
    record Grant(@Nullable String namespace, ObjectKey role) {}

    record RoleRef(@Nullable String kind, @Nullable String name) {}

    record Subject(@Nullable String kind, @Nullable String namespace, @Nullable String name) {

        /** A service account without a namespace is one of the binding's. */
        @Nullable String text(@Nullable String bindingNamespace) {
            String where = namespace == null || namespace.isEmpty() ? bindingNamespace : namespace;
            return name == null || kind == null ? null : switch (kind) {
                case "User" -> user(name);
                case "Group" -> group(name);
                case "ServiceAccount" -> where == null ? null : user("system:serviceaccount:" + where + ":" + name);
                default -> null;
            };
        }
    }

    static String user(String name) {
        return "User " + name;
    }

    static String group(String name) {
        return "Group " + name;
    }

    /** The texts of all subjects that a user is. */
    static List<String> subjectsOf(User user) {
        return Stream.concat(Stream.of(user(user.name())), user.groups().stream().map(BoundRole::group)).toList();
    }

    /** The texts of the subjects of this binding, whose key is {@code binding}. */
    List<String> subjects(ObjectKey binding) {
        return subjects.stream().map(subject -> subject.text(binding.namespace())).filter(Objects::nonNull).distinct().toList();
    }

    /** What it grants; null if the server would find no such role either. */
    @Nullable Grant grant(ObjectKey binding) {
        if (roleRef == null || roleRef.kind == null || roleRef.name == null || roleRef.name.isEmpty()) {
            return null;
        }
        boolean ofCluster = roleRef.kind.equals("ClusterRole");
        return ofCluster ? new Grant(binding.namespace(), ObjectKey.clusterScoped(roleRef.name))
                : roleRef.kind.equals("Role") && binding.namespace() != null
                        ? new Grant(binding.namespace(), ObjectKey.of(binding.namespace(), roleRef.name))
                        : null;
    }
}
