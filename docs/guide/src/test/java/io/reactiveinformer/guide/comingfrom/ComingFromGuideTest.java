package io.reactiveinformer.guide.comingfrom;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.junit.FakeCluster;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import tools.jackson.databind.node.ObjectNode;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

/** The programs of docs/guide/coming-from.md: where both are here, the one after does what the one before did. */
@Timeout(60)
class ComingFromGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @FakeCluster
    private FakeApiServer server;

    private final BlockingQueue<String> before = new LinkedTransferQueue<>();
    private final BlockingQueue<String> after = new LinkedTransferQueue<>();
    private KubernetesClient client;
    private InformerFactory informers;

    @BeforeEach
    void begin() {
        client = KubernetesClient.create(ClusterConfig.of(server.url()));
        informers = InformerFactory.create(client);
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: red}}}");
    }

    @AfterEach
    void end() {
        informers.close();
        client.close();
    }

    @Test
    void podsAreLoggedAsByTheOfficialClient() throws Exception {
        create("web-0");
        try (PodsWithClientJava theirs = new PodsWithClientJava(new ClientBuilder().setBasePath(server.url()).build(), before::add);
                Pods ours = new Pods(client, after::add)) {
            assertSame("+ web-0");
            create("web-1");
            assertSame("+ web-1");
            server.objects().edit(ResourceType.of(V1Pod.class), ObjectKey.of("shop", "web-0"),
                    pod -> with(pod, "/metadata/labels", "app", "web"));
            assertSame("~ web-0");
            assertThat(ours.in("shop")).extracting(pod -> pod.getMetadata().getName()).containsExactlyInAnyOrder("web-0", "web-1");
            assertThat(theirs.in("shop")).hasSize(2);
        }
    }

    @Test
    void keysOfPodsAreWorkedOnAndTriedAgain() throws Exception {
        create("web-0");
        AtomicBoolean failed = new AtomicBoolean();
        var queue = new PodQueue(client, (key, pod) -> Mono.fromRunnable(() -> {
            if (failed.compareAndSet(false, true)) {
                throw new IllegalStateException("the first time");
            }
            after.add(key + (pod.isEmpty() ? " is gone" : " is there"));
        }));
        try (queue) {
            assertThat(after.poll(20, SECONDS)).isEqualTo("shop/web-0 is there");
            assertThat(failed).isTrue();
            server.objects().delete(ResourceType.of(V1Pod.class), ObjectKey.of("shop", "web-0"));
            String seen = "";
            while (seen.equals("shop/web-0 is there") || seen.isEmpty()) { // it was queued again when it was modified
                seen = after.poll(20, SECONDS);
            }
            assertThat(seen).isEqualTo("shop/web-0 is gone");
        }
    }

    private void create(String name) {
        server.objects().create("""
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: shop}, spec: {containers: [{name: web, image: "web:1"}]}}
                """.formatted(name));
    }

    private void assertSame(String line) throws InterruptedException {
        assertThat(List.of(before.poll(20, SECONDS), after.poll(20, SECONDS))).containsExactly(line, line);
    }

    @Test
    void imagesAreEmittedAsByFabric8() throws Exception {
        server.objects().create("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: shop, labels: {app: web}}
                spec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, \
                spec: {containers: [{name: a, image: "web:1"}]}}}
                """);
        try (var fabric8 = new KubernetesClientBuilder().withConfig(new ConfigBuilder().withMasterUrl(server.url()).build()).build();
                ImagesWithFabric8 theirs = new ImagesWithFabric8(fabric8, before::add);
                Images ours = new Images(informers, after::add)) {
            assertSame("web:1");
            server.objects().edit(ResourceType.of(V1Deployment.class), ObjectKey.of("shop", "web"),
                    web -> with(web, "/metadata/labels", "seen", "yes"));                       // the image is the same
            server.objects().edit(ResourceType.of(V1Deployment.class), ObjectKey.of("shop", "web"),
                    web -> with(web, "/spec/template/spec/containers/0", "image", "web:2"));
            assertSame("web:2");
            assertThat(ours.with("web:2")).hasSize(1);
            assertThat(theirs.with("web:2")).hasSize(1);
        }
    }

    /** While the handlers are in their first call, a pod is changed ten times, and another one comes, is changed and goes. */
    @Test
    void aBurstIsConflatedUnlessEachStateIsRequested() throws Exception {
        create("web-0");
        var goOn = new CountDownLatch(1);
        List<String> every = new CopyOnWriteArrayList<>();
        List<String> conflated = new CopyOnWriteArrayList<>();
        List<String> ofFabric8 = new CopyOnWriteArrayList<>();
        Informer<V1Pod> pods = informers.of(ResourceType.of(V1Pod.class), Namespaces.of("shop"));
        pods.addEventHandler(recording(every, goOn), Delivery.every(100).on(Schedulers.boundedElastic()));
        pods.addEventHandler(recording(conflated, goOn), Delivery.conflated().on(Schedulers.boundedElastic()));
        try (var fabric8 = new KubernetesClientBuilder().withConfig(new ConfigBuilder().withMasterUrl(server.url()).build()).build();
                var theirs = fabric8.pods().inNamespace("shop").inform(recordingOfFabric8(ofFabric8, goOn))) {
            informers.start();
            until(() -> every.size() == 1 && conflated.size() == 1 && ofFabric8.size() == 1);
            ObjectKey web = ObjectKey.of("shop", "web-0");
            for (int round = 1; round <= 10; round++) {
                String text = Integer.toString(round);
                server.objects().edit(ResourceType.of(V1Pod.class), web, pod -> with(pod, "/metadata/labels", "round", text));
                if (round == 5) {
                    create("web-1");
                    server.objects().deleteNow(ResourceType.of(V1Pod.class), ObjectKey.of("shop", "web-1"));
                }
            }
            pods.await(web, pod -> pod.getMetadata().getLabels() != null && "10".equals(pod.getMetadata().getLabels().get("round")))
                    .block(PATIENCE);
            until(() -> "10".equals(theirs.getIndexer().getByKey("shop/web-0").getMetadata().getLabels().get("round")));
            goOn.countDown();
            until(() -> every.size() == 14 && conflated.size() == 2 && ofFabric8.size() == 14);
            assertThat(conflated).containsExactly("+ web-0", "~ web-0");
            assertThat(ofFabric8).containsExactlyInAnyOrderElementsOf(every)
                    .containsOnlyOnce("+ web-0", "+ web-1", "- web-1").contains("~ web-0");
        }
    }

    private static void until(BooleanSupplier condition) {
        Mono.fromSupplier(condition::getAsBoolean).filter(met -> met).repeatWhenEmpty(more -> more.delayElements(Duration.ofMillis(20)))
                .block(PATIENCE);
    }

    private static void record(List<String> calls, CountDownLatch goOn, String call) {
        calls.add(call);
        try {
            goOn.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static ResourceEventHandler<V1Pod> recording(List<String> calls, CountDownLatch goOn) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(V1Pod pod, boolean isInInitialList) {
                record(calls, goOn, "+ " + pod.getMetadata().getName());
            }

            @Override
            public void onUpdate(V1Pod before, V1Pod after) {
                record(calls, goOn, "~ " + after.getMetadata().getName());
            }

            @Override
            public void onDelete(V1Pod pod, boolean finalStateUnknown) {
                record(calls, goOn, "- " + pod.getMetadata().getName());
            }
        };
    }

    private static io.fabric8.kubernetes.client.informers.ResourceEventHandler<Pod> recordingOfFabric8(
            List<String> calls, CountDownLatch goOn) {
        return new io.fabric8.kubernetes.client.informers.ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod) {
                record(calls, goOn, "+ " + pod.getMetadata().getName());
            }

            @Override
            public void onUpdate(Pod before, Pod after) {
                record(calls, goOn, "~ " + after.getMetadata().getName());
            }

            @Override
            public void onDelete(Pod pod, boolean finalStateUnknown) {
                record(calls, goOn, "- " + pod.getMetadata().getName());
            }
        };
    }

    private static ObjectNode with(ObjectNode object, String path, String name, String value) {
        object.withObject(path).put(name, value);
        return object;
    }

    @Test
    void eachNamespaceOfATeamHasItsName() {
        Controller<ObjectKey> teams = new Teams(client, informers).controller();
        informers.start();
        teams.start();
        var maps = informers.of(ResourceType.of(V1ConfigMap.class));
        ObjectKey key = ObjectKey.of("shop", "team");
        maps.await(key, map -> "red".equals(map.getData().get("name"))).block(PATIENCE);
        String uid = maps.lister().get(key).orElseThrow().getMetadata().getUid();
        server.objects().delete(ResourceType.of(V1ConfigMap.class), key);
        maps.await(key, map -> !map.getMetadata().getUid().equals(uid)).block(PATIENCE);       // it is made again
        teams.close();
    }

    @Test
    void coloursAreThoseOfTheConfigMap() {
        Colours colours = new Colours(new Colours.Informers().settings(informers));
        assertThat(colours.colour()).isEqualTo("grey");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shop}, data: {colour: blue}}");
        informers.start();
        StepVerifier.create(colours.colours())
                .expectNext("blue")
                .then(() -> assertThat(colours.colour()).isEqualTo("blue"))
                .then(() -> server.objects().edit(ResourceType.of(V1ConfigMap.class), ObjectKey.of("shop", "settings"),
                        settings -> with(settings, "/data", "colour", "green")))
                .expectNext("green")
                .thenCancel()
                .verify(PATIENCE);
    }
}
