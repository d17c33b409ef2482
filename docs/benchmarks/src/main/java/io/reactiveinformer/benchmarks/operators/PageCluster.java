package io.reactiveinformer.benchmarks.operators;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1Service;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.guide.samples.WebPage;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An API server with web pages, every second of which is exposed. Pages are written without requests: all requests are the operator's. */
final class PageCluster implements AutoCloseable {

    private static final String NAMESPACE = "shop";
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Ingress> INGRESSES = ResourceType.of(V1Ingress.class);
    private static final List<ResourceType<?>> ALWAYS =
            List.of(ResourceType.of(V1Deployment.class), ResourceType.of(V1Service.class));

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: webpages.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: webpages, singular: webpage, kind: WebPage}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties: {html: {type: string}, exposed: {type: boolean}}
                      status:
                        type: object
                        properties:
                          htmlConfigMap: {type: string, nullable: true}
                          areWeGood: {type: string}
                          errorMessage: {type: string, nullable: true}
            """;

    private static final String PAGE = """
            {"apiVersion": "example.com/v1", "kind": "WebPage", "metadata": {"namespace": "%s", "name": "page-%d"},
             "spec": {"exposed": %b, "html": "%s"}}
            """;

    private final FakeApiServer server;
    private final int pages;

    /** @param writing how long the server takes for each request that writes */
    PageCluster(int pages, Duration writing) {
        this.pages = pages;
        this.server = FakeApiServer.builder().history(20_000).build().start();
        server.objects().create(DEFINITION);
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: " + NAMESPACE + "}}");
        if (!writing.isZero()) {
            server.faults().onRequest("a write", request -> request.verb().isWrite()).always().delay(writing);
        }
    }

    /** A new file with a kubeconfig of an administrator. */
    Path kubeconfig() throws IOException {
        return Files.writeString(Files.createTempFile("operators", ".kubeconfig"), server.kubeconfig());
    }

    /** Whether the operator watches pages and all kinds of its dependents. */
    boolean watched() {
        return server.requests().all().stream().filter(request -> request.verb() == ApiRequest.Verb.WATCH)
                .map(ApiRequest::plural).distinct().count() == 5;
    }

    void create() {
        for (int page = 0; page < pages; page++) {
            server.objects().create(PAGE.formatted(NAMESPACE, page, exposed(page), html(page, "Hello")));
        }
    }

    void change() {
        for (int page = 0; page < pages; page++) {
            String html = html(page, "Hello again");
            server.objects().edit(WebPage.TYPE, key(page, ""), tree -> {
                tree.withObject("spec").put("html", html);
                return tree;
            });
        }
    }

    void delete() {
        for (int page = 0; page < pages; page++) {
            server.objects().delete(WebPage.TYPE, key(page, ""));
        }
    }

    /** Whether the page has its status and its objects. */
    boolean served(int page) {
        return shows(page, "Hello") && good(page)
                && ALWAYS.stream().allMatch(type -> server.objects().get(type, key(page, "")).isPresent())
                && (!exposed(page) || server.objects().get(INGRESSES, key(page, "")).isPresent());
    }

    /** Whether the page's config map has the changed text, and its status no failure. */
    boolean changed(int page) {
        return shows(page, "Hello again") && good(page);
    }

    /** Whether nothing is left of the page. */
    boolean gone(int page) {
        return server.objects().get(WebPage.TYPE, key(page, "")).isEmpty()
                && server.objects().get(CONFIG_MAPS, key(page, "-html")).isEmpty()
                && ALWAYS.stream().allMatch(type -> server.objects().get(type, key(page, "")).isEmpty())
                && server.objects().get(INGRESSES, key(page, "")).isEmpty();
    }

    private boolean good(int page) {
        return server.objects().get(WebPage.TYPE, key(page, ""))
                .filter(tree -> tree.path("status").path("areWeGood").asString("").equals("Yes!")).isPresent();
    }

    private boolean shows(int page, String text) {
        String html = html(page, text);
        return server.objects().get(CONFIG_MAPS, key(page, "-html"))
                .filter(map -> map.path("data").path("index.html").asString("").equals(html)).isPresent();
    }

    private static boolean exposed(int page) {
        return page % 2 == 1;
    }

    private static String html(int page, String text) {
        return "<html><head><title>Page " + page + "</title></head><body>" + text + " from page " + page + "!</body></html>";
    }

    private static ObjectKey key(int page, String suffix) {
        return ObjectKey.of(NAMESPACE, "page-" + page + suffix);
    }

    void forgetRequests() {
        server.requests().clear();
    }

    /** How many requests came since they were last forgotten. */
    int requests() {
        return server.requests().all().size();
    }

    /** The same by verb and resource, such as {@code patch configmaps}. */
    Map<String, Long> requestsByKind() {
        Map<String, Long> counts = new TreeMap<>();
        server.requests().all().forEach(request -> counts.merge(request.verb() + " " + request.resource(), 1L, Long::sum));
        return counts;
    }

    int writes() {
        return server.requests().writes().size();
    }

    @Override
    public void close() {
        server.close();
    }
}
