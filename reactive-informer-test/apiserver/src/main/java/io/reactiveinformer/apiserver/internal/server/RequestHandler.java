package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import reactor.core.publisher.Mono;

/** Answers requests. */
@FunctionalInterface
public interface RequestHandler {

    /**
     * Handles the request once per subscription, and always emits one answer: a failure is an answer too. The answer is delayed where the
     * real server waits. Cut connections are the exception: they fail with {@link ConnectionCut}.
     *
     * @see Answer for the ownership of the body's buffers
     */
    Mono<Answer> handle(ApiRequest request);
}
