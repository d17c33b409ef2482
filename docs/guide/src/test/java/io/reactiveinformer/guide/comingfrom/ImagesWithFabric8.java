package io.reactiveinformer.guide.comingfrom;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** fabric8's informer, before. */
final class ImagesWithFabric8 implements AutoCloseable {

    private final SharedIndexInformer<Deployment> deployments;

    ImagesWithFabric8(KubernetesClient client, Consumer<String> changed) {
        deployments = client.apps().deployments().inNamespace("shop").withLabel("app", "web").runnableInformer(0)
                .addIndexers(Map.of("image", deployment -> List.of(image(deployment))))
                .addEventHandler(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(Deployment deployment) {
                        changed.accept(image(deployment));
                    }

                    @Override
                    public void onUpdate(Deployment before, Deployment after) {
                        if (!image(before).equals(image(after))) {
                            changed.accept(image(after));
                        }
                    }

                    @Override
                    public void onDelete(Deployment deployment, boolean finalStateUnknown) {}
                });
        deployments.start();
    }

    private static String image(Deployment deployment) {
        return deployment.getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
    }

    List<Deployment> with(String image) {
        return deployments.getIndexer().byIndex("image", image);
    }

    @Override
    public void close() {
        deployments.close();
    }
}
