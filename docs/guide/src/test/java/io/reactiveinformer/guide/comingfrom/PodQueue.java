package io.reactiveinformer.guide.comingfrom;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.Delivery;
import java.util.Optional;
import java.util.function.BiFunction;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Handler, key, queue, worker: the loop of a controller that is written with client-go. */
final class PodQueue implements AutoCloseable {

    private final InformerFactory informers;
    private final Informer<V1Pod> pods;
    private final WorkQueue<ObjectKey> queue = WorkQueue.create();
    private final Disposable workers;

    /** @param sync receives the key, and the pod as it is now: empty if it is deleted */
    PodQueue(KubernetesClient client, BiFunction<ObjectKey, Optional<V1Pod>, Mono<Void>> sync) {
        informers = InformerFactory.create(client);
        pods = informers.of(ResourceType.of(V1Pod.class));
        pods.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(V1Pod pod, boolean isInInitialList) {
                queue.add(key(pod));
            }

            @Override
            public void onUpdate(V1Pod before, V1Pod after) {
                queue.add(key(after));
            }

            @Override
            public void onDelete(V1Pod pod, boolean finalStateUnknown) {
                queue.add(key(pod));
            }
        }, Delivery.conflated().brief());
        informers.start();
        workers = informers.synced()
                .thenMany(queue.process(2, key -> sync.apply(key, pods.lister().get(key)).thenReturn(Result.done())))
                .subscribe();
    }

    private static ObjectKey key(V1Pod pod) {
        return ObjectKey.of(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    }

    @Override
    public void close() {
        workers.dispose();
        queue.close();
        informers.close();
    }
}
