package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The snippets of {@code docs/guide/parts.md}. */
class PartsGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectKey PRICES = ObjectKey.of("shop", "prices");

    private static String prices(String apple) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: prices, namespace: shop}, data: {apple: '" + apple + "'}}";
    }

    @Test
    void aStoreIsWiredByHand() {
        try (FakeApiServer server = FakeApiServer.create(); KubernetesClient client = KubernetesClient.over(server.transport())) {
            server.objects().create(prices("1"));
            List<String> log = new CopyOnWriteArrayList<>();

            Store<V1ConfigMap> store = Store.create(Namespaces.of("shop"));
            Disposable running = Reflector.of(ListerWatcher.over(client, ResourceType.of(V1ConfigMap.class), Namespaces.of("shop")))
                    .events()
                    .transform(DeltaStage.over(store))
                    .doOnNext(delta -> {
                        store.apply(delta);
                        log.add(delta.kind() + " " + delta.key());
                    })
                    .subscribe();

            await(() -> store.lister().get(PRICES).isPresent());
            server.objects().update(prices("2"));
            await(() -> store.lister().get(PRICES).orElseThrow().getData().containsValue("2"));
            server.objects().delete(ResourceType.of(V1ConfigMap.class), PRICES);
            await(() -> log.contains("DELETED shop/prices"));

            assertThat(store.lister().get(PRICES)).isEmpty();
            assertThat(store.snapshot().resourceVersion()).isPresent();
            assertThat(log).startsWith("REPLACED null").containsSubsequence("UPSERTED shop/prices", "DELETED shop/prices");
            running.dispose();
        }
    }

    private static void await(BooleanSupplier condition) {
        Mono.fromSupplier(condition::getAsBoolean).filter(holds -> holds)
                .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10)))
                .block(PATIENCE);
    }
}
