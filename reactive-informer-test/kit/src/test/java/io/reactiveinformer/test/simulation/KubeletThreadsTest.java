package io.reactiveinformer.test.simulation;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.FakeApiServer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** A simulation moves on its timer, and for its caller too. */
class KubeletThreadsTest {

    @Test
    @Timeout(60)
    void startsAPodOnceThoughTwoThreadsMoveIt() {
        try (FakeApiServer server = FakeApiServer.create()) {
            Simulation.withoutControllers(server).nodes(1);
            Kubelet kubelet = Workload.kubelet();
            Runnable move = () -> kubelet.move(server.objects(), new Random(1));
            for (int round = 0; round < 300; round++) {
                server.objects()
                        .create("{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {nodeName: node-1, containers: [{name: c, image: "
                        + "i}]}}");
                long before = Long.parseLong(server.resourceVersion());
                RaceTestUtils.race(move, move);
                assertThat(Long.parseLong(server.resourceVersion())).as("version after round %d", round).isEqualTo(before + 1);
                server.objects().deleteNow(Types.PODS, ObjectKey.of("default", "p"));
            }
        }
    }
}
