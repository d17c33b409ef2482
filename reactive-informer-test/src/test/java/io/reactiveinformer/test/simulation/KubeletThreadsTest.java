package io.reactiveinformer.test.simulation;

import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A simulation moves on its timer, and for its caller too. */
class KubeletThreadsTest {

    @Test
    @Timeout(60)
    void startsEachPodOnceThoughTwoThreadsMoveIt() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (FakeApiServer server = FakeApiServer.create()) {
            Simulation.withoutControllers(server).nodes(1);
            Kubelet kubelet = Workload.kubelet().startup(Duration.ofMillis(1));
            Callable<Integer> moves = () -> {
                for (int i = 0; i < 30; i++) {
                    server.objects().create("{apiVersion: v1, kind: Pod, metadata: {generateName: p-}, spec: {nodeName: node-1, containers: [{name: c, image: i}]}}");
                    kubelet.move(server.objects(), new Random(i));
                }
                return 30;
            };
            for (Future<Integer> done : threads.invokeAll(List.of(moves, moves))) {
                assertThat(done.get()).isEqualTo(30);
            }
            List<String> addresses = server.objects().list(Types.PODS).stream().map(KubeletThreadsTest::address).filter(ip -> !ip.isEmpty()).toList();
            assertThat(addresses).doesNotHaveDuplicates();
        } finally {
            threads.shutdownNow();
        }
    }

    private static String address(ObjectNode pod) {
        return pod.path("status").path("podIP").asString("");
    }
}
