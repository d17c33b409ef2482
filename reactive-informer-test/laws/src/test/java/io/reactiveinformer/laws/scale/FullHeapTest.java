package io.reactiveinformer.laws.scale;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.scale.ChildJvm;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 24, where memory is really gone: another part of the process takes all there is, for ten seconds, three times. */
@Timeout(300)
class FullHeapTest {

    private static final ResourceType<?> TYPE = ResourceType.dynamic("", "v1", "configmaps");

    private final FakeApiServer server = FakeApiServer.create().start();

    @AfterEach
    void close() {
        server.close();
    }

    @BeforeAll
    static void onlyWhereThereIsTime() {
        Rounds.assumeThorough();
    }

    @Test
    void everyInformerIsCurrentAgainWithinAMinuteOfTheHeapBeingFree() {
        for (int i = 0; i < 5; i++) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: ns-" + i + ", name: clock}, data: {n: '0'}}");
        }
        Disposable changes = Flux.interval(Duration.ofMillis(100)).onBackpressureDrop().subscribe(n -> {
            for (int i = 0; i < 5; i++) {
                server.objects().edit(TYPE, ObjectKey.of("ns-" + i, "clock"), map -> {
                    map.putObject("data").put("n", "x".repeat(2000) + n);
                    return map;
                });
            }
        });
        ChildJvm.Result result = ChildJvm.run(FullHeap.class, List.of("-Xmx48m"), Duration.ofMinutes(4), server.url(), "10000");
        changes.dispose();

        assertThat(result.output().lines().filter(line -> line.startsWith("round-"))).as(result.output())
                .hasSize(3).allMatch(line -> line.contains(" current "));
    }
}
