package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.guide.samples.Database;
import io.reactiveinformer.guide.samples.Schema;
import io.reactiveinformer.guide.samples.SchemaOperator;
import io.reactiveinformer.guide.samples.WebPage;
import io.reactiveinformer.guide.samples.WebPageOperator;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The two samples of the Java Operator SDK, as operators of this library. */
class SamplesGuideTest {

    private static final ObjectKey HELLO = ObjectKey.of("shop", "hello");
    private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
    private static final ResourceType<V1Ingress> INGRESSES = ResourceType.of(V1Ingress.class);

    private final TestClock clock = TestClock.start();
    private final FakeApiServer server = FakeApiServer.create();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);
    private final Map<String, String> tables = new TreeMap<>();
    private boolean down;

    private final Database database = new Database() {
        @Override
        public String url(String schema) {
            return "r2dbc:mysql://db/" + schema;
        }

        @Override
        public Mono<Void> create(String schema, String encoding, String user, String password) {
            return down ? Mono.error(new IOException("the database is down"))
                    : Mono.fromRunnable(() -> tables.putIfAbsent(schema, encoding + " of " + user + ":" + password));
        }

        @Override
        public Mono<Void> drop(String schema, String user) {
            return down ? Mono.error(new IOException("the database is down")) : Mono.fromRunnable(() -> tables.remove(schema));
        }
    };

    private void define(String plural, String kind) {
        server.objects().create("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %1$s.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: %1$s, kind: %2$s}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}}
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.formatted(plural, kind));
    }

    private void start(Controller<ObjectKey> controller) {
        controller.start();
        informers.start();
        advance();
    }

    private void advance() {
        clock.advance(Duration.ofSeconds(10));
    }

    @AfterEach
    void end() {
        client.close();
        server.close();
        clock.close();
    }

    private WebPage webPage(String html, boolean exposed) {
        if (server.objects().get(WebPage.TYPE, HELLO).isEmpty()) {
            server.objects().create("{apiVersion: example.com/v1, kind: WebPage, metadata: {name: hello, namespace: shop}, spec: {html: '"
                    + html + "', exposed: " + exposed + "}}");
        } else {
            server.objects().edit(WebPage.TYPE, HELLO, page -> {
                page.withObject("spec").put("html", html).put("exposed", exposed);
                return page;
            });
        }
        advance();
        return client.resources(WebPage.TYPE).get(HELLO).block();
    }

    @Test
    void aPageIsServedExposedAndHiddenAgain() {
        define("webpages", "WebPage");
        start(new WebPageOperator(client, informers).controller());
        assertThat(webPage("<html>Hello</html>", false).status()).isEqualTo(new WebPage.Status("hello-html", "Yes!", null));
        JsonNode first = server.objects().get(DEPLOYMENTS, HELLO).orElseThrow();
        assertThat(server.objects().get(INGRESSES, HELLO)).isEmpty();

        webPage("<html>Hello again</html>", true);
        JsonNode map = server.objects().get(ResourceType.of(V1ConfigMap.class), ObjectKey.of("shop", "hello-html")).orElseThrow();
        assertThat(map.at("/data/index.html").asString()).isEqualTo("<html>Hello again</html>");
        assertThat(server.objects().get(INGRESSES, HELLO)).isPresent();
        assertThat(server.objects().get(DEPLOYMENTS, HELLO).orElseThrow().at("/spec/template")).as("its pods are replaced")
                .isNotEqualTo(first.at("/spec/template"));

        assertThat(webPage("none", true).status()).isEqualTo(new WebPage.Status(null, "No", "spec.html is no HTML page"));
        assertThat(webPage("<html>Bye</html>", false).status().areWeGood()).isEqualTo("Yes!");
        assertThat(server.objects().get(INGRESSES, HELLO)).isEmpty();
        server.requests().clear();
        clock.advance(Duration.ofHours(1));
        assertThat(server.requests().writes()).isEmpty();
    }

    @Test
    void aSchemaIsCreatedRepairedAndDropped() {
        define("schemas", "Schema");
        start(new SchemaOperator(client, informers, database).controller());
        down = true;
        server.objects().create(
                "{apiVersion: example.com/v1, kind: Schema, metadata: {name: hello, namespace: shop}, spec: {encoding: utf8}}");
        advance();
        assertThat(client.resources(Schema.TYPE).get(HELLO).block().status().status()).isEqualTo("ERROR: the database is down");
        down = false;
        clock.advance(Duration.ofMinutes(10));
        assertThat(client.resources(Schema.TYPE).get(HELLO).block().status())
                .isEqualTo(new Schema.Status("r2dbc:mysql://db/hello", "hello-user", "hello-secret", "CREATED"));
        String password = new String(client.resources(ResourceType.of(V1Secret.class)).get(ObjectKey.of("shop", "hello-secret")).block()
                .getData().get("password"), StandardCharsets.UTF_8);
        assertThat(tables).isEqualTo(Map.of("hello", "utf8 of hello-user:" + password));

        tables.clear();                                                 // by hand, in the database
        clock.advance(Duration.ofMinutes(2));
        assertThat(tables).isEqualTo(Map.of("hello", "utf8 of hello-user:" + password));

        down = true;
        client.resources(Schema.TYPE).delete(HELLO).block();
        advance();
        assertThat(server.objects().get(Schema.TYPE, HELLO)).as("kept until the database is there").isPresent();
        down = false;
        clock.advance(Duration.ofMinutes(20));
        assertThat(tables).isEmpty();
        assertThat(server.objects().get(Schema.TYPE, HELLO)).isEmpty();
        assertThat(server.objects().list(ResourceType.of(V1Secret.class))).isEmpty();
    }
}
