package io.reactiveinformer.demo.dashboard;

import io.kubernetes.client.openapi.models.V1Job;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.simulation.Workload;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EmbeddedClusterTest {

    @Test
    void itsJobsHaveNamesOfTheirOwnHoweverLongItGoesOn() {
        try (FakeApiServer server = FakeApiServer.create()) {
            Workload jobs = EmbeddedCluster.jobs();
            for (int i = 0; i < 1000; i++) {
                jobs.move(server.objects(), new Random(i % 2));
            }
            assertThat(server.objects().list(ResourceType.of(V1Job.class))).hasSize(5);
        }
    }
}
