package io.reactiveinformer.client;

import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnavailableException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.util.List;
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
 * With 245 of client-go-semantics: documents of all groups, groups that cannot answer, preferred versions, and asking again for
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
    void aNameWithoutAResourceIsRefused() {
        assertThatThrownBy(() -> find(RecordedTransport.of("24-discovery", 8, 10), ".apps"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a resource is named like pods, deployments.apps or widgets.v1.example.com; was");
    }

    /** A server before 1.27 names its groups, each of which would have to be asked for by itself. */
    @Test
    void anOldServerIsAFailureThatSaysWhatToDo() {
        JsonNode names = JsonMapper.shared().readTree("{\"kind\": \"APIGroupList\", \"groups\": [{\"name\": \"apps\"}]}");
        assertThatThrownBy(() -> Catalogue.of("/apis", names))
                .isInstanceOf(UnexpectedAnswerException.class)
                .hasMessageStartingWith("expected the resources of all groups (APIGroupDiscoveryList, since Kubernetes 1.27), "
                        + "but \"APIGroupList\" came")
                .hasMessageContaining("ResourceType.dynamic");
    }

    /** An aggregated API whose own server is away: what was known of it is still found, and the rest is not known rather than not there. */
    @Test
    void aStaleGroupIsAFailureForWhatItIsNotKnownToHave() {
        JsonNode document = JsonMapper.shared().readTree("""
                {"kind": "APIGroupDiscoveryList", "items": [{"metadata": {"name": "metrics.k8s.io"}, "versions": [
                  {"version": "v1beta1", "freshness": "Stale", "resources": [
                    {"resource": "pods", "singularResource": "pod", "responseKind": {"kind": "PodMetrics"}, "scope": "Namespaced"}]}]}]}
                """);
        Catalogue catalogue = Catalogue.of("/apis", document);
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
