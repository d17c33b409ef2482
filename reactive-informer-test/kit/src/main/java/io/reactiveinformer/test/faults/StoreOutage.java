package io.reactiveinformer.test.faults;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Answer;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import io.reactiveinformer.apiserver.internal.server.Health;
import java.time.Duration;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** What a server of 1.36 does while its etcd does not answer, and after how long. */
final class StoreOutage {

    private static final Duration CHECK = Duration.ofSeconds(2);
    private static final Duration WRITE = Duration.ofSeconds(34);
    private static final Duration READ = Duration.ofSeconds(60);
    private static final String CAUSE = "context deadline exceeded";

    private StoreOutage() {}

    /** Whether the answer is not in the server's watch caches. */
    static boolean isAffected(ApiRequest request) {
        if (!request.isResource()) {
            return Health.PATHS.contains(request.path()) && !request.path().equals("/readyz");
        }
        return switch (request.verb()) {
            case GET, LIST -> request.query().text("resourceVersion").isEmpty();
            case WATCH -> request.isStreamingList() && request.query().text("resourceVersion").isEmpty();
            default -> true;
        };
    }

    static Effect effect(Scheduler timer) {
        return new Effect("store down", (request, answer, happened) -> {
            Mono<Answer> affected = !request.isResource() ? after(CHECK, Mono.just(Health.failed(request, Set.of("etcd"))), timer)
                    : request.verb() == Verb.WATCH ? answer.map(whole -> whole.body(unlisted(request, whole, timer)))
                    : request.verb() == Verb.GET || request.verb() == Verb.LIST ? after(READ, Mono.error(new ConnectionCut(false)), timer)
                    : after(WRITE, Answer.of(ApiFailure.of(504, "Timeout",
                            "Timeout: request did not complete within requested timeout - " + CAUSE, Json.object()), request.http()), timer);
            return affected.doOnSubscribe(begun -> happened.run());
        });
    }

    private static <T> Mono<T> after(Duration delay, Mono<T> then, Scheduler timer) {
        return Mono.delay(delay, timer).then(then);
    }

    /** The state that was asked for is not known until the watch ends. */
    private static Flux<ByteBuf> unlisted(ApiRequest request, Answer whole, Scheduler timer) {
        Integer timeout = request.query().integer("timeoutSeconds");
        return timeout == null ? Flux.never() : Mono.delay(Duration.ofSeconds(timeout), timer)
                .thenMany(whole.errorEvent(ApiFailure.of(500, "InternalError", CAUSE)));
    }
}
