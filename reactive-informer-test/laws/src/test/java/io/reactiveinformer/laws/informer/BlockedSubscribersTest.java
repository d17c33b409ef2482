package io.reactiveinformer.laws.informer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 9, where the thread itself is blocked: by a busy loop, since in tests a wait on such a thread is an error. */
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
    void theCacheAndTheOthersGoOnWhileEverySharedThreadIsBlocked() throws InterruptedException {
        Informer<V1ConfigMap> settings = informers.of(ResourceType.of(V1ConfigMap.class), Namespaces.of("default"));
        Fault cut = server.faults().onWatch("configmaps").after(1).events().cut(Cut.RST);
        informers.start();
        settings.synced().block(LIMIT);
        var blocked = new CountDownLatch(Schedulers.DEFAULT_POOL_SIZE);
        for (int i = 0; i < Schedulers.DEFAULT_POOL_SIZE; i++) {
            settings.changes().subscribe(change -> {
                blocked.countDown();
                holdUp();
            });
        }
        assertThat(blocked.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Flux<Change<ObjectKey, V1ConfigMap>> others = settings.changes();

        create("before");
        cut.happened(LIMIT).block();
        create("after");

        others.ofType(Change.Added.class).filter(added -> added.toString().contains("after")).blockFirst(LIMIT);
        assertThat(settings.lister().get(ObjectKey.of("default", "after"))).isPresent();
    }

    /** More than there are shared threads, and threads to go on on when these are blocked: statuses are emitted all the same. */
    @Test
    void statusesAreEmittedHoweverManySubscribersAreBlocked() {
        Informer<V1ConfigMap> settings = informers.of(ResourceType.of(V1ConfigMap.class), Namespaces.of("default"));
        informers.start();
        settings.synced().block(LIMIT);
        create("before");
        settings.changes().ofType(Change.Added.class).blockFirst(LIMIT);
        var rest = Duration.ofMillis(1);
        for (int i = 0; i < Schedulers.DEFAULT_POOL_SIZE + Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE + 4; i++) {
            settings.changes().subscribe(change -> holdUp(rest));
        }
        assertThat(settings.filter(map -> true).status().blockFirst(LIMIT)).isNotNull();

        var disrupted = settings.status().filter(status -> status.state() == State.DISRUPTED).next().cache();
        disrupted.subscribe();
        interrupt();

        assertThat(disrupted.block(LIMIT)).isNotNull();
        server.faults().clear();
        assertThat(settings.status().filter(status -> status.state() == State.LIVE).blockFirst(LIMIT)).isNotNull();
    }

    /** However many they are, each holds up itself only. */
    @Test
    void statusesAreEmittedHoweverManySubscribersToThemAreBlocked() {
        Informer<V1ConfigMap> settings = informers.of(ResourceType.of(V1ConfigMap.class), Namespaces.of("default"));
        informers.start();
        settings.synced().block(LIMIT);
        var blocked = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            settings.status().subscribe(status -> {
                blocked.countDown();
                holdUp(Duration.ofMillis(1));
            });
        }
        assertThat(settings.status().blockFirst(LIMIT)).isNotNull();
        await(blocked);
        var disrupted = settings.filter(map -> true).status().filter(status -> status.state() == State.DISRUPTED).next().cache();
        disrupted.subscribe();
        interrupt();
        assertThat(disrupted.block(LIMIT)).isNotNull();
    }

    private static void await(CountDownLatch blocked) {
        try {
            assertThat(blocked.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /** For as long as it takes to be seen: a slow subscriber may miss a state that was left at once. */
    private void interrupt() {
        server.faults().onAny().always().refuse();
        server.restart();
    }

    private void create(String name) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: " + name + "}}");
    }

    /** Without taking the processor from the others, where that is allowed. */
    private void holdUp(Duration rest) {
        if (Schedulers.isInNonBlockingThread()) {
            holdUp();
        }
        while (!released) {
            LockSupport.parkNanos(rest.toNanos());
        }
    }

    private void holdUp() {
        long turns = 0;
        while (!released) {
            turns++;
        }
        assertThat(turns).isNotNegative();
    }
}
