package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

/** A controller of replica sets and their pods, in virtual time; what it works on is over when the test says so. */
abstract class ControllerFixture {

    final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet(); // for results and statuses too
    final ScriptedView<V1ReplicaSet> sets = new ScriptedView<>();
    final ScriptedView<V1Pod> pods = new ScriptedView<>();

    /** Requests whose work has begun, in order; their work is over when the test says so. */
    final List<ReconcileRequest<ObjectKey>> begun = new ArrayList<>();

    final Map<String, Sinks.One<Result>> working = new LinkedHashMap<>();
    final List<String> cancelled = new ArrayList<>();
    private final List<String> twice = new ArrayList<>(); // not asserted in the work: what that throws is a failure of the key
    final Controller<ObjectKey> controller = builder().reconcile(this::work);

    ControllerBuilder<ObjectKey> builder() {
        return Controller.named("sets")
                .reconciles(ResourceType.of(V1ReplicaSet.class), sets)
                .owns(pods)
                .concurrency(2)
                .timeout(ofSeconds(30))
                .queue(queue -> queue.withLimiter(RateLimiter.exponential(ofMillis(5), ofSeconds(1_000)))
                        .withWorkers(time).withTimer(time));
    }

    Mono<Result> work(ReconcileRequest<ObjectKey> request) {
        begun.add(request);
        String key = request.key().toString();
        Sinks.One<Result> result = Sinks.one();
        if (working.put(key, result) != null) {
            twice.add(key);
        }
        return result.asMono().doOnCancel(() -> {
            working.remove(key);
            cancelled.add(key);
        });
    }

    void finish(String key, Result result) {
        working.remove(key).tryEmitValue(result).orThrow();
    }

    void finish(String key) {
        finish(key, Result.done());
    }

    List<String> begun() {
        List<String> since = begun.stream().map(request -> request.key().toString()).toList();
        begun.clear();
        return since;
    }

    void sync() {
        sets.sync();
        pods.sync();
    }

    static V1ReplicaSet set(long generation) {
        return new V1ReplicaSet().metadata(new V1ObjectMeta().generation(generation));
    }

    static V1Pod pod(String... owners) {
        var metadata = new V1ObjectMeta();
        for (String owner : owners) {
            metadata.addOwnerReferencesItem(new V1OwnerReference().apiVersion("apps/v1").kind("ReplicaSet").name(owner).controller(true));
        }
        return new V1Pod().metadata(metadata);
    }

    @AfterEach
    void end() {
        controller.close();
        time.dispose();
        VirtualTimeScheduler.reset();
        assertThat(twice).as("keys that were worked on twice at a time").isEmpty();
    }
}
