package io.reactiveinformer.benchmarks.readers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.util.Random;
import java.util.Scanner;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.node.ObjectNode;

/**
 * The API server and its writer. The pods have 6 KB; a change writes the time into an annotation.
 *
 * <pre>
 * write RATE COUNT   writes, and answers by how many milliseconds it was late at the end
 * requests           answers how many requests there were
 * </pre>
 */
final class Cluster {

    private static final ResourceType<V1Pod> POD = ResourceType.of(V1Pod.class);

    private static final String TEXT = """
            {"apiVersion": "v1", "kind": "Pod",
             "metadata": {"name": "web-%1$d", "namespace": "shop", "annotations": {"written": "0", "notes": "%2$s"},
              "labels": {"app": "web-%3$d", "app.kubernetes.io/name": "web", "app.kubernetes.io/part-of": "shop"}},
             "spec": {"nodeName": "node-%3$d", "serviceAccountName": "web", "containers": [{"name": "web", "image": "shop/web:1.%3$d"}]},
             "status": {"phase": "Running", "podIP": "10.1.2.%3$d"}}
            """;

    private final FakeApiServer server;
    private final int pods;
    private int next;

    private Cluster(FakeApiServer server, int pods) {
        this.server = server;
        this.pods = pods;
    }

    public static void main(String... arguments) {
        try (FakeApiServer server = FakeApiServer.builder().history(20_000).build().start()) {
            var cluster = new Cluster(server, Integer.parseInt(arguments[0]));
            cluster.fill();
            System.out.println("@" + server.url());
            var questions = new Scanner(System.in, "UTF-8");
            while (questions.hasNextLine()) {
                String[] question = questions.nextLine().split(" ", -1);
                System.out.println("@" + (question[0].equals("write")
                        ? cluster.write(Integer.parseInt(question[1]), Integer.parseInt(question[2]))
                        : server.requests().all().size()));
            }
        }
    }

    private void fill() {
        var random = new Random(1);
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
        for (int pod = 0; pod < pods; pod++) {
            StringBuilder notes = new StringBuilder();
            while (notes.length() < 5_000) {
                notes.append(Long.toHexString(random.nextLong()));
            }
            server.objects().create(TEXT.formatted(pod, notes, pod % 250));
        }
    }

    private long write(int rate, int count) {
        long begun = System.nanoTime();
        long late = 0;
        for (int i = 0; i < count; i++) {
            long due = begun + i * 1_000_000_000L / rate;
            for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
                LockSupport.parkNanos(early);
            }
            String now = Long.toString(System.nanoTime());
            server.objects().edit(POD, ObjectKey.of("shop", "web-" + next++ % pods), pod -> {
                ((ObjectNode) pod.path("metadata").path("annotations")).put("written", now);
                return pod;
            });
            late = System.nanoTime() - due;
        }
        return late / 1_000_000;
    }
}
