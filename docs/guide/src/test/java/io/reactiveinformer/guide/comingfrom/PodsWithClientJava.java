package io.reactiveinformer.guide.comingfrom;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.util.List;
import java.util.function.Consumer;

/** The informer of the official client, before. */
final class PodsWithClientJava implements AutoCloseable {

    private final SharedInformerFactory informers;
    private final Lister<V1Pod> lister;

    PodsWithClientJava(ApiClient client, Consumer<String> log) {
        informers = new SharedInformerFactory(client);
        SharedIndexInformer<V1Pod> pods = informers.sharedIndexInformerFor(
                new GenericKubernetesApi<>(V1Pod.class, V1PodList.class, "", "v1", "pods", client), V1Pod.class, 0);
        lister = new Lister<>(pods.getIndexer());
        pods.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(V1Pod pod) {
                log.accept("+ " + pod.getMetadata().getName());
            }

            @Override
            public void onUpdate(V1Pod before, V1Pod after) {
                log.accept("~ " + after.getMetadata().getName());
            }

            @Override
            public void onDelete(V1Pod pod, boolean finalStateUnknown) {
                log.accept("- " + pod.getMetadata().getName());
            }
        });
        informers.startAllRegisteredInformers();
    }

    List<V1Pod> in(String namespace) {
        return lister.namespace(namespace).list();
    }

    @Override
    public void close() {
        informers.stopAllRegisteredInformers();
    }
}
