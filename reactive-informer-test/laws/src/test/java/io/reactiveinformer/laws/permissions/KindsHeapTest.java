package io.reactiveinformer.laws.permissions;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.Memory;
import io.reactiveinformer.view.Remembered;
import io.reactiveinformer.view.Retention;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The heap of a thousand users of fifty kinds of rights, with a view and a memory for each kind, as the endpoint of the streams makes them.
 * In a thorough build there are 20,000 pods.
 *
 * <p><em>One view</em> is what a service has that shows all pods to all: the cached pods, a written row of each, and a memory of all rows.
 * <em>A kind</em> is all that is added: the filtered view and its memory, and 20 users with their rights and subscriptions. Rows and pods
 * are shared; what each kind has of its own is the place of each of its rows in its view, and in the order of changes of its memory.
 */
@Timeout(300)
class KindsHeapTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Retention RETENTION = Retention.of(Duration.ofMinutes(5));
    private static final int ROWS = Rounds.many(20_000, 4_000);
    private static final int USERS = 1_000;
    private static final int KINDS = 50;
    private static final int NAMESPACES = 100;
    private static final long OF_A_KIND = 100 << 10;
    private static final long OF_A_ROW = 200; // 48 in the view, 115 in the memory

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final InformerFactory informers = InformerFactory.create(
            KubernetesClient.over(server.transport()), ReflectorOptions.defaults().withTimer(time));
    private final Permissions permissions = Permissions.of(informers, Duration.ofMinutes(5), time);
    private final Map<Predicate<ObjectKey>, Memory<ObjectKey, Row>> memories = new HashMap<>();
    private long received;

    private record Row(ObjectKey key, String json) {}

    @AfterEach
    void close() {
        permissions.close();
        informers.close();
        server.close();
        VirtualTimeScheduler.reset();
    }

    private void settle() {
        time.advanceTimeBy(Duration.ofMillis(100));
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

    private void pod(int number) {
        String app = "app-" + number / 25;
        server.objects().create(JSON.readTree("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "n%d", "name": "APP-5d8f7b9c6d-x%d", "labels": {"app": "APP",
                "tier": "backend", "pod-template-hash": "5d8f7b9c6d"}, "ownerReferences": [{"apiVersion": "no.such/v1", "kind":
                "ReplicaSet", "name": "APP-5d8f7b9c6d", "uid": "00000000-0000-4000-8000-000000000000", "controller": true}]}, "spec":
                {"nodeName": "node-%d", "containers": [{"name": "main", "image": "registry.example.com/APP:1.0", "ports":
                [{"containerPort": 8080}], "env": [{"name": "A", "value": "b"}], "resources": {"limits": {"cpu": "500m"}}}]},
                "status": {"phase": "Running", "podIP": "10.0.%d.%d", "startTime": "2026-11-20T08:%02d:%02dZ", "conditions":
                [{"type": "Ready", "status": "True"}], "containerStatuses": [{"name": "main", "ready": true, "restartCount": 0, "image": "i", "imageID": "APP",
                "containerID": "containerd://%064d"}]}}"""
                .formatted(number % NAMESPACES, number, number % 100, number / 250, number % 250, number / 60 % 60, number % 60, number)
                .replace("APP", app)));
    }

    /** Of {@value #NAMESPACES}, each kind may see so many, from another one on. */
    private void bind(String team, int namespaces) {
        for (int i = 0; i < KINDS * namespaces; i++) {
            int kind = i / namespaces;
            server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: " + team + kind
                    + ", namespace: n" + (kind * NAMESPACES / KINDS + i % namespaces) % NAMESPACES + "}, roleRef: {apiGroup: "
                    + "rbac.authorization.k8s.io, kind: ClusterRole, name: reader}, subjects: [{kind: Group, apiGroup: "
                    + "rbac.authorization.k8s.io, name: " + team + kind + "}]}");
        }
    }

    private void receive(Remembered<ObjectKey, Row> one) {
        received += one instanceof Remembered.Row ? 1 : 0;
    }

    /** Returns what a kind costs. */
    private long measure(View<ObjectKey, Row> rows, long one, String team, int namespaces) {
        int each = ROWS * namespaces / NAMESPACES;
        memories.clear();
        received = 0;
        long before = heap();
        for (int i = 0; i < USERS; i++) {
            permissions.rights(User.of("user-" + i, team + i % KINDS), PODS, "list").subscribe(rights ->
                    memories.computeIfAbsent(rights, any -> rows.filter(row -> rights.test(row.key())).remembering(RETENTION))
                            .changesSince(null, Delivery.conflated()).subscribe(this::receive));
        }
        settle();
        long all = heap() - before;
        assertThat(received).isEqualTo((long) USERS * each);
        assertThat(memories).hasSize(KINDS);
        System.out.printf("%d kinds of %d pods each, of %d: %d KiB for one view, %d KiB a kind, in all %.2f times one view%n",
                KINDS, each, ROWS, one >> 10, all / KINDS >> 10, (double) (one + all) / one);
        return all / KINDS;
    }

    @Test
    void aKindCostsTheIndexOfItsRows() {
        IntStream.range(0, ROWS).forEach(this::pod);
        server.objects().create("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reader}, "
                + "rules: [{apiGroups: [''], resources: [pods], verbs: [list]}]}");
        bind("few", 2);
        bind("many", 20);
        View<ObjectKey, Row> rows = informers.of(PODS).map(pod -> {
            ObjectKey key = ObjectKey.of(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
            return new Row(key, "{\"key\":\"" + key + "\",\"row\":{\"phase\":\"" + pod.getStatus().getPhase() + "\"}}");
        });
        long empty = heap();
        informers.start();
        Memory<ObjectKey, Row> unfiltered = rows.remembering(RETENTION);
        unfiltered.changesSince(null, Delivery.conflated()).subscribe(this::receive);
        settle();
        assertThat(received).isEqualTo(ROWS);
        long one = heap() - empty;

        assertThat(measure(rows, one, "few", 2)).isLessThan(one / 2 / KINDS + OF_A_KIND);
        assertThat(measure(rows, one, "many", 20)).isLessThan(ROWS / 5 * OF_A_ROW + OF_A_KIND);
        unfiltered.close(); // reachable until now
    }
}
