package io.reactiveinformer.permissions;

import io.reactiveinformer.Cost;
import io.reactiveinformer.permissions.BoundRole.RoleRef;
import io.reactiveinformer.permissions.BoundRole.Subject;
import io.reactiveinformer.permissions.RoleRules.Rule;
import io.reactiveinformer.resource.ObjectKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the server's own tests say of rules and subjects, and what follows from them for rows.
 *
 * <p>Planted once, and caught: no wildcard of subresources, or of groups; a request without a name that matches names; a service account
 * without a namespace that is nobody; a Role for any kind of reference; grants that count in all namespaces; a group of all users that is
 * not added; names that are not in a normal form.
 */
class PolicyTest {

    private static final AccessRequest LIST_PODS = new AccessRequest("list", "", "pods", "", "", "");
    private static final RoleRules READS_PODS = new RoleRules(List.of(new Rule(List.of("list"), List.of(""), List.of("pods"), List.of())));
    private static final ObjectKey READER = ObjectKey.clusterScoped("reader");

    private final Policy policy = new Policy();

    /** Words between spaces; {@code core} is the group without a name. */
    private static List<String> words(@Nullable String text) {
        return text == null ? List.of() : Arrays.stream(text.split(" ")).map(word -> word.equals("core") ? "" : word).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        // verbs  | groups    | resources      | names   || verb  | group | resource   | sub   | name || allowed
        "*        | *         | *              | -        | get   | core  | pods        | -      | a     | true",
        "*        | *         | *              | -        | use   | any   | any         | any    | -     | true",
        "get list | core      | pods           | -        | list  | core  | pods        | -      | -     | true",
        "get list | core      | pods           | -        | watch | core  | pods        | -      | -     | false",
        "*        | core      | pods           | -        | *     | core  | pods        | -      | -     | true",
        "get      | core      | pods           | -        | *     | core  | pods        | -      | -     | false",
        "get      | core      | pods           | -        | GET   | core  | pods        | -      | -     | false",
        "get      | core      | pods           | -        | get   | apps  | pods        | -      | -     | false",
        "get      | core apps | pods           | -        | get   | apps  | pods        | -      | -     | true",
        "get      | *         | pods           | -        | get   | apps  | pods        | -      | -     | true",
        "get      | -         | pods           | -        | get   | core  | pods        | -      | -     | false",
        "get      | core      | -              | -        | get   | core  | pods        | -      | -     | false",
        "-        | core      | pods           | -        | get   | core  | pods        | -      | -     | false",
        "get      | core      | pods           | -        | get   | core  | pods        | log    | -     | false",
        "get      | core      | pods/log       | -        | get   | core  | pods        | -      | -     | false",
        "get      | core      | pods/log       | -        | get   | core  | pods        | log    | -     | true",
        "get      | core      | pods/log       | -        | get   | core  | pods/log    | -      | -     | true",
        "get      | core      | */log          | -        | get   | core  | pods        | log    | -     | true",
        "get      | core      | */log          | -        | get   | core  | pods        | logs   | -     | false",
        "get      | core      | */log          | -        | get   | core  | pods        | -      | -     | false",
        "get      | core      | pods/*         | -        | get   | core  | pods        | log    | -     | false",
        "get      | core      | */*            | -        | get   | core  | pods        | log    | -     | false",
        "get      | core      | *              | -        | get   | core  | pods        | log    | -     | true",
        "get      | core      | pods           | a b      | get   | core  | pods        | -      | a     | true",
        "get      | core      | pods           | a b      | get   | core  | pods        | -      | c     | false",
        "list     | core      | pods           | a b      | list  | core  | pods        | -      | -     | false",
        "list     | core      | pods           | a b      | list  | core  | pods        | -      | b     | true",
        "get      | core      | pods           | *        | get   | core  | pods        | -      | a     | false",
        "list     | core      | pods           | core     | list  | core  | pods        | -      | -     | true",
        "list     | core      | pods           | core     | list  | core  | pods        | -      | a     | false",
        "get      | core      | pods/log       | a        | get   | core  | pods        | log    | a     | true",
        "get      | core      | */log          | a        | get   | core  | pods        | log    | b     | false",
    })
    void aRuleIsReadAsTheServerReadsIt(@Nullable String verbs, @Nullable String groups, @Nullable String resources, @Nullable String names,
            String verb, String group, String resource, @Nullable String subresource, @Nullable String name, boolean allowed) {
        var rules = new RoleRules(List.of(new Rule(words(verbs), words(groups), words(resources), words(names))));
        var request = new AccessRequest(verb, group.equals("core") ? "" : group, resource, subresource == null ? "" : subresource, "",
                name == null ? "" : name);
        assertThat(rules.allows(request)).isEqualTo(allowed);
    }

    /** The names for rows, and the answers for each of them, are the same thing said twice. */
    @Test
    void theNamesOfRulesAreThoseThatAreAllowed() {
        var random = new Random(42);
        List<String> texts = List.of("*", "get", "list", "a", "b", "", "pods", "pods/log", "*/log");
        for (int round = 0; round < 20_000; round++) {
            var rules = new RoleRules(Stream.generate(() -> new Rule(some(random, texts), some(random, texts), some(random, texts),
                    some(random, texts))).limit(random.nextInt(4)).toList());
            var request = new AccessRequest(pick(random, texts), pick(random, texts), pick(random, texts),
                    pick(random, List.of("", "log")), "", "");
            var rights = Rights.of(Map.of("", rules.names(request)), false);
            for (String name : List.of("a", "b", "*", "else")) {
                assertThat(rights.test(ObjectKey.of("shop", name))).as("%s %s %s", rules, request, name)
                        .isEqualTo(rules.allows(request.named(name)));
            }
        }
    }

    private static String pick(Random random, List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }

    private static List<String> some(Random random, List<String> texts) {
        return Stream.generate(() -> pick(random, texts)).limit(random.nextInt(3)).toList();
    }

    private void bind(String namespace, String name, String kind, String role, Subject... subjects) {
        policy.setBinding(ObjectKey.of(namespace, name), new BoundRole(List.of(subjects), new RoleRef(kind, role)));
    }

    private boolean mayListPods(User user, String namespace) {
        return policy.decide(user, LIST_PODS.in(namespace)).allowed();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        // kind          | namespace | name                          | a user with it                   | its groups   | allowed
        "User            | -         | jane                          | jane                             | -            | true",
        "User            | -         | jane                          | Jane                             | -            | false",
        "User            | -         | team                          | jane                             | team         | false",
        "Group           | -         | jane                          | jane                             | -            | false",
        "Group           | -         | team                          | jane                             | some team    | true",
        "Group           | -         | system:authenticated          | jane                             | -            | true",
        "Group           | -         | system:unauthenticated        | jane                             | -            | false",
        "Group           | -         | system:authenticated          | system:anonymous                 | -            | false",
        "Group           | -         | system:unauthenticated        | system:anonymous                 | -            | true",
        "Group           | -         | system:authenticated          | jane                             | system:unauthenticated | false",
        "ServiceAccount  | shop      | app                           | system:serviceaccount:shop:app   | -            | true",
        "ServiceAccount  | -         | app                           | system:serviceaccount:shop:app   | -            | true",
        "ServiceAccount  | -         | app                           | system:serviceaccount:other:app  | -            | false",
        "ServiceAccount  | other     | app                           | system:serviceaccount:shop:app   | -            | false",
        "ServiceAccount  | shop      | app                           | app                              | -            | false",
        "ServiceAccount  | shop      | app                           | system:serviceaccount:shop:app:x | -            | false",
        "ServiceAccount  | shop      | app:x                         | system:serviceaccount:shop:app:x | -            | true",
        "User            | -         | system:serviceaccount:shop:app | system:serviceaccount:shop:app  | -            | true",
        "Group           | -         | system:serviceaccounts        | system:serviceaccount:shop:app   | -            | true",
        "Group           | -         | system:serviceaccounts:shop   | system:serviceaccount:shop:app   | -            | true",
        "Group           | -         | system:serviceaccounts:shop   | system:serviceaccount:other:app  | -            | false",
        "Group           | -         | system:serviceaccounts        | system:serviceaccount:shop:app   | team         | false",
        "Robot           | -         | jane                          | jane                             | -            | false",
    })
    void aSubjectIsReadAsTheServerReadsIt(
            String kind, @Nullable String namespace, String name, String user, @Nullable String groups, boolean allowed) {
        policy.setRole(READER, READS_PODS);
        bind("shop", "b", "ClusterRole", "reader", new Subject(kind, namespace, name));
        assertThat(mayListPods(new User(user, Set.copyOf(words(groups))), "shop")).isEqualTo(allowed);
        assertThat(mayListPods(new User(user, Set.copyOf(words(groups))), "other")).as("in another namespace").isFalse();
    }

    @Test
    void aBindingInTheClusterNeedsTheNamespaceOfAServiceAccount() {
        policy.setRole(READER, READS_PODS);
        bind("", "b", "ClusterRole", "reader", new Subject("ServiceAccount", null, "app"), new Subject("ServiceAccount", "shop", "app"));
        assertThat(mayListPods(User.of("system:serviceaccount:shop:app"), "any")).isTrue();
        assertThat(mayListPods(User.of("system:serviceaccount::app"), "any")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "shop | Role        | reader  | true",
        "shop | ClusterRole | reader  | false",
        "shop | ClusterRole | whole   | true",
        "shop | Role        | whole   | false",
        "shop | Role        | missing | false",
        "shop | Other       | reader  | false",
        "shop | Role        | -       | false",
        "-    | ClusterRole | whole   | true",
        "-    | Role        | whole   | false",
        "-    | Role        | reader  | false",
        "-    | ClusterRole | missing | false",
    })
    void aRoleIsFoundWhereTheServerFindsIt(@Nullable String namespace, String kind, @Nullable String role, boolean allowed) {
        policy.setRole(ObjectKey.of("shop", "reader"), READS_PODS);
        policy.setRole(ObjectKey.clusterScoped("whole"), READS_PODS);
        policy.setBinding(ObjectKey.of(namespace, "b"),
                new BoundRole(List.of(new Subject("User", null, "jane")), new RoleRef(kind, role)));
        assertThat(mayListPods(User.of("jane"), "shop")).isEqualTo(allowed);
        assertThat(mayListPods(User.of("jane"), "")).as("in the cluster").isEqualTo(allowed && namespace == null);
    }

    @Test
    void theReasonNamesTheBindingOrTheRoleThatIsMissing() {
        bind("shop", "b", "Role", "reader", new Subject("User", null, "jane"));
        assertThat(policy.decide(User.of("jane"), LIST_PODS.in("shop")).reason())
                .isEqualTo("no role allows User jane to list pods in namespace \"shop\"; the binding shop/b of User jane to the role "
                        + "shop/reader grants nothing, since there is no such role");
        policy.setRole(ObjectKey.of("shop", "reader"), READS_PODS);
        assertThat(policy.decide(User.of("jane"), LIST_PODS.in("shop")).reason())
                .isEqualTo("the binding shop/b of User jane to the role shop/reader");
    }

    @Test
    void mastersMayDoEverythingWithoutARole() {
        var request = new AccessRequest("*", "any", "any", "any", "any", "any");
        assertThat(policy.decide(User.of("jane", "system:masters"), request).allowed()).isTrue();
        assertThat(policy.decide(User.of("system:masters"), request).allowed()).as("a name is no group").isFalse();
        assertThat(policy.rights(policy.grants(BoundRole.subjectsOf(User.of("jane", "system:masters"))), LIST_PODS)
                .test(ObjectKey.of("any", "any"))).isTrue();
    }

    @Test
    void aBindingThatChangesIsForItsPresentSubjectsOnly() {
        policy.setRole(READER, READS_PODS);
        var reader = new RoleRef("ClusterRole", "reader");
        var before = new BoundRole(List.of(new Subject("User", null, "jane"), new Subject("User", null, "bob")), reader);
        var after = new BoundRole(List.of(new Subject("User", null, "bob"), new Subject("Group", null, "team")), reader);
        ObjectKey key = ObjectKey.of("shop", "b");
        policy.setBinding(key, before);
        policy.settle(Set.of());
        policy.setBinding(key, after);
        assertThat(policy.changedSubjects).containsExactlyInAnyOrder("User jane", "User bob", "Group team");
        assertThat(mayListPods(User.of("jane"), "shop")).isFalse();
        assertThat(mayListPods(User.of("bob"), "shop")).isTrue();
        assertThat(mayListPods(User.of("jane", "team"), "shop")).isTrue();
        policy.settle(Set.of());
        policy.setBinding(key, null);
        assertThat(policy.changedSubjects).containsExactlyInAnyOrder("User bob", "Group team");
        assertThat(mayListPods(User.of("bob", "team"), "shop")).isFalse();
    }

    private Rights rights(User user, AccessRequest request) {
        return policy.rights(policy.grants(BoundRole.subjectsOf(user)), request);
    }

    @Test
    void rightsAreEqualIfTheyAllowTheSame() {
        var names = new RoleRules(List.of(new Rule(List.of("*"), List.of("*"), List.of("pods"), List.of("a", "b"))));
        policy.setRole(READER, READS_PODS);
        policy.setRole(ObjectKey.clusterScoped("names"), names);
        bind("", "1", "ClusterRole", "reader", new Subject("User", null, "all"), new Subject("User", null, "all-twice"));
        bind("shop", "2", "ClusterRole", "names", new Subject("User", null, "all-twice"), new Subject("User", null, "two"));
        bind("", "3", "ClusterRole", "names", new Subject("User", null, "two"), new Subject("User", null, "named"));
        bind("shop", "4", "ClusterRole", "missing", new Subject("User", null, "named"));
        assertThat(rights(User.of("all"), LIST_PODS)).isEqualTo(rights(User.of("all-twice"), LIST_PODS));
        assertThat(rights(User.of("two"), LIST_PODS)).isEqualTo(rights(User.of("named"), LIST_PODS)).isNotEqualTo(Rights.NONE);
        assertThat(rights(User.of("none"), LIST_PODS)).isEqualTo(Rights.NONE);
    }

    @Test
    void whatARoleSaysIsOneInstanceWhileItIsFollowed() {
        policy.setRole(READER, new RoleRules(List.of(new Rule(List.of("*"), List.of("*"), List.of("pods"), List.of("a", "b")))));
        bind("shop", "1", "ClusterRole", "reader", new Subject("User", null, "jane"));
        bind("shop", "2", "ClusterRole", "reader", new Subject("User", null, "bob"));
        Set<String> said = rights(User.of("jane"), LIST_PODS).names().get("shop");
        policy.settle(Set.of(LIST_PODS));
        assertThat(rights(User.of("bob"), LIST_PODS).names().get("shop")).isSameAs(said);
        policy.settle(Set.of());
        assertThat(rights(User.of("bob"), LIST_PODS).names().get("shop")).isEqualTo(said).isNotSameAs(said);
    }

    @Test
    void aNamespaceIsReadWithTheRightsInIt() {
        policy.setRole(READER, new RoleRules(List.of(new Rule(List.of("*"), List.of(""), List.of("namespaces"), List.of()))));
        bind("shop", "b", "ClusterRole", "reader", new Subject("User", null, "jane"));
        var get = new AccessRequest("get", "", "namespaces", "", "", "");
        assertThat(rights(User.of("jane"), get)).accepts(ObjectKey.clusterScoped("shop")).rejects(ObjectKey.clusterScoped("other"));
        assertThat(rights(User.of("jane"), new AccessRequest("list", "", "namespaces", "", "", "")))
                .as("a list of namespaces is in none").rejects(ObjectKey.clusterScoped("shop"));
    }

    @Test
    void aUserWithoutNameIsRefused() {
        assertThatThrownBy(() -> User.of("", "system:masters")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a user without a name has no rights").hasMessageContaining("[system:masters]");
    }

    @Test
    void namesAndGroupsAreOnlyTexts() {
        policy.setRole(READER, READS_PODS);
        String odd = "a\nUser jane: \"*\" \u0000";
        bind("shop", "b", "ClusterRole", "reader", new Subject("Group", null, odd));
        assertThat(mayListPods(User.of("bob", odd), "shop")).isTrue();
        assertThat(mayListPods(User.of("jane"), "shop")).isFalse();
        assertThat(mayListPods(User.of(odd), "shop")).isFalse();
        assertThat(mayListPods(User.of("*", "*"), "shop")).isFalse();
    }

    @Test
    void tenThousandRulesCostLittle() {
        var rules = new RoleRules(IntStream.range(0, 10_000).mapToObj(i -> new Rule(List.of("get", "list"), List.of("apps", "example.com"),
                List.of("a" + i, "b" + i, "pods/" + i), List.of())).toList());
        policy.setRole(READER, rules);
        bind("shop", "b", "ClusterRole", "reader", new Subject("User", null, "jane"));
        Cost cost = Cost.within(new Cost(20_000_000, 1 << 20),
                () -> assertThat(mayListPods(User.of("jane"), "shop")).isFalse());
        System.out.println("a decision over 10,000 rules: " + cost);
        assertThat(cost.exceeds(new Cost(20_000_000, 1 << 20))).as("%s", cost).isFalse();
    }
}
