package io.reactiveinformer.guide.processors;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.processor.RowChange;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.View;
import java.time.Duration;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Tells a slow service of each pod. */
final class PodNotices {

    private final WebClient service;
    private final CircuitBreaker breaker;

    PodNotices(WebClient service, CircuitBreaker breaker) {
        this.service = service;
        this.breaker = breaker;
    }

    RowProcessor<ObjectKey> tell(View<ObjectKey, V1Pod> pods) {
        return RowProcessor.of("pod-notices", pods)
                .concurrency(4) // what the service allows
                .priority(pod -> "Failed".equals(pod.getStatus().getPhase()) ? 1 : 0)
                .process(this::tell);
    }

    private Mono<Result> tell(RowChange<ObjectKey, V1Pod> row) {
        var request = row.deleted() ? service.delete() : service.put();
        return request.uri("/pods/{namespace}/{name}", row.key().namespace(), row.key().name())
                .exchangeToMono(this::read)
                .transformDeferred(CircuitBreakerOperator.of(breaker))
                .onErrorResume(CallNotPermittedException.class, open -> Mono.just(Result.again(Duration.ofMillis(500)))); // it was not called
    }

    private Mono<Result> read(ClientResponse answer) {
        if (answer.statusCode().value() == 429) {
            String seconds = answer.headers().asHttpHeaders().getFirst("Retry-After");
            boolean said = seconds != null && seconds.matches("\\d{1,4}"); // it may also be a date
            return answer.releaseBody().thenReturn(Result.again(Duration.ofSeconds(said ? Long.parseLong(seconds) : 1)));
        }
        return answer.statusCode().isError() ? answer.createError() : answer.releaseBody().thenReturn(Result.done());
    }
}
