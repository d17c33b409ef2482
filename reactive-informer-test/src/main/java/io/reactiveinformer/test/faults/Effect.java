package io.reactiveinformer.test.faults;

import io.reactiveinformer.test.server.Answer;
import io.reactiveinformer.test.server.ApiRequest;
import reactor.core.publisher.Mono;

/** What a fault does to one exchange. */
@FunctionalInterface
interface Effect {

    /**
     * The answer that the client gets instead of {@code answer}, which is asked for only if it is subscribed to.
     *
     * @param happened to be run when the client is let down, not before
     */
    Mono<Answer> apply(ApiRequest request, Mono<Answer> answer, Runnable happened);
}
