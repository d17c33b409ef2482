package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.WebsitesFixture.Website;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.FaultSetup;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * An operator with dependents, finalizer and status, in several replicas, while answers are lost, writes conflict, replicas crash and the
 * leader changes: once that stops, each website has what it wants, and nothing of a deleted one is left, in the cluster or outside.
 */
@Tag("long")
class OperatorPropertyTest {

    private static final int SEEDS = 60;
    private static final int OF_A_DAY = 3;

    /** A hundred times what one takes. */
    private static final Duration ONE_SEED = Duration.ofSeconds(60);

    private static final ResourceType<Website> WEBSITES = WebsitesFixture.WEBSITES;
    private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
    private static final ResourceType<V1Service> SERVICES = ResourceType.of(V1Service.class);
    private static final ResourceType<V1ConfigMap> PAGES = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Namespace> NAMESPACES = ResourceType.of(V1Namespace.class);
    private static final ObjectKey SHOP = ObjectKey.clusterScoped("shop");
    private static final List<ResourceType<?>> KINDS = List.of(DEPLOYMENTS, SERVICES, PAGES);

    /** {@code -Doperator.seed} and {@code -Doperator.seeds} play the ones of a failure again. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES) // for as many seeds as are asked for
    void onceFaultsStopEachWebsiteHasWhatItWants() {
        for (long seed : Rounds.seeds("operator", SEEDS, OF_A_DAY)) {
            try {
                assertTimeoutPreemptively(ONE_SEED, () -> {
                    try (Run run = new Run(seed)) {
                        run.play();
                    }
                });
            } catch (Throwable failure) {
                fail("-Doperator.seed=" + seed + " -Doperator.seeds=1", failure);
            }
        }
    }

    private static JsonNode tree(String json) {
        return JsonMapper.shared().readTree(json);
    }

    private static List<?> desired(Website website) {
        String name = website.metadata().getName();
        List<Object> desired = new ArrayList<>();
        desired.add(tree("{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"" + name + "\"},"
                + "\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"" + name + "\"}},\"template\":"
                + "{\"metadata\":{\"labels\":{\"app\":\"" + name + "\",\"html\":\"" + website.spec().html() + "\"}},"
                + "\"spec\":{\"containers\":[{\"name\":\"web\",\"image\":\"nginx\"}]}}}}"));
        if (website.spec().parts() > 1) {
            desired.add(new V1Service().metadata(new V1ObjectMeta().name(name))
                    .spec(new V1ServiceSpec().selector(Map.of("app", name)).addPortsItem(new V1ServicePort().port(80))));
        }
        for (int i = 2; i < website.spec().parts(); i++) {
            desired.add(new V1ConfigMap().metadata(new V1ObjectMeta().name(name + "-" + i))
                    .data(Map.of("html", String.valueOf(website.spec().html()))));
        }
        return desired;
    }

    private static final class Run implements AutoCloseable {

        private final TestClock clock = TestClock.start();
        private final FakeApiServer server =
                FakeApiServer.builder().with("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}").build();
        private final Random random;
        private final List<Replica> replicas = new ArrayList<>();

        /** What the operator keeps outside of the cluster: the page of each website, by its uid. */
        private final Map<String, String> outside = new TreeMap<>();
        private final List<String> wrongs = new ArrayList<>();
        private final Set<ObjectKey> theirs = new TreeSet<>();
        private double trouble = 0.2;

        Run(long seed) {
            random = new Random(seed);
            server.objects().create(WebsitesFixture.DEFINITION);
        }

        void play() {
            replicas.add(new Replica());
            replicas.add(new Replica());
            for (int step = 0; step < 40; step++) {
                clock.advance(Duration.ofMillis(random.nextInt(1 << random.nextInt(15))));
                act();
                if (random.nextInt(3) == 0) {
                    mishap();
                }
            }
            trouble = 0;
            server.faults().clear();
            if (replicas.isEmpty()) {
                replicas.add(new Replica());
            }
            clock.advance(Duration.ofMinutes(20)); // longer than any pause after so few failures
            check();
            server.requests().clear();
            clock.advance(Duration.ofMinutes(10));
            assertThat(server.requests().writes()).as("writes at rest")
                    .filteredOn(write -> !write.plural().equals("leases")).isEmpty();
        }

