package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * An answer of the server. The buffers of the body are on the heap and belong to the subscriber; each buffer that ends an event or an item
 * must be flushed. If the body fails with {@link ConnectionCut}, the connection breaks.
 */
public record Answer(int status, Headers headers, Flux<ByteBuf> body) {

    /** The size of the buffer of Go's HTTP server: shorter bodies have a Content-Length, longer ones are chunked. */
    private static final int BUFFERED = 2048;

    public static final String JSON = "application/json";

    static Answer json(int status, byte[] body) {
        return bytes(status, JSON, body);
    }

    /** An answer with this JSON and a line end. */
    public static Answer json(int status, JsonNode body) {
        var line = new ByteArrayOutputStream();
        line.writeBytes(Json.write(body));
        line.write('\n');
        return json(status, line.toByteArray());
    }

    static Answer bytes(int status, String contentType, byte[] body) {
        Headers headers = base().with("Content-Type", contentType);
        return new Answer(
                status,
                body.length <= BUFFERED ? headers.with("Content-Length", Integer.toString(body.length)) : headers,
                Flux.defer(() -> Flux.just(Unpooled.wrappedBuffer(body))));
    }

    /** A plain-text answer, as Go's own handlers send it in front of the API. */
    public static Answer text(int status, String body) {
        return bytes(status, "text/plain; charset=utf-8", Json.utf8(body)).with("X-Content-Type-Options", "nosniff");
    }

    /** 429 of a server that is shutting down. It is sent in front of the API, and so has none of its headers. */
    public static Answer shuttingDown() {
        Answer refusal = text(429, "The apiserver is shutting down, please try again later.\n");
        return new Answer(429, Headers.copyOf(refusal.without("Cache-Control")), refusal.body()).with("Retry-After", "5").with("Connection", "close");
    }

    /** A refusal, in the encoding that the request accepts. */
    public static Mono<Answer> of(ApiFailure failure, HttpRequest request) {
        return encoding(request).whole(of(failure));
    }

    /** An answer with any object, in the encoding that the request accepts. */
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

    /** This answer with one more header. */
    public Answer with(String header, String value) {
        return new Answer(status, headers.with(header, value), body);
    }

    /** This answer as a stream, without a Content-Length. */
    public Answer withoutLength() {
        return new Answer(status, Headers.copyOf(without("Content-Length")), body);
    }

    /** The ERROR event that ends a watch with this failure, in the encoding of this stream. */
    public Flux<ByteBuf> errorEvent(ApiFailure failure) {
        Encoding encoding = Encoding.of(headers.first("Content-Type").orElse(JSON));
        return Flux.defer(() -> Flux.just(encoding.event(Watches.errorEvent(failure))));
    }

    /** This answer with the header set to this value only. */
    Answer replace(String header, String value) {
        return new Answer(status, Headers.copyOf(without(header)).with(header, value), body);
    }

    Answer withWarnings(List<String> warnings) {
        Answer answer = this;
        for (String warning : warnings) {
            answer = answer.with("Warning", "299 - \"" + warning.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
        }
        return answer;
    }

    /** This answer with another body and the same status and headers. */
    public Answer body(Flux<ByteBuf> other) {
        return new Answer(status, headers, other);
    }

    /** The bytes of a buffer, which is released. */
    static byte[] take(ByteBuf buffer) {
        byte[] bytes = ByteBufUtil.getBytes(buffer);
        buffer.release();
        return bytes;
    }

    /** All bytes of the body. */
    Mono<byte[]> bytes() {
        return body.collect(ByteArrayOutputStream::new, (whole, part) -> whole.writeBytes(take(part)))
                .map(ByteArrayOutputStream::toByteArray);
    }

    /** The headers, but these. */
    List<Map.Entry<String, String>> without(String... unwanted) {
        List<Map.Entry<String, String>> others = new ArrayList<>();
        headers.forEach((name, value) -> {
            if (Stream.of(unwanted).noneMatch(name::equalsIgnoreCase)) {
                others.add(Map.entry(name, value));
            }
        });
        return others;
    }

    static Headers base() {
        return Headers.of("Cache-Control", "no-cache, private");
    }
}
