package io.reactiveinformer.client;

import io.netty.buffer.ByteBufUtil;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/** Sends requests without types. */
record DefaultRawClient(RequestPipeline calls) implements RawClient {

    private static final int NO_CONTENT = 204;
    private static final Headers ANYTHING = Headers.of("Accept", "*/*");
    private static final Headers JSON_BODY = Accept.JSON.with("Content-Type", "application/json");
    private static final Pattern PATH = Pattern.compile("/[\\x21-\\x7e&&[^#]]*");

    @Override
    public Mono<String> text(String path) {
        return Mono.defer(() -> {
            HttpRequest request = HttpRequest.get(path, ANYTHING);
            return calls.callForAnyAgain(request, attempt(request), answer -> calls.codec().text(answer.body())).single();
        });
    }

    @Override
    public Mono<JsonNode> json(String path) {
        return Mono.defer(() -> {
            HttpRequest request = HttpRequest.get(path, Accept.JSON);
            return calls.callAgain(request, attempt(request), answer -> calls.codec().tree(answer.body())).single();
        });
    }

    @Override
    public Mono<JsonNode> send(String method, String path, @Nullable Object body) {
        return Mono.defer(() -> {
            HttpRequest request = body == null
                    ? new HttpRequest(method, path, Accept.JSON, null)
                    : new HttpRequest(method, path, JSON_BODY, calls.codec().write(body));
            return calls.callAgain(request, attempt(request), answer ->
                            isEmpty(answer) ? answer.body().then(Mono.<JsonNode>empty()) : calls.codec().tree(answer.body()))
                    .singleOrEmpty();
        });
    }

    private static boolean isEmpty(Transport.Answer answer) {
        return answer.status() == NO_CONTENT || answer.headers().first("Content-Length").filter("0"::equals).isPresent();
    }

    @Override
    public Flux<byte[]> exchange(HttpRequest request) {
        return Flux.defer(() -> calls.callForAny(request, attempt(request), answer -> answer.body().map(ByteBufUtil::getBytes)));
    }

    /** Without the query, which may contain more than a log should. */
    private static RequestDescription attempt(HttpRequest request) {
        if (!PATH.matcher(request.uri()).matches()) {
            throw new IllegalArgumentException("a path must begin with a slash and be encoded; was \"" + request.uri() + "\"");
        }
        int query = request.uri().indexOf('?');
        String path = query < 0 ? request.uri() : request.uri().substring(0, query);
        return new RequestDescription("raw", path, "by " + request.method());
    }
}
