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
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

/** Numbers are of the stream scenarios. All in virtual time, on scripted views. */
class ControllerTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final ScriptedView<V1ReplicaSet> sets = new ScriptedView<>();
    private final ScriptedView<V1Pod> pods = new ScriptedView<>();

    /** Requests whose work has begun, in order; their work is over when the test says so. */
    private final List<Request<ObjectKey>> begun = new ArrayList<>();

    private final Map<String, Sinks.One<Result>> working = new LinkedHashMap<>();
    private final List<String> cancelled = new ArrayList<>();
    private final Controller<ObjectKey> controller = builder().reconcile(this::work);

    private ControllerBuilder<ObjectKey> builder() {
        return Controller.named("sets")
                .on(sets, Route.self())
                .on(pods, Route.toController(ResourceType.of(V1ReplicaSet.class)))
                .concurrency(2)
                .timeout(ofSeconds(30))
                .queue(queue -> queue.withLimiter(RateLimiter.exponential(ofMillis(5), ofSeconds(1_000))).withWorkers(time).withTimer(time));
    }

    private Mono<Result> work(Request<ObjectKey> request) {
        begun.add(request);
        String key = request.key().toString();
        Sinks.One<Result> result = Sinks.one();
        assertThat(working.put(key, result)).as("%s is worked on once at a time", key).isNull();
        return result.asMono().doOnCancel(() -> {
            working.remove(key);
            cancelled.add(key);
        });
    }

    private void finish(String key, Result result) {
        working.remove(key).tryEmitValue(result).orThrow();
    }

    private void finish(String key) {
        finish(key, Result.done());
    }

    private List<String> begun() {
        List<String> since = begun.stream().map(request -> request.key().toString()).toList();
        begun.clear();
        return since;
    }

    private void sync() {
        sets.sync();
        pods.sync();
    }

    private static V1ReplicaSet set(long generation) {
        return new V1ReplicaSet().metadata(new V1ObjectMeta().generation(generation));
    }

    private static V1Pod pod(String... owners) {
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
    }

    @Test // 113
    void nothingRunsBeforeAllViewsAreSyncedAndThenEachKeyOnce() {
        controller.start();
        sets.put("a/web", set(1));
        sets.sync();
        pods.put("a/web-1", pod("web"));
        pods.put("a/web-2", pod("web"));
        assertThat(begun()).isEmpty();
        pods.sync();
        assertThat(begun()).containsExactly("a/web");
        finish("a/web");
        assertThat(begun()).isEmpty();
    }

    @Test // 117
    void noMoreKeysAtATimeThanAskedFor() {
        sync();
        controller.start();
        List.of("a/1", "a/2", "a/3").forEach(key -> sets.put(key, set(1)));
        assertThat(begun()).containsExactly("a/1", "a/2");
        finish("a/1");
        assertThat(begun()).containsExactly("a/3");
    }
}
