package io.reactiveinformer.client;

import io.reactiveinformer.transport.HttpRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Requests to any path of the server, also to those that belong to no type: {@code /version}, {@code /readyz}, {@code /metrics}, the path
 * of a proxy. A path includes its query, is encoded, and begins with a slash; for any other, the request fails with
 * {@link IllegalArgumentException}. Each subscription sends one request. Credentials, limits and failures are those of
 * {@link ResourceClient}.
 */
public interface RawClient {

    /**
     * The whole answer to a GET, as text in UTF-8. Fails with {@link io.reactiveinformer.resource.UnexpectedAnswerException} if it is too
     * large.
     */
    Mono<String> text(String path);

    /** The answer to a GET, as JSON. Fails with {@link io.reactiveinformer.resource.UnexpectedAnswerException} if it is something else. */
    Mono<JsonNode> json(String path);

    /**
     * Sends a request, and emits its answer as JSON; empty if the answer has no body.
     *
     * @param method such as {@code POST}
     * @param body written as JSON; null for none
     */
    Mono<JsonNode> send(String method, String path, @Nullable Object body);

    /**
     * Sends a request as it is, without retries, and emits the body of the answer as it arrives, in pieces with arbitrary borders.
     *
     * @param request its {@link HttpRequest#silence} is the longest pause before the next piece
     */
    Flux<byte[]> exchange(HttpRequest request);
}
