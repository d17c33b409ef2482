package io.reactiveinformer.benchmarks.real;

import io.reactiveinformer.benchmarks.trial.Corpus;
import io.reactiveinformer.benchmarks.trial.PodBytes;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The pods of the server under test: written there, and changed. In namespaces {@code team-0} and so on, which hold nothing else. */
final class Pods {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String FILLED = "benchmarks.reactiveinformer.io/pods";
    private static final int IN_A_NAMESPACE = 200;
    private static final int CONTAINERS = 2;
    private static final int AT_ONCE = 16;
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final KubernetesClient client;
    private final Corpus.Kind kind;
    private final Corpus corpus;
    private final int count;

    Pods(KubernetesClient client, Corpus.Kind kind, int count) {
        this.client = client;
        this.kind = kind;
        this.corpus = new Corpus(kind, CONTAINERS, IN_A_NAMESPACE, 1);
        this.count = count;
    }

    /** Makes these the pods of the server, unless they are there already: deletes those of another corpus or count. */
    void fill() {
        String wanted = kind + "-" + count + "-" + CONTAINERS;
        if (wanted.equals(filled())) {
            return;
        }
        say("deleting the pods that are there");
        mark("none");
        teams().flatMap(team -> client.raw().send("DELETE", "/api/v1/namespaces/" + team + "/pods?gracePeriodSeconds=0", null), 4)
                .blockLast(PATIENCE);
        say("writing " + count + " pods of corpus " + kind);
        Flux.range(0, (count + IN_A_NAMESPACE - 1) / IN_A_NAMESPACE).concatMap(team -> namespace("team-" + team)).blockLast(PATIENCE);
        var written = new AtomicInteger();
        Flux.range(0, count)
                .flatMap(number -> Mono.fromCallable(() -> corpus.pod(number)).subscribeOn(Schedulers.parallel()).flatMap(this::write),
                        AT_ONCE)
                .doOnNext(pod -> {
                    if (written.incrementAndGet() % 2_000 == 0) {
                        say(written + " pods");
                    }
                })
                .blockLast(PATIENCE);
        mark(wanted);
    }

    private @Nullable String filled() {
        return client.raw().json("/api/v1/namespaces/default")
                .map(namespace -> namespace.at("/metadata/annotations").path(FILLED).asString("")).block(PATIENCE);
    }

    private void mark(String what) {
        client.resources(ResourceType.dynamic("", "v1", "namespaces"))
                .patch(ObjectKey.clusterScoped("default"), Patch.merge(Map.of("metadata", Map.of("annotations", Map.of(FILLED, what)))))
                .block(PATIENCE);
    }

    private Flux<String> teams() {
        return client.raw().json("/api/v1/namespaces").flatMapIterable(list -> {
            List<String> names = new ArrayList<>();
            list.path("items").forEach(item -> names.add(item.at("/metadata/name").asString()));
            names.removeIf(name -> !name.startsWith("team-"));
            return names;
        });
    }

    private Mono<JsonNode> namespace(String name) {
        return client.raw().send("POST", "/api/v1/namespaces", Map.of("metadata", Map.of("name", name)))
                .onErrorResume(ConflictException.class, there -> Mono.empty());
    }

    /** The server takes the status of a pod apart from the rest of it. */
    private Mono<JsonNode> write(PodBytes pod) {
        byte[] json = new byte[pod.length()];
        pod.write(json, 0, 0, 0, 0, 0, false);
        ObjectNode tree = (ObjectNode) JSON.readTree(json);
        ObjectNode metadata = (ObjectNode) tree.get("metadata");
        metadata.remove(List.of("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields"));
        tree.at("/spec/containers").forEach(Pods::makeValid);
        JsonNode status = tree.remove("status");
        String path = "/api/v1/namespaces/" + pod.namespace() + "/pods";
        return client.raw().send("POST", path, tree).flatMap(created -> {
            ((ObjectNode) created).set("status", status);
            return client.raw().send("PUT", path + "/" + pod.name() + "/status", created);
        });
    }

    /** No more may be requested than the limit is, and the server warns of two ports of one name. */
    private static void makeValid(JsonNode container) {
        ObjectNode resources = (ObjectNode) container.get("resources");
        ((ObjectNode) resources.get("requests")).put("memory", resources.at("/limits/memory").asString());
        ((ObjectNode) container.at("/ports/0")).remove("name");
    }

    /** Bytes of the list, as JSON without compression; without pods it is refused. */
    long averageBytes() {
        String one = Objects.requireNonNull(client.raw().text("/api/v1/namespaces/team-0/pods?resourceVersion=0").block(PATIENCE));
        return one.length() / Math.min(count, IN_A_NAMESPACE);
    }

    /** Changes so many pods a second until it is disposed of; what fails or comes too late is left out. */
    Disposable change(int perSecond) {
        var names = new ArrayList<ObjectKey>();
        for (int i = 0; i < Math.min(count, 2_000); i++) {
            PodBytes pod = corpus.pod(i);
            names.add(ObjectKey.of(pod.namespace(), pod.name()));
        }
        var pods = client.resources(ResourceType.metadata("", "v1", "pods"));
        return Flux.interval(Duration.ofNanos(1_000_000_000L / perSecond))
                .onBackpressureDrop()
                .flatMap(number -> pods.patch(names.get((int) (number % names.size())),
                                Patch.merge(Map.of("metadata", Map.of("annotations", Map.of("trial.example/changed", "" + number)))))
                        .onErrorResume(failure -> failure instanceof NotFoundException ? Mono.error(failure) : Mono.empty()), 32, 1)
                .subscribe(changed -> { }, failure -> say("no more changes: " + failure));
    }

    private static void say(String line) {
        System.err.println(line);
    }
}
