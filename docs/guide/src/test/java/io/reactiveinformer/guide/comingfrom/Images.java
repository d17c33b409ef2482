package io.reactiveinformer.guide.comingfrom;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.store.Index;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.Disposable;

/** The same as {@link ImagesWithFabric8}, after. */
final class Images implements AutoCloseable {

    private static final Index<V1Deployment, String> BY_IMAGE = Index.of("image", Images::image);

    private final Informer<V1Deployment> deployments;
    private final Disposable subscription;

    Images(InformerFactory informers, Consumer<String> changed) {
        deployments = informers.of(ResourceType.of(V1Deployment.class), Namespaces.of("shop"), Selector.labels("app=web"));
        deployments.addIndex(BY_IMAGE).subscribe();
        subscription = deployments.map(Images::image).objects()             // emits an image when it differs from the one before
                .subscribe(changed);
        deployments.start();
    }

    private static String image(V1Deployment deployment) {
        return deployment.getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
    }

    List<V1Deployment> with(String image) {
        return deployments.lister().by(BY_IMAGE, image).list();
    }

    @Override
    public void close() {
        subscription.dispose();                                             // the factory's owner stops the informer
    }
}
