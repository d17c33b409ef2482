package io.reactiveinformer.laws.informer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What an informer asks for, and how much it keeps. */
class InformerSpecTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);

    private final FakeApiServer server = FakeApiServer.create();
    private final InformerFactory informers = InformerFactory.create(KubernetesClient.over(server.transport()));

    @AfterEach
    void close() {
        informers.close();
        server.close();
    }

    private static String configMap(String namespace, String name, String app) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: "
                + namespace + ", labels: {app: " + app + "}}, data: {k: v}}";
    }

    /** 8.9.164. */
    @Test
    void asksForWhatItsScopeAndSelectorSay() {
        server.objects().create(configMap("t", "web", "web"));
        server.objects().create(configMap("t", "db", "db"));
        server.objects().create(configMap("u", "web", "web"));
        ResourceType<JsonNode> dynamic = ResourceType.dynamic("", "v1", "configmaps");
        Informer<JsonNode> byLabel = informers.of(dynamic, Namespaces.of("t"), Selector.labels("app=web"));
        Informer<JsonNode> byField = informers.of(dynamic, Namespaces.of("t"), Selector.fields("metadata.name=db"));
        informers.start();
        informers.synced().block(PATIENCE);

        assertThat(byLabel.lister().keys()).containsExactly(ObjectKey.of("t", "web"));
        assertThat(byField.lister().keys()).containsExactly(ObjectKey.of("t", "db"));
        assertThat(server.requests().all()).allSatisfy(request -> assertThat(request.uri()).startsWith("/api/v1/namespaces/t/configmaps?"))
                .anySatisfy(request -> assertThat(request.uri()).contains("labelSelector=app%3Dweb"))
                .anySatisfy(request -> assertThat(request.uri()).contains("fieldSelector=metadata.name%3Ddb"));

        server.objects().update(configMap("t", "db", "web"));
        byLabel.await(ObjectKey.of("t", "db"), any -> true).block(PATIENCE);
        server.objects().update(configMap("t", "web", "other"));
        byLabel.awaitAbsent(ObjectKey.of("t", "web")).block(PATIENCE);
    }

    /** 8.9.165. */
    @Test
    void keepsOnlyMetadataWhereNoMoreIsAskedFor() {
        ObjectKey key = ObjectKey.of("t", "web");
        server.objects().create(configMap("t", "web", "web"));
        Informer<PartialObjectMetadata> informer = informers.of(ResourceType.metadata("", "v1", "configmaps"), Namespaces.of("t"));
        List<String> received = new CopyOnWriteArrayList<>();
        Mono<Void> gone = informer.changes(Delivery.every(100))
                .map(change -> change.match(added -> "+" + app(added.object()),
                        updated -> app(updated.before()) + " > " + app(updated.after()),
                        deleted -> "-" + app(deleted.last()), synced -> "synced"))
                .doOnNext(received::add)
                .takeUntil(text -> text.startsWith("-"))
                .then()
                .cache();
        gone.subscribe();
        informers.start();
        informer.synced().block(PATIENCE);
        server.objects().update(configMap("t", "web", "other"));
        informer.await(key, object -> app(object).equals("other")).block(PATIENCE);
        server.objects().delete(CONFIG_MAPS, key);
        gone.block(PATIENCE);

        assertThat(received).containsExactly("+web", "synced", "web > other", "-other");
    }

    private static String app(PartialObjectMetadata object) {
        return object.metadata().getLabels().get("app");
    }

    /** Stream scenario 78. */
    @Test
    void keepsManagedFieldsOnRequest() {
        ObjectKey key = ObjectKey.of("default", "web");
        try (KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults().withManagedFields(true));
                InformerFactory keeping = InformerFactory.create(client)) {
            client.resources(CONFIG_MAPS).create(Namespaces.of("default"),
                    new V1ConfigMap().metadata(new V1ObjectMeta().name("web").putLabelsItem("app", "web"))).block(PATIENCE);
            Informer<V1ConfigMap> with = keeping.of(CONFIG_MAPS);
            Informer<V1ConfigMap> without = informers.of(CONFIG_MAPS);
            keeping.start();
            informers.start();
            assertThat(managedFields(with.await(key, any -> true).block(PATIENCE))).isNotEmpty();
            assertThat(managedFields(without.await(key, any -> true).block(PATIENCE))).isEmpty();
        }
    }

    private static List<V1ManagedFieldsEntry> managedFields(V1ConfigMap object) {
        return object.getMetadata().getManagedFields();
    }
}
