package io.reactiveinformer.guide.samples;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Dependents;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.StatusWriter;
import io.reactiveinformer.controller.UpdateFilter;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Serves each web page: a config map, a deployment, a service, and an ingress if the page is exposed. */
public final class WebPageOperator {

    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
    private static final ResourceType<V1Service> SERVICES = ResourceType.of(V1Service.class);
    private static final ResourceType<V1Ingress> INGRESSES = ResourceType.of(V1Ingress.class);

    private final Informer<WebPage> pages;
    private final Dependents<WebPage> dependents;
    private final StatusWriter<WebPage> status;
    private final Controller<ObjectKey> controller;

    public WebPageOperator(KubernetesClient client, InformerFactory informers) {
        pages = informers.of(WebPage.TYPE);
        status = StatusWriter.of(client, WebPage.TYPE, pages);
        dependents = Dependents.of(client, WebPage.TYPE, WebPageOperator::desired)
                .kind(CONFIG_MAPS, informers.of(CONFIG_MAPS))
                .kind(DEPLOYMENTS, informers.of(DEPLOYMENTS))
                .kind(SERVICES, informers.of(SERVICES))
                .kind(INGRESSES, informers.of(INGRESSES));
        controller = Controller.named("webpages")
                .reconciles(WebPage.TYPE, pages, UpdateFilter.generation())
                .owns(informers.of(CONFIG_MAPS))
                .owns(informers.of(DEPLOYMENTS))
                .owns(informers.of(SERVICES))
                .owns(informers.of(INGRESSES))
                .reconcile(this::reconcile);
    }

    public Controller<ObjectKey> controller() {
        return controller;
    }

    private Mono<Result> reconcile(ReconcileRequest<ObjectKey> request) {
        return pages.lister().get(request.key())
                .map(page -> status.reporting(request, page, serve(request, page),
                        (now, failure) -> new WebPage.Status(null, "No", failure.getMessage())))
                .orElse(Mono.empty());
    }

    private Mono<Result> serve(ReconcileRequest<ObjectKey> request, WebPage page) {
        if (!page.spec().html().contains("<html")) {
            return Mono.just(Result.givenUp(new IllegalArgumentException("spec.html is no HTML page"))); // until the page changes
        }
        return dependents.reconcile(request, page).flatMap(report -> report.result() instanceof Result.Failed
                ? Mono.just(report.result())
                : status.write(request, page, now -> new WebPage.Status(name(page) + "-html", "Yes!", null)).thenReturn(report.result()));
    }

    private static List<?> desired(WebPage page) {
        String name = name(page);
        List<Object> desired = new ArrayList<>();
        desired.add(new V1ConfigMap()
                .metadata(new V1ObjectMeta().name(name + "-html"))
                .data(Map.of("index.html", page.spec().html())));
        desired.add(tree("""
                {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "$NAME"}, "spec": {
                  "selector": {"matchLabels": {"app": "$NAME"}}, "replicas": 1, "template": {
                    "metadata": {"labels": {"app": "$NAME"}, "annotations": {"example.com/html": "$HASH"}}, "spec": {
                      "containers": [{"name": "nginx", "image": "nginx:1.29", "ports": [{"containerPort": 80}],
                        "volumeMounts": [{"name": "html-volume", "mountPath": "/usr/share/nginx/html"}]}],
                      "volumes": [{"name": "html-volume", "configMap": {"name": "$NAME-html"}}]}}}}
                """, page));
        desired.add(new V1Service()
                .metadata(new V1ObjectMeta().name(name))
                .spec(new V1ServiceSpec().type("NodePort").selector(Map.of("app", name)).addPortsItem(new V1ServicePort().port(80))));
        if (page.spec().exposed()) {
            desired.add(tree("""
                    {"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": {"name": "$NAME"}, "spec": {"rules": [
                      {"http": {"paths": [
                        {"path": "/", "pathType": "Prefix", "backend": {"service": {"name": "$NAME", "port": {"number": 80}}}}]}}]}}
                    """, page));
        }
        return desired;
    }

    /** With the hash of the page as an annotation of its pods, so that they are replaced when the page changes. */
    private static JsonNode tree(String json, WebPage page) {
        return JsonMapper.shared().readTree(json
                .replace("$NAME", name(page)).replace("$HASH", Integer.toHexString(page.spec().html().hashCode())));
    }

    private static String name(WebPage page) {
        return page.metadata().getName();
    }
}
