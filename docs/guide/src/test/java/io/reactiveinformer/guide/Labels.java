package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The service of the guide: a ConfigMap for each pod, as long as there is the pod. */
final class Labels {

    private final Informer<V1Pod> pods;
    private final ResourceClient<V1ConfigMap> configMaps;

    Labels(KubernetesClient client, Informer<V1Pod> pods) {
        this.pods = pods;
        this.configMaps = client.resources(ResourceType.of(V1ConfigMap.class));
    }

    Flux<String> run() {
        return pods.changes().concatMap(change -> change.match(
                added -> create(added.key()).thenReturn("created " + added.key()).retry(3),
                updated -> Mono.<String>empty(),
                deleted -> configMaps.delete(deleted.key()).thenReturn("deleted " + deleted.key()),
                synced -> Mono.just("ready")));
    }

    private Mono<V1ConfigMap> create(ObjectKey key) {
        return configMaps.create(Namespaces.of(key.namespace()), new V1ConfigMap().metadata(new V1ObjectMeta().name(key.name())));
    }
}
