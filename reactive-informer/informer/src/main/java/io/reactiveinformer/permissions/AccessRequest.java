package io.reactiveinformer.permissions;

import io.reactiveinformer.resource.ResourceType;
import java.util.Set;

/**
 * What a user wants to do, as the {@code resourceAttributes} of a SubjectAccessReview. Each text is compared with the rules as it is; an
 * empty one stands for none. Immutable.
 *
 * @param verb such as {@code get}, {@code list} or {@code watch}
 * @param group the API group; empty for the core group
 * @param resource the plural, such as {@code pods}
 * @param subresource such as {@code log}; empty for the object itself
 * @param namespace the namespace; empty for all namespaces, and for cluster-scoped objects
 * @param name the name of the object; empty for all objects. For a list or a watch it is the one that {@code metadata.name} selects
 */
public record AccessRequest(String verb, String group, String resource, String subresource, String namespace, String name) {

    /** A request for all objects of {@code type} in the cluster. */
    public static AccessRequest of(String verb, ResourceType<?> type) {
        return new AccessRequest(verb, type.group(), type.plural(), "", "", "");
    }

    /** A copy for this namespace. */
    public AccessRequest in(String other) {
        return new AccessRequest(verb, group, resource, subresource, other, name);
    }

    /** A copy for the object of this name. */
    public AccessRequest named(String other) {
        return new AccessRequest(verb, group, resource, subresource, namespace, other);
    }

    /** Whether the server takes the name of the object for its namespace as well, as when a Namespace is read. */
    boolean isNamedByNamespace() {
        return group.isEmpty() && resource.equals("namespaces") && !Set.of("list", "watch").contains(verb) && !isWithoutName();
    }

    /** Whether the server decides before it knows a name. */
    boolean isWithoutName() {
        return subresource.isEmpty() && Set.of("create", "deletecollection").contains(verb);
    }

    /** {@code list pods.apps/log "web" in namespace "shop"}. */
    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group) + (subresource.isEmpty() ? "" : "/" + subresource)
                + (name.isEmpty() ? "" : " \"" + name + "\"") + (namespace.isEmpty() ? "" : " in namespace \"" + namespace + "\"");
    }
}
