package io.reactiveinformer.client;

import io.reactiveinformer.codec.ObjectCodec;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.transport.HttpAnswer;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One request, and its answer if the server carried it out; a failure that says why, if not. */
final class Calls {

    /** Comes only where an entity tag was sent. */
    private static final int NOT_MODIFIED = 304;

    private final Transport transport;
    private final ObjectCodec codec;

    Calls(Transport transport, ObjectCodec codec) {
        this.transport = transport;
        this.codec = codec;
    }

    ObjectCodec codec() {
        return codec;
    }

    /**
     * @param attempted what the request is to do, after "cannot": {@code list pods.v1 in all namespaces}
     * @param reader gets the answer if it is a success
     */
    <R> Flux<R> call(HttpRequest request, String attempted, Function<HttpAnswer, ? extends Publisher<R>> reader) {
        return transport.exchange(request, answer -> {
            if (answer.status() / 100 != 2 && answer.status() != NOT_MODIFIED) {
                return refusal(answer, attempted);
            }
            return isJson(answer) ? reader.apply(answer) : notOurs(answer, attempted);
        });
    }

    private <R> Mono<R> refusal(HttpAnswer answer, String attempted) {
        Duration retryAfter = answer.headers().first("Retry-After").map(field -> RetryAfter.parse(field, Instant.now())).orElse(null);
        return codec.status(answer.body(), answer.status(), contentType(answer), retryAfter)
                .flatMap(status -> Mono.error(StatusException.of(status, attempted)));
    }

    /** A page for people, as proxies show when someone must log in. */
    private static <R> Mono<R> notOurs(HttpAnswer answer, String attempted) {
        return Mono.error(new UnexpectedAnswerException(
                "cannot " + attempted + ": the answer is " + contentType(answer) + ", expected JSON; is this address the Kubernetes API's?"));
    }

    private static boolean isJson(HttpAnswer answer) {
        String contentType = contentType(answer);
        return contentType == null || contentType.startsWith("application/json");
    }

    private static @Nullable String contentType(HttpAnswer answer) {
        return answer.headers().first("Content-Type").orElse(null);
    }
}
