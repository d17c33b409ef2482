package io.reactiveinformer.guide.operator;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Applier;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Finalizer;
import io.reactiveinformer.controller.Owner;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.StatusWriter;
import io.reactiveinformer.controller.UpdateFilter;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Publishes websites: the page is a config map of the same name, and a cache outside of the cluster is purged when a website goes. */
public final class WebsiteOperator {

    private static final String NAME = "example.com/websites"; // finalizer, and reporter of Events

    private final Informer<Website> websites;
    private final Applier<V1ConfigMap> pages;
    private final Finalizer<Website> finalizer;
    private final StatusWriter<Website> status;
    private final EventRecorder events;
    private final Function<ObjectKey, Mono<Void>> purge;
    private final Controller<ObjectKey> controller;

    public WebsiteOperator(KubernetesClient client, InformerFactory informers, Function<ObjectKey, Mono<Void>> purge) {
        ResourceType<V1ConfigMap> configMaps = ResourceType.of(V1ConfigMap.class);
        this.websites = informers.of(Website.TYPE);
        this.pages = Applier.of(client, configMaps, informers.of(configMaps)).withForce();
        this.finalizer = Finalizer.of(NAME, client, Website.TYPE, websites);
        this.status = StatusWriter.of(client, Website.TYPE, websites);
        this.events = EventRecorder.of(client, NAME);
        this.purge = purge;
        this.controller = Controller.named("websites")
                .reconciles(Website.TYPE, websites, UpdateFilter.generation())
                .owns(informers.of(configMaps))
                .reconcile(this::reconcile);
    }

    public Controller<ObjectKey> controller() {
        return controller;
    }

    private Mono<Result> reconcile(ReconcileRequest<ObjectKey> request) {
        return websites.lister().get(request.key())
                .map(website -> finalizer.around(request, website, marked -> publish(request, marked), gone -> purge.apply(request.key())))
                .orElse(Mono.empty());                                  // gone: the garbage collector takes its page
    }

    private Mono<Result> publish(ReconcileRequest<ObjectKey> request, Website website) {
        var published = new Website.Status(website.metadata().getGeneration(), request.key().name());
        return pages.apply(request, page(website))
                .then(status.write(request, website, now -> published))
                .filter(reported -> !published.equals(website.status()))   // it was written just now
                .doOnNext(reported -> events.normal(reported, "Published", "Publish", "generation " + published.observedGeneration()))
                .thenReturn(Result.done());
    }

    private static V1ConfigMap page(Website website) {
        return Owner.of(website).own(new V1ConfigMap()
                .metadata(new V1ObjectMeta().namespace(website.metadata().getNamespace()).name(website.metadata().getName()))
                .data(Map.of("index.html", website.spec().html())));
    }

    public Mono<Void> stop() {
        return controller.drain(Duration.ofSeconds(20)).then(events.close(Duration.ofSeconds(5)));
    }
}
