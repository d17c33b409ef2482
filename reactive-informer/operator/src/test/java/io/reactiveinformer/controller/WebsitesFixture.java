package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.node.ObjectNode;

/** A server with websites, in virtual time. */
abstract class WebsitesFixture {

    static final ObjectKey HOME = ObjectKey.of("shop", "home");
    static final ResourceType<Website> WEBSITES =
            ResourceType.of("example.com", "v1", "websites", ResourceType.Scope.NAMESPACED, Website.class);

    static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: websites.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: websites, singular: website, kind: Website}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    /** The class of the operator, which does not know all fields of the status. */
    record Website(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, @Nullable Status status) {

        record Spec(@Nullable String html, int parts) {}

        record Status(@Nullable Long observedGeneration, @Nullable String page, @Nullable List<V1Condition> conditions) {}

        static Status status(@Nullable Status status) {
            return status == null ? new Status(null, null, null) : status;
        }
    }

    final TestClock clock = TestClock.start();
    final FakeApiServer server = FakeApiServer.builder().with("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}").build();
    final KubernetesClient client = KubernetesClient.over(server.transport());
    final InformerFactory informers = InformerFactory.create(client);
    final Informer<Website> websites = informers.of(WEBSITES);

    WebsitesFixture() {
        server.objects().create(DEFINITION);
    }

    @AfterEach
    void end() {
        client.close();
        server.close();
        clock.close();
    }

    void create(String name, String more) {
        server.objects().create("{apiVersion: example.com/v1, kind: Website, metadata: {name: " + name + ", namespace: shop}, "
                + "spec: {html: Hello, parts: 2}" + more + "}");
    }

    void start() {
        informers.start();
        clock.advance(Duration.ofSeconds(5));
    }

    Website cached() {
        return websites.lister().get(HOME).orElseThrow();
    }

    ObjectNode stored() {
        return server.objects().get(WEBSITES, HOME).orElseThrow();
    }

    static ReconcileRequest<ObjectKey> request() {
        return ReconcileRequest.of("websites", HOME);
    }
}
