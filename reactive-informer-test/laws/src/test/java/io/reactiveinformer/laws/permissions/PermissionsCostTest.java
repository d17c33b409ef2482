package io.reactiveinformer.laws.permissions;

import io.kubernetes.client.openapi.models.RbacV1Subject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1RoleRef;
import io.reactiveinformer.Cost;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What a thousand users of fifty kinds of rights cost, with a role of ten thousand rules. In virtual time all work is this thread's. */
@Timeout(120)
class PermissionsCostTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final ResourceType<V1ClusterRole> CLUSTER_ROLES = ResourceType.of(V1ClusterRole.class);
    private static final int USERS = 1_000;
    private static final int KINDS = 50;
    private static final int NAMESPACES = 20;
    private static final Cost OF_A_CHANGE = new Cost(50_000_000, 16 << 20);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final InformerFactory informers = InformerFactory.create(
            KubernetesClient.over(server.transport()), ReflectorOptions.defaults().withTimer(time));
    private final Permissions permissions = Permissions.of(informers, Duration.ofMinutes(5), time);
    private final Map<Integer, Predicate<ObjectKey>> latest = new HashMap<>();
    private final List<Integer> users = IntStream.range(1_000, 1_000 + USERS).boxed().toList();

    @AfterEach
    void close() {
        informers.close();
        server.close();
        VirtualTimeScheduler.reset();
    }

    private void clusterRole(String name, List<V1PolicyRule> rules) {
        server.objects().create(new V1ClusterRole().apiVersion("rbac.authorization.k8s.io/v1").kind("ClusterRole")
                .metadata(new V1ObjectMeta().name(name)).rules(rules));
    }

    private void bind(String namespace, String name, String role, String kind, String subject) {
        server.objects().create(new V1RoleBinding().apiVersion("rbac.authorization.k8s.io/v1").kind("RoleBinding")
                .metadata(new V1ObjectMeta().name(name).namespace(namespace))
                .addSubjectsItem(new RbacV1Subject().kind(kind).name(subject))
                .roleRef(new V1RoleRef().apiGroup("rbac.authorization.k8s.io").kind("ClusterRole").name(role)));
    }

    private static long heap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    private void settle() {
        time.advanceTimeBy(Duration.ofMillis(10));
    }

    private void cost(String what, Runnable change) {
        Cost cost = Cost.within(OF_A_CHANGE, () -> {
            change.run();
            settle();
        });
        assertThat(cost.exceeds(OF_A_CHANGE)).as("%s: %s", what, cost).isFalse();
    }

    private long visible(String pod) {
        ObjectKey key = ObjectKey.parse(pod);
        return latest.values().stream().filter(rights -> rights.test(key)).count();
    }

    @Test
    void aThousandUsersOfFiftyKinds() {
        clusterRole("reader", List.of(new V1PolicyRule().verbs(List.of("list")).apiGroups(List.of("")).resources(List.of("pods"))));
        clusterRole("large", IntStream.range(0, 10_000).mapToObj(i -> new V1PolicyRule().verbs(List.of("list"))
                .apiGroups(List.of("", "g" + i)).resources(List.of("pods", "r" + i)).resourceNames(List.of("p" + i % 1_000))).toList());
        for (int kind = 0; kind < KINDS; kind++) {
            for (int i = 0; i < NAMESPACES; i++) {
                bind("n" + (kind + i), "k" + kind, "reader", "Group", "team-" + kind);
            }
            bind("n" + (kind + NAMESPACES), "large" + kind, "large", "Group", "team-" + kind);
        }
        informers.start();
        settle();
        long before = heap();
        for (Integer user : users) {
            permissions.rights(User.of("user-" + user, "team-" + user % KINDS), PODS, "list").subscribe(rights -> latest.put(user, rights));
        }
        settle();
        long kind = (heap() - before) / KINDS;
        System.out.println(kind / 1024 + " KiB of heap for a kind of " + USERS / KINDS + " users");
        assertThat(kind).isLessThan(100 << 10);
        Set<Predicate<ObjectKey>> distinct = new HashSet<>(latest.values());
        assertThat(distinct).hasSize(KINDS);
        Set<Object> instances = Collections.newSetFromMap(new IdentityHashMap<>());
        instances.addAll(latest.values());
        assertThat(instances).as("one instance a kind").hasSize(KINDS);
        int[] round = {0};
        cost("a binding of one user", () -> bind("n900", "one" + round[0]++, "reader", "User", "user-1007"));
        assertThat(visible("n900/p")).isEqualTo(1);
        cost("a binding of one team", () -> bind("n901", "team" + round[0]++, "reader", "Group", "team-7"));
        assertThat(visible("n901/p")).isEqualTo(USERS / KINDS);
        cost("a binding of all", () -> bind("n902", "all" + round[0]++, "reader", "Group", "system:authenticated"));
        assertThat(visible("n902/p")).isEqualTo(USERS);
        cost("a binding of all to the large role", () -> bind("n903", "all" + round[0]++, "large", "Group", "system:authenticated"));
        assertThat(visible("n903/p7")).isEqualTo(USERS);
        assertThat(visible("n903/q")).isZero();
        cost("a change of the role of all", () -> server.objects().edit(CLUSTER_ROLES, ObjectKey.clusterScoped("reader"),
                role -> {
                    ((ObjectNode) role.path("rules").get(0)).putArray("resourceNames").add("p" + round[0]++).add("q");
                    return role;
                }));
        assertThat(visible("n902/q")).isEqualTo(USERS);
        assertThat(visible("n902/r")).isZero();
    }
}
