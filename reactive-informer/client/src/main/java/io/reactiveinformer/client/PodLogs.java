package io.reactiveinformer.client;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The logs of containers. */
record PodLogs(Calls calls) {

    /** A followed log may be silent for days once the answer has begun; pings and TCP keep-alive show that the other side is alive. */
    private static final Duration ANY_LENGTH = Duration.ofDays(365);
    /** A log is text; a refusal is JSON. */
    private static final Headers ACCEPT = Headers.of("Accept", "application/json, */*");

    Flux<String> lines(ObjectKey pod, LogOptions options) {
        return Flux.defer(() -> {
            HttpRequest request = HttpRequest.get(path(pod, options).toString(), ACCEPT);
            return calls.callForAnyAgain(
                    options.follow() ? request.withSilence(ANY_LENGTH) : request,
                    new Attempt("logs", "pods.v1/log", pod.toString()),
                    answer -> {
                        var lines = new Lines();
                        return answer.body().map(lines::add).concatMapIterable(complete -> complete, 1)
                                .concatWith(Mono.defer(() -> Mono.justOrEmpty(lines.rest())));
                    });
        });
    }

    private static ResourcePath path(ObjectKey pod, LogOptions options) {
        return ResourcePath.of(ResourceType.of(V1Pod.class), pod).child("log")
                .with("container", options.container())
                .with("follow", options.follow() ? "true" : null)
                .with("previous", options.previous() ? "true" : null)
                .with("sinceSeconds", options.since() == null ? null : Long.toString(Queries.seconds(options.since())))
                .with("tailLines", options.tailLines() == null ? null : options.tailLines().toString())
                .with("timestamps", options.timestamps() ? "true" : null)
                .with("limitBytes", options.limitBytes() == null ? null : options.limitBytes().toString());
    }
}
