package io.reactiveinformer.benchmarks.browsers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods, and writes to each of them in turn, at a fixed rate. Write {@code n} is of pod {@code n % pods}; the first ones make them. A pod
 * says in an annotation which write it is of: {@code #0000012345}.
 */
final class Writes {

    /** Between the mark and the end of a number. */
    static final int DIGITS = 10;

    static final char MARK = '#';

    private static final ResourceType<V1Pod> POD = ResourceType.of(V1Pod.class);

    private static final String TEXT = """
            {"apiVersion": "v1", "kind": "Pod",
             "metadata": {"name": "%1$s", "namespace": "shop", "annotations": {"write": "%2$s", "checksum/config": "4f2c1e7d9a0b"},
              "labels": {"app": "web-%3$d", "app.kubernetes.io/name": "web", "app.kubernetes.io/part-of": "shop", \
            "pod-template-hash": "7c9f8d6b5"}},
             "spec": {"nodeName": "node-%4$d", "serviceAccountName": "web", "containers": [{"name": "web", \
            "image": "registry.example/shop/web:1.%3$d",
              "ports": [{"name": "http", "containerPort": 8080}, {"name": "metrics", "containerPort": 9090}],
              "env": [{"name": "REGION", "value": "eu-1"}, {"name": "LEVEL", "value": "info"}, {"name": "DATABASE", "value": "shop-%3$d"}],
              "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "256Mi"}},
              "readinessProbe": {"httpGet": {"path": "/ready", "port": "http"}, "periodSeconds": 5},
              "volumeMounts": [{"name": "config", "mountPath": "/etc/web"}]}],
              "volumes": [{"name": "config", "configMap": {"name": "web-%3$d"}}]},
             "status": {"phase": "Running", "podIP": "10.1.%4$d.%3$d", "conditions": [{"type": "Ready", "status": "True"},
              {"type": "ContainersReady", "status": "True"}, {"type": "PodScheduled", "status": "True"}]}}
            """;

    private final FakeApiServer server;
    private final int pods;
    private final AtomicLongArray times;

    /** @param most how many writes there will be, those included that make the pods */
    Writes(FakeApiServer server, int pods, int most) {
        this.server = server;
        this.pods = pods;
        this.times = new AtomicLongArray(most);
        for (int i = 0; i < pods; i++) {
            server.objects().create(TEXT.formatted(name(i), stamp(i), i % 250, i % 200));
        }
    }

    int pods() {
        return pods;
    }

    /** When write {@code n} began, by {@link System#nanoTime}. */
    long time(int n) {
        return times.get(n);
    }

    /** Each at its time; a late writer writes at once what is due. Returns by how many milliseconds the last one was late. */
    long write(int first, int count, int rate) {
        long begun = System.nanoTime();
        long late = 0;
        for (int i = 0; i < count; i++) {
            long due = begun + i * 1_000_000_000L / rate;
            for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
                LockSupport.parkNanos(early);
            }
            write(first + i);
            late = System.nanoTime() - due;
        }
        return Duration.ofNanos(late).toMillis();
    }

    private void write(int n) {
        times.set(n, System.nanoTime());
        server.objects().edit(POD, ObjectKey.of("shop", name(n % pods)), pod -> {
            ((ObjectNode) pod.path("metadata").path("annotations")).put(Row.WRITE, stamp(n));
            return pod;
        });
    }

    private static String name(int pod) {
        return "web-" + pod;
    }

    private static String stamp(int n) {
        return MARK + ("%0" + DIGITS + "d").formatted(n);
    }
}
