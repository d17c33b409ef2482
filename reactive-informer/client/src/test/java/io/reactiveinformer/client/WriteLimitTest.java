package io.reactiveinformer.client;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** 232: TestRESTClientLimiter. */
class WriteLimitTest {

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final List<Long> admitted = new ArrayList<>();

    private Disposable write(WriteLimit limit) {
        return limit.admit().subscribe(nothing -> {}, failure -> {}, () -> admitted.add(timer.now(TimeUnit.MILLISECONDS)));
    }

    @Test
    void aBurstGoesAtOnceAndTheRestInTheirTurn() {
        var limit = new WriteLimit(50, 100, timer);
        long start = timer.now(TimeUnit.MILLISECONDS);
        for (int i = 0; i < 200; i++) {
            write(limit);
        }
        assertThat(admitted).hasSize(100);
        timer.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(admitted).hasSize(150);
        timer.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(admitted).hasSize(200);
        assertThat(admitted.get(100) - start).isEqualTo(20);
        assertThat(admitted).isSorted();
    }

    @Test
    void aRestGivesTheBurstBackAndNoMore() {
        var limit = new WriteLimit(50, 10, timer);
        for (int i = 0; i < 10; i++) {
            write(limit);
        }
        timer.advanceTimeBy(Duration.ofHours(1));
        admitted.clear();
        for (int i = 0; i < 20; i++) {
            write(limit);
        }
        assertThat(admitted).hasSize(10);
    }

    @Test
    void whoGivesUpWaitingKeepsNobodyElseWaiting() {
        var limit = new WriteLimit(50, 1, timer);
        write(limit);
        for (int i = 0; i < 1000; i++) {
            write(limit).dispose();
        }
        admitted.clear();
        write(limit);
        timer.advanceTimeBy(Duration.ofMillis(20));
        assertThat(admitted).hasSize(1);
    }

    @Test
    void noLimitIsNone() {
        var limit = new WriteLimit(0, 1, timer);
        for (int i = 0; i < 1000; i++) {
            write(limit);
        }
        assertThat(admitted).hasSize(1000);
    }

    @Test
    void aClockThatIsSetBackKeepsNobodyWaiting() {
        var hours = new long[] {10};
        var clock = new Scheduler() {
            @Override
            public Disposable schedule(Runnable task) {
                return timer.schedule(task);
            }

            @Override
            public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
                return timer.schedule(task, delay, unit);
            }

            @Override
            public Worker createWorker() {
                return timer.createWorker();
            }

            @Override
            public long now(TimeUnit unit) {
                return unit.convert(hours[0], TimeUnit.HOURS);
            }
        };
        var limit = new WriteLimit(50, 10, clock);
        write(limit);
        hours[0] = 9;
        write(limit);
        assertThat(admitted).hasSize(2);
    }

    @Test
    void leasesDoNotWaitBehindOtherWritesAndWaitForEachOther() {
        var server = new ScriptedTransport().then(200, "{\"metadata\":{\"namespace\":\"ns\",\"name\":\"a\"}}");
        KubernetesClient client = KubernetesClient.over(server, ClientOptions.defaults().withWriteLimit(1, 1)
                .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), timer)));
        ResourceClient<V1ConfigMap> configMaps = client.resources(ResourceType.of(V1ConfigMap.class));
        ResourceClient<V1Lease> leases = client.resources(ResourceType.of(V1Lease.class));
        ObjectKey key = ObjectKey.of("ns", "a");
        for (int i = 0; i < 100; i++) {
            configMaps.update(key, new V1ConfigMap()).subscribe();
        }
        leases.update(key, new V1Lease()).subscribe();
        leases.update(key, new V1Lease()).subscribe();
        String configMap = "PUT /api/v1/namespaces/ns/configmaps/a";
        String lease = "PUT /apis/coordination.k8s.io/v1/namespaces/ns/leases/a";
        server.verifyAsked(configMap, lease);
        timer.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(server.requests()).extracting(HttpRequest::toString).containsExactly(configMap, lease, configMap, lease);
    }
}