        /** What users, other controllers and administrators do. */
        private void act() {
            ObjectKey key = ObjectKey.of("shop", "site-" + random.nextInt(3));
            boolean exists = server.objects().get(WEBSITES, key).isPresent();
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> {
                    if (!exists) {
                        server.objects().create("{apiVersion: example.com/v1, kind: Website, metadata: {name: " + key.name()
                                + ", namespace: shop}, spec: {html: v" + random.nextInt(9) + ", parts: " + (1 + random.nextInt(4)) + "}}");
                    }
                }
                case 3, 4, 5 -> {
                    if (exists) {
                        server.objects().edit(WEBSITES, key, site -> {
                            site.withObject("spec").put("parts", 1 + random.nextInt(4)).put("html", "v" + random.nextInt(9));
                            return site;
                        });
                    }
                }
                case 6 -> {
                    if (exists) {
                        server.objects().delete(WEBSITES, key);
                    }
                }
                case 7 -> {
                    if (server.objects().get(DEPLOYMENTS, key).isPresent()) {
                        server.objects().edit(DEPLOYMENTS, key, deployment -> {
                            deployment.withObject("spec").put("replicas", random.nextInt(9));
                            deployment.withObject("spec").withObject("template").withObject("metadata").withObject("labels")
                                    .put("html", "theirs");
                            return deployment;
                        });
                    }
                }
                case 8 -> {
                    ResourceType<?> kind = KINDS.get(random.nextInt(KINDS.size()));
                    server.objects().list(kind).stream().filter(any -> !theirs.contains(keyOf(any))).findFirst()
                            .ifPresent(any -> server.objects().delete(kind, keyOf(any)));
                }
                default -> another();
            }
        }

        /** An object that another owner controls: of a name that a website may want, or one that a website owns, too. */
        private void another() {
            String site = "site-" + random.nextInt(3);
            boolean shared = random.nextBoolean();
            ObjectKey key = ObjectKey.of("shop", site + (shared ? "-shared" : "-" + (2 + random.nextInt(2))));
            ObjectNode namespace = server.objects().get(NAMESPACES, SHOP).orElseThrow();
            ObjectNode owner = server.objects().get(WEBSITES, ObjectKey.of("shop", site)).orElse(null);
            if (theirs.size() < 2 && server.objects().get(PAGES, key).isEmpty() && (owner != null || !shared)) {
                server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + key.name() + ", namespace: shop, labels: {"
                        + Dependents.LABEL + ": websites}, ownerReferences: [" + reference("v1", "Namespace", "shop", uidOf(namespace))
                        + ", controller: true}" + (shared ? ", " + reference("example.com/v1", "Website", site, uidOf(owner)) + "}" : "")
                        + "]}, data: {their: data}}");
                theirs.add(key);
            }
        }

        private static String reference(String apiVersion, String kind, String name, String uid) {
            return "{apiVersion: " + apiVersion + ", kind: " + kind + ", name: " + name + ", uid: " + uid;
        }

        private void mishap() {
            String plural = List.of("websites", "deployments", "services", "configmaps", "leases").get(random.nextInt(5));
            boolean writes = random.nextInt(4) > 0;
            FaultSetup fault = server.faults()
                    .onRequest(plural, request -> request.plural().equals(plural) && request.verb().isWrite() == writes)
                    .times(1 + random.nextInt(3));
            switch (random.nextInt(9)) {
                case 0 -> fault.internalError();
                case 1 -> fault.refuse();
                case 2, 3 -> fault.cut(Cut.RST);            // what was asked for is done, and the answer is lost
                case 4 -> fault.delay(Duration.ofMillis(random.nextInt(20_000)));
                case 5 -> fault.status(409, "Conflict", "the object has been modified");
                case 6 -> crash();
                case 7 -> handOver();
                default -> server.restartKeeping(random.nextInt(20));
            }
        }

        private void crash() {
            if (!replicas.isEmpty()) {
                replicas.remove(random.nextInt(replicas.size())).crash();
            }
            if (replicas.size() < 2) {
                replicas.add(new Replica());
            }
        }

        private void handOver() {
            if (!replicas.isEmpty()) {
                replicas.remove(random.nextInt(replicas.size())).resign();
            }
            if (replicas.size() < 2) {
                replicas.add(new Replica());
            }
        }

        private void check() {
            assertThat(wrongs).as("%s", replicas).isEmpty();
            var owned = new TreeSet<String>();
            var uids = new TreeSet<String>();
            for (ObjectNode site : server.objects().list(WEBSITES)) {
                String name = site.at("/metadata/name").asString();
                int parts = site.at("/spec/parts").asInt();
                String html = site.at("/spec/html").asString();
                assertThat(site.at("/metadata/deletionTimestamp").isMissingNode()).as("%s is gone", name).isTrue();
                uids.add(uidOf(site));
                assertThat(outside).as("outside, of %s", name).containsEntry(uidOf(site), html);
                JsonNode deployment = ours(DEPLOYMENTS, name, site);
                assertThat(deployment.at("/spec/template/metadata/labels/html").asString()).isEqualTo(html);
                owned.add(uidOf(deployment));
                if (parts > 1) {
                    owned.add(uidOf(ours(SERVICES, name, site)));
                }
                boolean blocked = false;
                for (int i = 2; i < parts; i++) {
                    blocked |= theirs.contains(ObjectKey.of("shop", name + "-" + i));
                    if (!blocked) {
                        JsonNode page = ours(PAGES, name + "-" + i, site);
                        assertThat(page.at("/data/html").asString()).isEqualTo(html);
                        owned.add(uidOf(page));
                    }
                }
                if (!blocked) {
                    assertThat(site.at("/status/observedGeneration")).as("status of %s", name).isEqualTo(site.at("/metadata/generation"));
                } else {
                    owned.addAll(all(uidOf(site))); // after a failure nothing is deleted
                }
            }
            assertThat(outside.keySet()).as("outside").isEqualTo(uids);
            for (ResourceType<?> kind : KINDS) {
                for (ObjectNode object : server.objects().list(kind)) {
                    if (theirs.contains(keyOf(object)) && kind.equals(PAGES)) {
                        assertThat(object.at("/data")).as("theirs").isEqualTo(tree("{\"their\":\"data\"}"));
                    } else if (object.at("/metadata/labels").has(Dependents.LABEL)) {
                        assertThat(owned).as("%s %s", kind, keyOf(object)).contains(uidOf(object));
                    }
                }
            }
            theirs.forEach(key -> assertThat(server.objects().get(PAGES, key)).as("theirs").isPresent());
            assertThat(server.requests().all()).as("deployments are always desired")
                    .noneMatch(request -> request.verb() == ApiRequest.Verb.DELETE && request.plural().equals("deployments"));
        }

        private List<String> all(String owner) {
            return KINDS.stream().flatMap(kind -> server.objects().list(kind).stream())
                    .filter(object -> object.at("/metadata/ownerReferences/0/uid").asString().equals(owner))
                    .map(Run::uidOf).toList();
        }

        private JsonNode ours(ResourceType<?> kind, String name, JsonNode site) {
            ObjectNode found = server.objects().get(kind, ObjectKey.of("shop", name)).orElse(null);
            assertThat(found).as("%s %s of %s", kind, name, site).isNotNull();
            assertThat(found.at("/metadata/ownerReferences/0/uid")).as("owner of %s %s", kind, name).isEqualTo(site.at("/metadata/uid"));
            return found;
        }

        private static String uidOf(JsonNode object) {
            return object.at("/metadata/uid").asString();
        }

        private static ObjectKey keyOf(JsonNode object) {
            return ObjectKey.of(object.at("/metadata/namespace").asString(), object.at("/metadata/name").asString());
        }

        @Override
        public void close() {
            replicas.forEach(Replica::crash);
            clock.advance(Duration.ofMinutes(1)); // until the killed ones have given up, so that nothing refers to this run any more
            server.close();
            clock.close();
        }

        /** One process of the operator. */
        private final class Replica {

            private final KubernetesClient client = KubernetesClient.over(new Wire());
            private final InformerFactory informers = InformerFactory.create(client);
            private final Informer<Website> websites = informers.of(WEBSITES);
            private final Informer<V1Deployment> deployments = informers.of(DEPLOYMENTS);
            private final Informer<V1Service> services = informers.of(SERVICES);
            private final Informer<V1ConfigMap> pages = informers.of(PAGES);
            private final Dependents<Website> dependents = Dependents.of(client, WEBSITES, OperatorPropertyTest::desired)
                    .kind(DEPLOYMENTS, deployments).kind(SERVICES, services).kind(PAGES, pages);
            private final Finalizer<Website> finalizer = Finalizer.of("example.com/page", client, WEBSITES, websites);
            private final StatusWriter<Website> status = StatusWriter.of(client, WEBSITES, websites);
            private final LeaderElector elector =
                    LeaderElector.of(client, ObjectKey.of("shop", "websites"),
                            ElectionOptions.defaults().withTimer(clock.scheduler()).withWorkers(clock.scheduler()));
            private final Disposable working;
            private boolean crashed;

            private Controller<ObjectKey> controller;

            Replica() {
                informers.start();
                working = elector.whileLeading(term -> {
                    controller = Controller.named("websites")
                            .reconciles(WEBSITES, websites)
                            .owns(deployments).owns(services).owns(pages)
                            .reconcile(this::reconcile);
                    return controller.run();
                }).subscribe(any -> {}, failure -> wrongs.add("ended: " + failure));
            }

            @Override
            public String toString() {
                return elector.leadership().blockFirst() + ": " + (controller == null ? "has not led" : controller.status().blockFirst()
                        + " held " + controller.held());
            }

            private Mono<Result> reconcile(ReconcileRequest<ObjectKey> request) {
                return websites.lister().get(request.key())
                        .map(website -> finalizer.around(request, website, marked -> work(request, marked), this::cleanUp))
                        .orElse(Mono.empty());
            }

            private Mono<Result> work(ReconcileRequest<ObjectKey> request, Website website) {
                return publish(website)
                        .then(dependents.reconcile(request, website))
                        .flatMap(report -> report.result() instanceof Result.Failed ? Mono.just(report.result())
                                : status.write(request, website, now -> new Website.Status(
                                        website.metadata().getGeneration(), website.spec().html(), null)).thenReturn(report.result()));
            }

            private Mono<Void> publish(Website website) {
                return effect("publish", () -> {
                    outside.put(website.metadata().getUid(), String.valueOf(website.spec().html()));
                });
            }

            private Mono<Void> cleanUp(Website website) {
                return effect("clean up", () -> outside.remove(website.metadata().getUid()));
            }

            private Mono<Void> effect(String name, Runnable change) {
                return Mono.defer(() -> {
                    Duration before = Duration.ofMillis(random.nextInt(50));
                    double fate = random.nextDouble();
                    return Mono.delay(before).filter(tick -> !crashed).flatMap(tick -> {
                        if (fate >= trouble / 2) {
                            change.run();
                        }
                        return fate < trouble ? Mono.<Void>error(new IllegalStateException(name + " failed")) : Mono.empty();
                    });
                });
            }

            /** The process is killed: nothing of it goes on, and its lease is not given back. */
            void crash() {
                crashed = true;
                working.dispose();
                informers.close();
                client.close();
            }

            /** To the server, which a killed process does not reach any more. */
            private final class Wire implements Transport {

                private final Transport there = server.transport();

                @Override
                public <R> Flux<R> exchange(HttpRequest request, Function<Answer, ? extends Publisher<R>> reader) {
                    return Flux.defer(() -> crashed ? Flux.never() : there.exchange(request, reader));
                }

                @Override
                public Mono<Void> dispose() {
                    return there.dispose();
                }
            }

            void resign() {
                working.dispose();
                clock.advance(Duration.ofSeconds(1));
                client.close();
            }
        }
    }
}
