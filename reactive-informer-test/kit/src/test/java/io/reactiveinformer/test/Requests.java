package io.reactiveinformer.test;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plain requests over a transport, for tests of the server. */
final class Requests {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Transport transport;

    Requests(Transport transport) {
        this.transport = transport;
    }

    record Answered(int status, Headers headers, String body) {
        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    Answered get(String uri) {
        return send("GET", uri, Headers.of("Accept", "application/json"), null);
    }

    Answered post(String uri, String body) {
        return send("POST", uri, Headers.of("Content-Type", "application/json"), body);
    }

    Answered send(String method, String uri, Headers headers, String body) {
        return Objects.requireNonNull(answer(method, uri, headers, body).block(PATIENCE));
    }

    Mono<Answered> answer(String method, String uri, Headers headers, String body) {
        byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
        return transport
                .exchange(new HttpRequest(method, uri, headers, bytes), answer -> answer.body()
                        .collect(ByteArrayOutputStream::new, (whole, buffer) -> whole.writeBytes(bytes(buffer)))
                        .map(whole -> new Answered(
                                answer.status(),
                                answer.headers(),
                                BodyText.of(answer.headers().first("Content-Type").orElse(""), whole.toByteArray()))))
                .single();
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        return bytes;
    }

    /** The lines of a watch, as they come; each chunk of the server's is one. */
    Flux<String> watch(String uri) {
        return transport.exchange(
                HttpRequest.get(uri, Headers.of("Accept", "application/json")),
                answer -> answer.body().map(buffer -> buffer.toString(StandardCharsets.UTF_8)));
    }

    /** Type, name and version of each event, such as {@code ADDED a 105}. */
    Flux<String> events(String uri) {
        return watch(uri).map(line -> {
            JsonNode event = JsonMapper.shared().readTree(line);
            JsonNode metadata = event.path("object").path("metadata");
            String name = metadata.path("name").asString("");
            return event.path("type").asString() + (name.isEmpty() ? "" : " " + name) + " "
                    + metadata.path("resourceVersion").asString(event.path("object").path("code").asString(""));
        });
    }
}
