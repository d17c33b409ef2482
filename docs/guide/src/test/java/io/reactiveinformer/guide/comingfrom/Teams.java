package io.reactiveinformer.guide.comingfrom;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.Map;
import java.util.Set;
import reactor.core.publisher.Mono;

/** Keeps a config map with the name of the team in each namespace that has one, as the reconciler of the Java Operator SDK does. */
final class Teams {

    private static final ResourceType<V1Namespace> NAMESPACES = ResourceType.of(V1Namespace.class);
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final WriteOptions OURS = WriteOptions.defaults().withFieldManager("teams").withForce();

    private final Informer<V1Namespace> namespaces;
    private final Informer<V1ConfigMap> configMaps;
    private final ResourceClient<V1ConfigMap> writer;

    Teams(KubernetesClient client, InformerFactory informers) {
        namespaces = informers.of(NAMESPACES);
        configMaps = informers.of(CONFIG_MAPS);
        writer = client.resources(CONFIG_MAPS);
    }

    Controller<ObjectKey> controller() {
        return Controller.named("teams")
                .reconciles(NAMESPACES, namespaces)
                .watches(configMaps.filter(map -> "team".equals(map.getMetadata().getName())), toNamespace())
                .reconcile(this::reconcile);
    }

    private static Route<ObjectKey, V1ConfigMap, ObjectKey> toNamespace() {
        return (key, map) -> Set.of(ObjectKey.clusterScoped(key.namespace()));
    }

    private Mono<Result> reconcile(ReconcileRequest<ObjectKey> request) {
        return namespaces.lister().get(request.key()).map(Teams::team).filter(team -> !team.isEmpty())
                .map(team -> writer
                        .apply(ObjectKey.of(request.key().name(), "team"), new V1ConfigMap().data(Map.of("name", team)), OURS)
                        .doOnNext(request.wrote(configMaps))                // this namespace waits until the cache has it
                        .thenReturn(Result.done()))
                .orElse(Mono.just(Result.done()));
    }

    private static String team(V1Namespace namespace) {
        Map<String, String> labels = namespace.getMetadata().getLabels();
        return labels == null ? "" : labels.getOrDefault("team", "");
    }
}
