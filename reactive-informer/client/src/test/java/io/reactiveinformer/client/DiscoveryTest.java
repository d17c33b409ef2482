package io.reactiveinformer.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.recordings.Recording;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnavailableException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * With 245 of client-go-semantics: aggregated and legacy documents, groups that cannot answer, preferred versions, and asking again for
 * what was not there.
 */
class DiscoveryTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static ResourceType<JsonNode> find(Transport transport, String name) {
        return KubernetesClient.over(transport).discovery().find(name).block(LIMIT);
    }

    @ParameterizedTest
    @CsvSource({
        "pods, pods.v1, Pod, NAMESPACED",
        "pod, pods.v1, Pod, NAMESPACED",
        "po, pods.v1, Pod, NAMESPACED",
        "Pod, pods.v1, Pod, NAMESPACED",
        "pods.v1, pods.v1, Pod, NAMESPACED",
        "nodes, nodes.v1, Node, CLUSTER",
        "events, events.v1, Event, NAMESPACED",
        "events.events.k8s.io, events.v1.events.k8s.io, Event, NAMESPACED",
        "deployments.apps, deployments.v1.apps, Deployment, NAMESPACED",
        "deployments.v1.apps, deployments.v1.apps, Deployment, NAMESPACED",
        "deploy, deployments.v1.apps, Deployment, NAMESPACED",
        "hpa, horizontalpodautoscalers.v2.autoscaling, HorizontalPodAutoscaler, NAMESPACED",
        "horizontalpodautoscalers.v1.autoscaling, horizontalpodautoscalers.v1.autoscaling, HorizontalPodAutoscaler, NAMESPACED",
    })
    void findsWhatAPersonMeans(String name, String type, String kind, Scope scope) {
        ResourceType<JsonNode> found = find(RecordedTransport.of("24-discovery", 8, 10), name);
        assertThat(found).hasToString(type);
        assertThat(found.kind()).isEqualTo(kind);
        assertThat(found.scope()).isEqualTo(scope);
    }

    @ParameterizedTest
    @CsvSource({"gizmos", "pods.apps", "pods.v2", "deployments.v1beta1.apps", "widgets.example.com"})
    void doesNotFindWhatIsNotThere(String name) {
        assertThat(find(RecordedTransport.of("24-discovery", 8, 10), name)).isNull();
    }

    @Test
    void whatWasFoundIsKeptAndWhatWasNotIsAskedForAgainByEntityTag() {
        var transport = RecordedTransport.of("24-discovery", 8, 10, 9, 11);
        Discovery discovery = KubernetesClient.over(transport).discovery();
        assertThat(discovery.find("pods").block(LIMIT)).isNotNull();
        assertThat(discovery.find("deployments").block(LIMIT)).isNotNull();
        assertThat(transport.requests()).hasSize(2);
        assertThat(discovery.find("gizmos").block(LIMIT)).isNull();
        transport.verifyPlayedToTheEnd();
    }

    /** As kubectl api-resources --verbs=list. */
    @Test
    void allTypesThatCanBeListedComeOnceInThePreferredVersion() {
        List<String> all = KubernetesClient.over(RecordedTransport.of("24-discovery", 8, 10)).discovery().all()
                .map(ResourceType::toString).collectList().block(LIMIT);
        assertThat(all).doesNotHaveDuplicates().contains("pods.v1", "events.v1", "events.v1.events.k8s.io", "deployments.v1.apps",
                "horizontalpodautoscalers.v2.autoscaling");
        assertThat(all).doesNotContain("bindings.v1", "tokenreviews.v1.authentication.k8s.io", "horizontalpodautoscalers.v1.autoscaling");
    }

    @Test
    void eachResourceHasItsVerbs() {
        List<Discovery.Resource> all = KubernetesClient.over(RecordedTransport.of("24-discovery", 8, 10)).discovery().resources()
                .collectList().block(LIMIT);
        assertThat(all).filteredOn(resource -> resource.type().plural().equals("horizontalpodautoscalers"))
                .extracting(resource -> resource.type().version() + " " + resource.preferred()).containsExactly("v2 true", "v1 false");
        assertThat(all).filteredOn(resource -> resource.type().plural().equals("tokenreviews")).singleElement()
                .satisfies(reviews -> assertThat(reviews.verbs()).containsExactly("create"));
        assertThat(all).filteredOn(resource -> resource.type().toString().equals("pods.v1")).singleElement()
                .satisfies(pods -> assertThat(pods.verbs()).contains("list", "watch", "patch"));
    }

    @Test
    void anOldServerTellsVerbsToo() {
        assertThat(KubernetesClient.over(new OldServer()).discovery().all().map(ResourceType::toString).collectList().block(LIMIT))
                .contains("pods.v1", "deployments.v1.apps").doesNotContain("bindings.v1").doesNotHaveDuplicates();
    }

    @Test
    void aNameWithoutAResourceIsRefused() {
        assertThatThrownBy(() -> find(RecordedTransport.of("24-discovery", 8, 10), ".apps"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a resource is named like pods, deployments.apps or widgets.v1.example.com; was");
    }

    /** A server before 1.26: each group is asked for by itself. */
    private static final class OldServer implements Transport {

        private final Map<String, Recording.Exchange> answers = new HashMap<>();
        private final List<String> asked = new ArrayList<>();

        OldServer() {
            Recording recording = Recording.of("24-discovery");
            for (int number : new int[] {1, 2, 4, 5}) {
                answers.put(recording.exchange(number).uri(), recording.exchange(number));
            }
        }

        @Override
        public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
            return Flux.defer(() -> {
                asked.add(request.uri());
                Recording.Exchange known = answers.get(request.uri());
                return reader.apply(known == null
                        ? new Transport.Answer(503, Headers.of("Content-Type", "text/plain"), body("service unavailable"))
                        : new Transport.Answer(200, Headers.of("Content-Type", "application/json"), body(known.bodyText())));
            });
        }

        private static Flux<ByteBuf> body(String text) {
            return Flux.defer(() -> Flux.just(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8)));
        }

        @Override
        public Mono<Void> dispose() {
            return Mono.empty();
        }
    }

    @Test
    void asksAnOldServerGroupByGroup() {
        ResourceType<JsonNode> found = find(new OldServer(), "deploy");
        assertThat(found).hasToString("deployments.v1.apps");
        assertThat(found.kind()).isEqualTo("Deployment");
        assertThat(find(new OldServer(), "no").scope()).isEqualTo(Scope.CLUSTER);
    }

    @Test
    void aGroupThatCannotAnswerIsAFailureOnlyForWhatItMayHave() {
        assertThat(find(new OldServer(), "pods")).hasToString("pods.v1");
        assertThat(find(new OldServer(), "gizmos.apps")).isNull();
        assertThatThrownBy(() -> find(new OldServer(), "widgets.demo.example.com"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("cannot discover /apis/demo.example.com/v1");
    }

    /** An aggregated API whose own server is away: what was known of it is still found, and the rest is not known rather than not there. */
    @Test
    void aStaleGroupIsAFailureForWhatItIsNotKnownToHave() {
        JsonNode document = JsonMapper.shared().readTree("""
                {"kind": "APIGroupDiscoveryList", "items": [{"metadata": {"name": "metrics.k8s.io"}, "versions": [
                  {"version": "v1beta1", "freshness": "Stale", "resources": [
                    {"resource": "pods", "singularResource": "pod", "responseKind": {"kind": "PodMetrics"}, "scope": "Namespaced"}]}]}]}
                """);
        DiscoveryDocuments.Catalogue catalogue = DiscoveryDocuments.aggregated(document);
        assertThat(catalogue.find(ResourceName.parse("pods.metrics.k8s.io")).block()).isNotNull();
        assertThatThrownBy(() -> catalogue.find(ResourceName.parse("nodes.metrics.k8s.io")).block())
                .isInstanceOf(UnavailableException.class).hasMessageContaining("/apis/metrics.k8s.io/v1beta1");
        assertThat(catalogue.find(ResourceName.parse("nodes.example.com")).block()).isNull();
    }

    @Test
    void aServerThatIsAwayIsAFailureNotAnEmptyAnswer() {
        Transport away = new Transport() {
            @Override
            public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
                return Flux.error(new TransportException("cannot reach it", null));
            }

            @Override
            public Mono<Void> dispose() {
                return Mono.empty();
            }
        };
        StepVerifier.create(KubernetesClient.over(away).discovery().find("pods")).expectErrorMessage("cannot reach it").verify(LIMIT);
    }
}
