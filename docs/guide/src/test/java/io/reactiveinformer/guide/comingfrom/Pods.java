package io.reactiveinformer.guide.comingfrom;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.resource.ResourceType;
import java.util.List;
import java.util.function.Consumer;

/** The same as {@link PodsWithClientJava}, after. */
final class Pods implements AutoCloseable {

    private final InformerFactory informers;
    private final Informer<V1Pod> pods;

    Pods(KubernetesClient client, Consumer<String> log) {
        informers = InformerFactory.create(client);
        pods = informers.of(ResourceType.of(V1Pod.class));
        pods.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(V1Pod pod, boolean isInInitialList) {
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
        informers.start();
    }

    List<V1Pod> in(String namespace) {
        return pods.lister().inNamespace(namespace).list();
    }

    @Override
    public void close() {
        informers.close();
    }
}
