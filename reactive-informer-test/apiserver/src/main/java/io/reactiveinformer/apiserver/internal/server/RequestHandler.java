package io.reactiveinformer.apiserver.internal.server;

import reactor.core.publisher.Mono;

/** Answers requests. */
@FunctionalInterface
public interface RequestHandler {

    /**
     * Answers each subscription once, late where the real server takes its time, and always: what goes wrong is an answer too.
     *
     * @see Answer who owns the buffers of the body
     */
    Mono<Answer> handle(ApiRequest request);
}
