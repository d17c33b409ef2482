package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.RetryOnConflict;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnauthorizedException;
import io.reactiveinformer.resource.UnavailableException;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.junit.FakeCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/guide/requests.md} shows; {@link GuideSnippetsTest} holds the two together. */
@Timeout(60)
class RequestsGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectKey WEB_0 = ObjectKey.of("shop", "web-0");

    @FakeCluster("shop.yaml")
    private FakeApiServer server;

    private KubernetesClient client;
    private ResourceClient<V1Pod> pods;

    @BeforeEach
    void begin() {
        client = KubernetesClient.create(ClusterConfig.of(server.url()));
        pods = client.resources(ResourceType.of(V1Pod.class));
    }

    @AfterEach
    void end() {
        client.close();
    }

    @Test
    void listsOnce() {
        Flux<V1Pod> web = pods.listAll(Namespaces.of("shop"), ListOptions.defaults().withSelector(Selector.labels("app=web")));
        StepVerifier.create(web.count()).expectNext(0L).expectComplete().verify(PATIENCE);
        label().block(PATIENCE);
        StepVerifier.create(web.map(pod -> pod.getMetadata().getName())).expectNext("web-0").expectComplete().verify(PATIENCE);
    }

    private Mono<V1Pod> label() {
        return pods.patch(WEB_0, Patch.merge(Map.of("metadata", Map.of("labels", Map.of("app", "web")))));
    }

    @Test
    void patches() {
        Mono<V1Pod> merged = pods.patch(WEB_0, Patch.merge(Map.of("metadata", Map.of("labels", Map.of("app", "web")))));
        Mono<V1Pod> byList = pods.patch(WEB_0, Patch.strategic(Map.of("spec", Map.of("containers",
                List.of(Map.of("name", "web", "image", "web:2"))))));            // the container of this name; the others stay
        Mono<V1Pod> byPath = pods.patch(WEB_0, Patch.json(List.of(
                Map.of("op", "test", "path", "/metadata/labels/app", "value", "web"),
                Map.of("op", "remove", "path", "/metadata/labels/app"))));
        server.objects().edit(ResourceType.of(V1Pod.class), WEB_0, pod -> {
            pod.withObject("spec").putArray("containers").addObject().put("name", "web").put("image", "web:1");
            return pod;
        });
        assertThat(merged.block(PATIENCE).getMetadata().getLabels()).containsEntry("app", "web");
        assertThat(byList.block(PATIENCE).getSpec().getContainers().get(0).getImage()).isEqualTo("web:2");
        assertThat(byPath.block(PATIENCE).getMetadata().getLabels()).isNullOrEmpty();
        StepVerifier.create(byPath).expectError(InvalidRequestException.class).verify(PATIENCE);
    }

    @Test
    void changesWhatItHasRead() {
        Mono<V1Pod> changed = pods.get(WEB_0)
                .flatMap(pod -> pods.patch(WEB_0, Patch.merge(Map.of("metadata", Map.of(
                        "resourceVersion", pod.getMetadata().getResourceVersion(),
                        "annotations", Map.of("seen", pod.getMetadata().getUid()))))))
                .retryWhen(RetryOnConflict.quickly());
        server.faults().on("patch", "pods").status(409, "Conflict", "the object has been modified");
        assertThat(changed.block(PATIENCE).getMetadata().getAnnotations()).containsKey("seen");
    }

    @Test
    void tellsRefusalsApart() {
        Mono<String> phase = pods.get(ObjectKey.of("shop", "gone"))
                .map(pod -> pod.getStatus().getPhase())
                .onErrorResume(NotFoundException.class, absent -> Mono.just("absent"))
                .onErrorMap(ForbiddenException.class, refused -> new IllegalStateException("ask for the right get pods", refused))
                .retryWhen(reactor.util.retry.Retry.backoff(5, Duration.ofMillis(200))
                        .filter(failure -> failure instanceof TransportException || failure instanceof UnavailableException));
        StepVerifier.create(phase).expectNext("absent").expectComplete().verify(PATIENCE);
        server.faults().on("get", "pods").internalError();
        StepVerifier.create(phase).expectNext("absent").expectComplete().verify(PATIENCE);
        server.access().deny("get", "pods");
        StepVerifier.create(phase).expectErrorMessage("ask for the right get pods").verify(PATIENCE);
    }

    /** The page has a row for each exception, and each is one. */
    @Test
    void theTableNamesEachException() throws Exception {
        List<String> named = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("requests.md"))) {
            var row = Pattern.compile("^\\| `(\\w+Exception)` \\|.*").matcher(line);
            if (row.matches()) {
                assertThat(KubernetesException.class).isAssignableFrom(Class.forName("io.reactiveinformer.resource." + row.group(1)));
                named.add(row.group(1));
            }
        }
        try (var files = Files.list(GuideSnippetsTest.root().resolve(
                "reactive-informer/client/src/main/java/io/reactiveinformer/resource"))) {
            assertThat(named).containsExactlyInAnyOrderElementsOf(files
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .filter(name -> name.endsWith("Exception") && !name.equals("KubernetesException") && !name.equals("StatusException"))
                    .toList());
        }
        assertThat(named).contains(ConflictException.class.getSimpleName(), UnauthorizedException.class.getSimpleName());
    }
}
