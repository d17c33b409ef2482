package io.reactiveinformer.test.informer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 9, where the thread itself is held up: by turning in circles, since who really waits on such a thread is thrown out in tests. */
@Timeout(300)
class BlockedSubscribersTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final FakeApiServer server = FakeApiServer.create().start();
    private final KubernetesClient client = KubernetesClient.create(ClusterConfig.of(server.url()));
    private final InformerFactory informers = InformerFactory.create(client);
    private volatile boolean released;

    @AfterEach
    void close() {
        released = true;
        informers.close();
        client.close();
        server.close();
    }

    /** Stream scenario 55. As many as there are threads for subscribers; the watch is cut meanwhile, and comes back after a pause. */
    @Test
    void theCacheAndTheOthersGoOnWhileEverySharedThreadIsHeldUp() throws InterruptedException {
        Informer<V1ConfigMap> settings = informers.of(ResourceType.of(V1ConfigMap.class), Scope.namespace("default"));
        Fault cut = server.faults().onWatch("configmaps").after(1).events().cut(Cut.RST);
        informers.start();
        settings.synced().block(LIMIT);
        var held = new CountDownLatch(Schedulers.DEFAULT_POOL_SIZE);
        for (int i = 0; i < Schedulers.DEFAULT_POOL_SIZE; i++) {
            settings.changes().subscribe(change -> {
                held.countDown();
                holdUp();
            });
        }
        assertThat(held.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Flux<Change<ObjectKey, V1ConfigMap>> others = settings.changes();

        create("before");
        cut.happened(LIMIT).block();
        create("after");

        others.ofType(Change.Added.class).filter(added -> added.toString().contains("after")).blockFirst(LIMIT);
        assertThat(settings.lister().get(ObjectKey.of("default", "after"))).isPresent();
    }

    private void create(String name) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: " + name + "}}");
    }

    private void holdUp() {
        long turns = 0;
        while (!released) {
            turns++;
        }
        assertThat(turns).isNotNegative();
    }
}
