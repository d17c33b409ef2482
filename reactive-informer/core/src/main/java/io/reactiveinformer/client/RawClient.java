package io.reactiveinformer.client;

import io.reactiveinformer.transport.HttpRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Requests to any path of the server, for what no type describes: {@code /version}, {@code /readyz}, {@code /metrics}, the path of a
 * proxy. Paths have their query with them, are encoded, and begin with a slash. Credentials, limits and failures are those of
 * {@link ResourceClient}.
 */
public interface RawClient {

    /** What stands there, whole, in UTF-8. Fails with {@link io.reactiveinformer.resource.UnexpectedAnswerException} if it is too large. */
    Mono<String> text(String path);

    /** What stands there, in JSON. */
    Mono<JsonNode> json(String path);

    /**
     * Sends a request, and gives what it answers in JSON; empty if it answers nothing.
     *
     * @param method such as {@code POST}
     * @param body written as JSON; null for none
     */
    Mono<JsonNode> send(String method, String path, @Nullable Object body);

    /**
     * Sends a request as it is, once, and gives the answer's body as it arrives, in pieces whose borders mean nothing.
     *
     * @param request its {@link HttpRequest#silence} is the longest pause before the next piece
     */
    Flux<byte[]> exchange(HttpRequest request);
}
