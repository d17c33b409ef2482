package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.guide.tour.Tour;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The program of docs/guide/tour.md, as a program of its own, against a server and without one. */
@Timeout(60)
class TourGuideTest {

    @Test
    void countsThePodsOfEachNode() throws Exception {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
            create(server, "web-0");
            Process program = run(server.url());
            try (BufferedReader output = program.inputReader()) {
                await(output, "status: LIVE", "node-1: 1 pods", "1 pods on node-1");
                create(server, "web-1");
                await(output, "node-1: 2 pods");
                server.objects().deleteNow(ResourceType.of(V1Pod.class), ObjectKey.of("shop", "web-0"));
                server.objects().deleteNow(ResourceType.of(V1Pod.class), ObjectKey.of("shop", "web-1"));
                await(output, "node-1: empty");
            } finally {
                program.destroy();
                assertThat(program.waitFor(20, TimeUnit.SECONDS)).as("it ends in order").isTrue();
            }
        }
    }

    private static void create(FakeApiServer server, String name) {
        server.objects().create("""
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: shop},
                 spec: {nodeName: node-1, containers: [{name: web, image: "web:1"}]}}
                """.formatted(name));
    }

    @Test
    void saysWhatIsWrongWithoutACluster() throws Exception {
        Process program = run("http://127.0.0.1:1");
        try (BufferedReader output = program.inputReader()) {
            await(output, "status: DISRUPTED, ");
        } finally {
            program.destroyForcibly();
        }
    }

    private static Process run(String url) throws IOException {
        return new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-Xshare:auto", "-XX:TieredStopAtLevel=1",
                "-cp", System.getProperty("java.class.path"), Tour.class.getName(), url).redirectErrorStream(true).start();
    }

    /** Reads lines until each of these has begun one, in any order. */
    private static void await(BufferedReader output, String... beginnings) throws IOException {
        for (var missing = new ArrayList<>(List.of(beginnings)); !missing.isEmpty();) {
            String line = output.readLine();
            assertThat(line).as("awaited: " + missing).isNotNull();
            missing.removeIf(line::startsWith);
        }
    }
}
