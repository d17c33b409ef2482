package io.reactiveinformer.laws.scale;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.scale.ChildJvm;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** What a whole process needs, measured in one of its own. */
@Timeout(240) // 5,000 pods are made, served and read, in two processes on two cores
class SmallHeapTest {

    private static final int PODS = 5_000;

    private final FakeApiServer server = FakeApiServer.create().start();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void fiveThousandPodsOfNineKilobytesSyncIn128Megabytes() {
        Rounds.assumeThorough();
        long bytes = new PodCorpus(1).pods(PODS).mapToLong(pod -> {
            server.objects().create(pod);
            return pod.toString().length();
        }).sum();
        assertThat(bytes / PODS).as("bytes a pod").isBetween(8_700L, 9_600L);

        ChildJvm.Result result =
                ChildJvm.run(SyncPods.class, List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"),
                        Duration.ofMinutes(3), server.url());

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.value("pods")).isEqualTo(String.valueOf(PODS));
    }

    @Test
    void aHundredInformersNeedNoMoreThreadsThanAHandful() {
        int informers = 100;
        for (int i = 0; i < informers; i++) {
            server.objects().create("""
                    {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": "ns-%d", "name": "settings"}, \
                    "data": {"number": "%d"}}
                    """.formatted(i, i));
        }
        ChildJvm.Result result =
                ChildJvm.run(ManyInformers.class, List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                        Duration.ofMinutes(2), server.url(), String.valueOf(informers));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.value("live")).isEqualTo(String.valueOf(informers));
        assertThat(result.value("objects")).isEqualTo(String.valueOf(informers));
        assertThat(Integer.parseInt(result.value("threads"))).as(result.value("names"))
                .isLessThanOrEqualTo(2 * Runtime.getRuntime().availableProcessors() + 8);
    }
}
