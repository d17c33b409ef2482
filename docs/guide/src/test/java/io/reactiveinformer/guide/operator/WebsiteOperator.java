package io.reactiveinformer.guide.operator;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.UpdateFilter;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Publishes websites: the page is a config map of the same name, and a cache outside of the cluster is purged when a website goes. */
public final class WebsiteOperator {

    private static final String NAME = "example.com/websites"; // field manager, finalizer, and reporter of Events
    private static final WriteOptions OURS = WriteOptions.defaults().withFieldManager(NAME).withForce();

    private final Informer<Website> websites;
    private final Informer<V1ConfigMap> pages;
    private final ResourceClient<Website> websiteClient;
    private final ResourceClient<V1ConfigMap> pageClient;
    private final EventRecorder events;
    private final Function<ObjectKey, Mono<Void>> purge;
    private final Controller<ObjectKey> controller;

    public WebsiteOperator(KubernetesClient client, InformerFactory informers, Function<ObjectKey, Mono<Void>> purge) {
        ResourceType<V1ConfigMap> configMaps = ResourceType.of(V1ConfigMap.class);
        this.websites = informers.of(Website.TYPE);
        this.pages = informers.of(configMaps);
        this.websiteClient = client.resources(Website.TYPE);
        this.pageClient = client.resources(configMaps);
        this.events = EventRecorder.of(client, NAME);
        this.purge = purge;
        this.controller = Controller.named("websites")
                .reconciles(Website.TYPE, websites, UpdateFilter.generation())
                .owns(pages)
                .reconcile(this::reconcile);
    }

    public Controller<ObjectKey> controller() {
        return controller;
    }

    private Mono<Result> reconcile(ReconcileRequest<ObjectKey> request) {
        return websites.lister().get(request.key())
                .map(website -> website.metadata().getDeletionTimestamp() == null ? publish(request, website) : withdraw(request, website))
                .orElse(Mono.empty());                                  // gone: the garbage collector takes its page
    }

    private Mono<Result> publish(ReconcileRequest<ObjectKey> request, Website website) {
        Mono<Website> marked = isMarked(website) ? Mono.just(website) : mark(request.key(), website, List.of(NAME));
        return marked
                .flatMap(present -> pageClient.apply(request.key(), page(website), OURS))
                .doOnNext(request.wrote(pages))                         // the key is not looked at again before the cache has it
                .flatMap(page -> isReported(website) ? Mono.just(website) : report(request.key(), website))
                .doOnNext(request.wrote(websites))
                .thenReturn(Result.done());
    }

    private static V1ConfigMap page(Website website) {
        var owner = new V1OwnerReference().apiVersion("example.com/v1").kind("Website").controller(true)
                .name(website.metadata().getName()).uid(website.metadata().getUid());
        return new V1ConfigMap().apiVersion("v1").kind("ConfigMap")
                .metadata(new V1ObjectMeta().addOwnerReferencesItem(owner))
                .data(Map.of("index.html", website.spec().html()));
    }

    private static boolean isReported(Website website) {
        return website.status() != null && website.status().observedGeneration() == website.metadata().getGeneration();
    }

    private Mono<Website> report(ObjectKey key, Website website) {
        var status = new Website.Status(website.metadata().getGeneration(), key.name());
        return websiteClient.status().patch(key, Patch.merge(Map.of("status", status)))
                .doOnNext(reported -> events.normal(reported, "Published", "Publish", "generation " + status.observedGeneration()));
    }

    private Mono<Result> withdraw(ReconcileRequest<ObjectKey> request, Website website) {
        return isMarked(website)
                ? purge.apply(request.key()).then(mark(request.key(), website, List.of())).thenReturn(Result.done())
                : Mono.empty();
    }

    private static boolean isMarked(Website website) {
        List<String> finalizers = website.metadata().getFinalizers();
        return finalizers != null && finalizers.contains(NAME);
    }

    /** Fails with a conflict, and so is tried again, if the website has changed since the cache received it. */
    private Mono<Website> mark(ObjectKey key, Website website, List<String> finalizers) {
        return websiteClient.patch(key, Patch.merge(Map.of("metadata",
                Map.of("finalizers", finalizers, "resourceVersion", website.metadata().getResourceVersion()))));
    }

    public Mono<Void> stop() {
        return controller.drain(Duration.ofSeconds(20)).then(events.close(Duration.ofSeconds(5)));
    }
}
