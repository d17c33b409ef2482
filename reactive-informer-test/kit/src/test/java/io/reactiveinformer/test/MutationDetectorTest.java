package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Stream scenario 76, 8.7.132. */
class MutationDetectorTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectKey A = ObjectKey.of("t", "a");

    private final FakeApiServer server = FakeApiServer.create();
    private final InformerFactory informers = InformerFactory.create(KubernetesClient.over(server.transport()));
    private final Informer<V1ConfigMap> configMaps = informers.of(ResourceType.of(V1ConfigMap.class));
    private final MutationDetector<V1ConfigMap> detector = MutationDetector.of(configMaps);

    @AfterEach
    void close() {
        informers.close();
        server.close();
    }

    /** As a subscriber gets it who was there before it came: others may have it before the detector. */
    private V1ConfigMap cached() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}, data: {sky: blue}}");
        var first = configMaps.changes()
                .mapNotNull(change -> change.<V1ConfigMap>match(Change.Added::object, updated -> null, deleted -> null, synced -> null))
                .next()
                .toFuture();
        informers.start();
        return Mono.fromFuture(first).block(PATIENCE);
    }

    @Test
    void findsWhoChangedACachedObjectAndWhere() {
        cached().getMetadata().setGenerateName("mine");
        assertThatThrownBy(detector::verify)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("t/a: .metadata.generateName was absent, is \"mine\"");
    }

    @Test
    void findsItInTheCallbackThatWasFirstToSeeTheObject() throws Exception {
        var called = configMaps.changes()
                .doOnNext(change -> change.accept(added -> added.object().kind("Mine"), updated -> {}, deleted -> {}, synced -> {}))
                .skipUntil(change -> change.match(added -> true, updated -> false, deleted -> false, synced -> false))
                .next()
                .toFuture();
        cached();
        called.get(20, TimeUnit.SECONDS);
        assertThatThrownBy(detector::close).hasMessageContaining(".kind");
    }

    @Test
    void findsItInAnObjectThatHasLeftTheCacheSince() {
        cached().setImmutable(true);
        server.objects().delete("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
        configMaps.awaitAbsent(A).block(PATIENCE);
        assertThatThrownBy(detector::close).hasMessageContaining("t/a: .immutable was absent, is true");
    }

    @Test
    void isContentWithWhoReadsAndWithWhatTheServerChanged() {
        cached();
        server.objects().update("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}, data: {sky: grey}}");
        configMaps.await(A, object -> object.getData().get("sky").equals("grey")).block(PATIENCE);
        assertThatCode(detector::close).doesNotThrowAnyException();
    }
}
