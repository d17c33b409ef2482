package io.reactiveinformer.permissions;

import io.kubernetes.client.openapi.models.V1Role;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the server decides before it knows a name, and service accounts that are none. */
class RequestsWithoutNameTest {

    private static Rights rights(String namespace, String verb, String resource, List<String> names) {
        var policy = new Policy();
        policy.setRole(ObjectKey.of(namespace, "role"),
                new RoleRules(List.of(new RoleRules.Rule(List.of(verb), List.of(""), List.of(resource), names))));
        policy.setBinding(ObjectKey.of(namespace, "binding"),
                new BoundRole(List.of(new BoundRole.Subject("User", null, "jane")), new BoundRole.RoleRef("Role", "role")));
        return policy.rights(policy.grants(List.of("User jane")), new AccessRequest(verb, "", resource, "", "", ""));
    }

    @Test
    void aRuleWithNamesAllowsNoneOfThem() {
        assertThat(rights("shop", "create", "pods", List.of("web")).test(ObjectKey.of("shop", "web"))).isFalse();
        assertThat(rights("shop", "deletecollection", "pods", List.of("web")).test(ObjectKey.of("shop", "web"))).isFalse();
        assertThat(rights("shop", "get", "pods", List.of("web")).test(ObjectKey.of("shop", "web"))).isTrue();
        assertThat(rights("shop", "create", "pods", List.of()).test(ObjectKey.of("shop", "web"))).isTrue();
    }

    @Test
    void theEmptyNameIsThatOfARequestWithoutAName() {
        assertThat(rights("shop", "create", "pods", List.of("", "web")).test(ObjectKey.of("shop", "db"))).isTrue();
        assertThat(rights("shop", "get", "pods", List.of("", "web")).test(ObjectKey.of("shop", "db"))).isFalse();
    }

    @Test
    void aNamespaceIsCreatedInNone() {
        assertThat(rights("shop", "create", "namespaces", List.of()).test(ObjectKey.clusterScoped("shop"))).isFalse();
        assertThat(rights("shop", "get", "namespaces", List.of()).test(ObjectKey.clusterScoped("shop"))).isTrue();
    }

    @Test
    void aServiceAccountHasANamespaceAndAName() {
        assertThat(User.of("system:serviceaccount:shop:web").groups()).contains("system:serviceaccounts");
        assertThat(User.of("system:serviceaccount::web").groups()).containsExactly("system:authenticated");
    }

    /** Its status arrives before its batch: the state before must not count again. */
    @Test
    void aRoleThatCanBeReadAgainDoesNotCountAsItWasBefore() {
        List<String> seen = new ArrayList<>();
        var source = new RbacSource<RoleRules>(null, ResourceType.of(V1Role.class).as(RoleRules.class),
                (key, role) -> seen.add(role == null ? "absent" : "counts"), new Object(), () -> {});
        ObjectKey key = ObjectKey.of("shop", "role");
        source.set(key, new RoleRules(List.of()));
        source.unreadable(Set.of(key));
        source.unreadable(Set.of());
        assertThat(seen).containsExactly("counts", "absent", "absent");
        source.set(key, new RoleRules(List.of()));
        assertThat(seen).last().isEqualTo("counts");
    }
}
