package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.transport.Headers;
import io.reactiveinformer.transport.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * What the server sends. The buffers of the body are on the heap and belong to whoever subscribes; each that ends an event or an item is to be
 * flushed. A body that fails with {@link ConnectionCut} is a connection that breaks.
 */
public record Answer(int status, Headers headers, Flux<ByteBuf> body) {

    /** Go's HTTP server knows the length of what fits into its buffer, and sends the rest in chunks. */
    private static final int BUFFERED = 2048;

    public static final String JSON = "application/json";

    static Answer json(int status, byte[] body) {
        return bytes(status, JSON, body);
    }

    public static Answer json(int status, JsonNode body) {
        byte[] json = Json.write(body);
        byte[] line = new byte[json.length + 1];
        System.arraycopy(json, 0, line, 0, json.length);
        line[json.length] = '\n';
        return json(status, line);
    }

    /** What the client has is still so. */
    static Answer notModified() {
        return new Answer(304, base(), Flux.empty());
    }

    static Answer bytes(int status, String contentType, byte[] body) {
        Headers headers = base().with("Content-Type", contentType);
        return new Answer(
                status,
                body.length <= BUFFERED ? headers.with("Content-Length", Integer.toString(body.length)) : headers,
                Flux.defer(() -> Flux.just(Unpooled.wrappedBuffer(body))));
    }

    /** As Go's own handlers refuse, before the API has a say. */
    public static Answer text(int status, String body) {
        return bytes(status, "text/plain; charset=utf-8", Json.utf8(body)).with("X-Content-Type-Options", "nosniff");
    }

    /** What a server says that is about to end; no header of the API's is on it, for it is refused in front of that. */
    public static Answer shuttingDown() {
        Answer refusal = text(429, "The apiserver is shutting down, please try again later.\n");
        return new Answer(429, refusal.without("Cache-Control"), refusal.body()).with("Retry-After", "5").with("Connection", "close");
    }

    /** A refusal, in the encoding that its request asks for. */
    public static Mono<Answer> of(ApiFailure failure, HttpRequest request) {
        return encoding(request).whole(of(failure));
    }

    /** The same of any object. */
    public static Mono<Answer> json(int status, JsonNode body, HttpRequest request) {
        return encoding(request).whole(json(status, body));
    }

    private static Encoding encoding(HttpRequest request) {
        return Accepted.ofStatus(request.headers().first("Accept").orElse(""));
    }

    private static Answer of(ApiFailure failure) {
        Answer answer = json(failure.code(), failure.status());
        int seconds = failure.retryAfterSeconds();
        return seconds == 0 ? answer : answer.with("Retry-After", Integer.toString(seconds));
    }

    static Answer stream(Flux<ByteBuf> body) {
        return new Answer(200, base().with("Content-Type", JSON), body);
    }

    public Answer with(String header, String value) {
        return new Answer(status, headers.with(header, value), body);
    }

    /** As a stream, whose end only its end tells. */
    public Answer withoutLength() {
        return new Answer(status, without("Content-Length"), body);
    }

    /** The event that says why there will be no others, in the encoding of this stream. */
    public Flux<ByteBuf> errorEvent(ApiFailure failure) {
        Encoding encoding = Encoding.of(headers.first("Content-Type").orElse(JSON));
        return Flux.defer(() -> Flux.just(encoding.event(Watches.errorEvent(failure))));
    }

    /** With one value for a field that may be there already. */
    Answer replace(String header, String value) {
        Headers others = without(header);
        return new Answer(status, others.with(header, value), body);
    }

    Answer withWarnings(List<String> warnings) {
        Answer answer = this;
        for (String warning : warnings) {
            answer = answer.with("Warning", "299 - \"" + warning.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
        }
        return answer;
    }

    public Answer body(Flux<ByteBuf> other) {
        return new Answer(status, headers, other);
    }

    private Headers without(String header) {
        List<Map.Entry<String, String>> others = new ArrayList<>();
        headers.forEach((name, value) -> {
            if (!name.equalsIgnoreCase(header)) {
                others.add(Map.entry(name, value));
            }
        });
        return Headers.copyOf(others);
    }

    private static Headers base() {
        return Headers.of("Cache-Control", "no-cache, private");
    }
}
