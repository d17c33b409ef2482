package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class TerminatingNamespaceTest extends WebsitesFixture {

    private static final ResourceType<V1ConfigMap> PAGES = ResourceType.of(V1ConfigMap.class);

    @Test
    void isWaitedFor() {
        create("home", "");
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: pages}}\n---\n"
                + "{apiVersion: v1, kind: ConfigMap, metadata: {name: stays, namespace: pages, finalizers: [example.com/theirs]}}");
        server.objects().delete(ResourceType.of(V1Namespace.class), ObjectKey.clusterScoped("pages"));
        List<Result> results = new ArrayList<>();
        Controller<ObjectKey> controller = Controller.named("websites")
                .reconciles(WEBSITES, websites)
                .reconcile(request -> client.resources(PAGES)
                        .create(Namespaces.of("pages"), new V1ConfigMap().metadata(new V1ObjectMeta().name("home")))
                        .thenReturn(Result.done()));
        controller.results().map(Controller.Reconciled::result).subscribe(results::add);
        controller.start();
        start();
        clock.advance(Duration.ofMinutes(2));
        assertThat(results).hasSize(5).containsOnly(Result.again(Duration.ofSeconds(30)));
        controller.close();
    }

    @Test
    void anyOtherRefusalIsAFailure() {
        create("home", "");
        server.access().deny("create", "configmaps");
        List<Result> results = new ArrayList<>();
        Controller<ObjectKey> controller = Controller.named("websites")
                .reconciles(WEBSITES, websites)
                .reconcile(request -> client.resources(PAGES)
                        .create(Namespaces.of("shop"), new V1ConfigMap().metadata(new V1ObjectMeta().name("home")))
                        .then(Mono.just(Result.done())));
        controller.results().map(Controller.Reconciled::result).subscribe(results::add);
        controller.start();
        start();
        assertThat(results).isNotEmpty().allMatch(result -> result instanceof Result.Failed);
        controller.close();
    }
}
