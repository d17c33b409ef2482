package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.controller.DefinitionCheck;
import io.reactiveinformer.guide.operator.Website;
import io.reactiveinformer.guide.operator.WebsiteOperator;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The operator of the page "Your first operator", in virtual time. */
class FirstOperatorGuideTest {

    private static final ResourceType<V1ConfigMap> PAGES = ResourceType.of(V1ConfigMap.class);
    private static final ObjectKey HOME = ObjectKey.of("shop", "home");
    private static final String DEFINITION = """
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
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [html]
                        properties: {html: {type: string}}
                      status:
                        type: object
                        properties: {observedGeneration: {type: integer}, page: {type: string}}
            """;

    private final TestClock clock = TestClock.start();
    private final FakeApiServer server = FakeApiServer.create();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);
    private final List<ObjectKey> purged = new ArrayList<>();
    private final WebsiteOperator operator =
            new WebsiteOperator(client, informers, key -> Mono.fromRunnable(() -> purged.add(key)));

    @BeforeEach
    void begin() {
        server.objects().create(DEFINITION);
        server.objects()
                .create("{apiVersion: example.com/v1, kind: Website, metadata: {name: home, namespace: shop}, spec: {html: Hello}}");
        operator.controller().start();
        informers.start();
        clock.advance(Duration.ofSeconds(5));
    }

    @AfterEach
    void end() {
        client.close();
        server.close();
        clock.close();
    }

    private String page() {
        return client.resources(PAGES).get(HOME).block().getData().get("index.html");
    }

    private Website website() {
        return client.resources(Website.TYPE).get(HOME).block();
    }

    @Test
    void theClassFitsTheDefinition() {
        assertThat(DefinitionCheck.differences(client, Website.TYPE).block()).isEmpty();
    }

    @Test
    void publishesAndReports() {
        assertThat(page()).isEqualTo("Hello");
        assertThat(website().status()).isEqualTo(new Website.Status(1, "home"));
        List<EventsV1Event> events = client.resources(ResourceType.of(EventsV1Event.class))
                .listAll(Namespaces.of("shop"), ListOptions.defaults()).collectList().block();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.getReason()).isEqualTo("Published");
            assertThat(event.getRegarding().getKind()).isEqualTo("Website");
        });
    }

    @Test
    void repairsWhatOthersChange() {
        server.objects().delete(PAGES, HOME);
        clock.advance(Duration.ofSeconds(5));
        assertThat(page()).isEqualTo("Hello");
    }

    @Test
    void followsTheSpec() {
        client.resources(Website.TYPE).patch(HOME, Patch.merge(Map.of("spec", Map.of("html", "Hello again")))).block();
        clock.advance(Duration.ofSeconds(5));
        assertThat(page()).isEqualTo("Hello again");
        assertThat(website().status()).isEqualTo(new Website.Status(2, "home"));
    }

    @Test
    void triesAgainAfterAFailure() {
        server.faults().on("patch", "configmaps").times(3).internalError();
        server.objects().delete(PAGES, HOME);
        clock.advance(Duration.ofMinutes(1));
        assertThat(page()).isEqualTo("Hello");
    }

    @Test
    void sendsNothingAtRest() {
        server.requests().clear();
        operator.controller().add(HOME);
        clock.advance(Duration.ofSeconds(5));
        assertThat(server.requests().writes()).isEmpty();
    }

    @Test
    void purgesBeforeTheWebsiteGoes() {
        client.resources(Website.TYPE).delete(HOME).block();
        clock.advance(Duration.ofMinutes(1));
        assertThat(purged).containsExactly(HOME);
        assertThatThrownBy(this::website).isInstanceOf(NotFoundException.class);
    }
}
