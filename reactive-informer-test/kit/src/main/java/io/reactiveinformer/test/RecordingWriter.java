package io.reactiveinformer.test;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufException;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import io.reactiveinformer.apiserver.internal.server.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

/** Writes exchanges as lines of JSON, each when it happens. {@link Replay} reads them. */
final class RecordingWriter {

    static final String NAME = "recording.jsonl";
    private static final List<String> HEADERS = List.of("Content-Type", "Retry-After", "Warning");

    private static final byte[] PROTOBUF = {'k', '8', 's', 0};
    private static final String SECRET_NAME = "(?i).*(token|password|secret)";
    private static final String LEFT_OUT = "left out";
    private static final String LEFT_OUT_BASE64 = "bGVmdCBvdXQ="; // the same, as data of a Secret

    private final Path file;
    private final boolean secrets;
    private final long start = System.nanoTime();
    private int requests;
    private boolean closed;

    RecordingWriter(Path file, boolean secrets) throws IOException {
        this.file = file;
        this.secrets = secrets;
        if (Files.exists(file)) {
            throw new IOException("there is a recording already, " + file + "; choose another directory, or delete it");
        }
    }

    /** The form of objects that is asked for; empty for whole objects. */
    static String form(ApiRequest request) {
        return request.http().headers().first("Accept").filter(accept -> accept.contains("as=")).orElse("");
    }

    Mono<Answer> record(ApiRequest request, Mono<Answer> answer) {
        return Mono.defer(() -> {
            Exchange exchange = new Exchange(request, nextNumber());
            return answer.map(exchange::answered).doOnError(failure -> exchange.end("broken")).doOnCancel(exchange::abandoned);
        });
    }

    private synchronized int nextNumber() {
        return ++requests;
    }

    private synchronized void write(int number, ObjectNode what) {
        ObjectNode line = Json.object().put("n", number).put("ms", Duration.ofNanos(System.nanoTime() - start).toMillis());
        try {
            if (!closed) {
                Files.writeString(file, line.setAll(what) + "\n", CREATE, APPEND);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the recording cannot be written", failure);
        }
    }

    /** Nothing is written from now on: what is open then has no end. */
    synchronized void close() {
        closed = true;
    }

    /** The lines of a body, each in a buffer of its own: events, since over a WebSocket each is a message. */
    static Flux<ByteBuf> lines(Flux<ByteBuf> body) {
        return Flux.defer(() -> {
            var bytes = new ByteArrayOutputStream();
            return body.concatMapIterable(piece -> {
                List<ByteBuf> lines = new ArrayList<>();
                for (byte next : ByteBufUtil.getBytes(piece)) {
                    bytes.write(next);
                    if (next == '\n' && bytes.size() > 1) {
                        lines.add(Unpooled.wrappedBuffer(bytes.toByteArray()));
                        bytes.reset();
                    }
                }
                return lines;
            });
        });
    }

    private final class Exchange {

        private final ApiRequest request;
        private final int number;
        private final boolean ofSecrets;
        private volatile boolean answered;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Exchange(ApiRequest request, int number) {
            this.request = request;
            this.number = number;
            this.ofSecrets = request.group().isEmpty() && request.plural().equals("secrets");
            ObjectNode line = Json.object().put("request", request.http().method() + " " + request.http().uri());
            if (!form(request).isEmpty()) {
                line.put("accept", form(request));
            }
            write(number, request.http().body() == null ? line : addBody(line, request.http().body()));
        }

        void abandoned() {
            if (!answered) {
                end("client");
            }
        }

        Answer answered(Answer answer) {
            answered = true;
            ObjectNode line = Json.object().put("status", answer.status());
            ObjectNode headers = line.putObject("headers");
            HEADERS.forEach(name -> answer.headers().first(name).ifPresent(value -> headers.put(name, value)));
            if (request.verb() == Verb.WATCH && answer.status() == 200) {
                write(number, line);
                return answer.body(lines(answer.body()).doOnNext(event -> write(number, addBody(Json.object(), ByteBufUtil.getBytes(event))))
                        .doFinally(signal -> end(by(signal))));
            }
            Flux<ByteBuf> body = answer.body().doOnNext(piece -> bytes.writeBytes(ByteBufUtil.getBytes(piece)));
            return answer.body(body.doFinally(signal -> write(number, addBody(line, bytes.toByteArray()).put("end", by(signal)))));
        }

        private static String by(SignalType signal) {
            return signal == SignalType.ON_COMPLETE ? "server" : signal == SignalType.CANCEL ? "client" : "broken";
        }

        void end(String by) {
            write(number, Json.object().put("end", by));
        }

        /** Adds JSON as it is, text as text, and of other bytes only their number. */
        private ObjectNode addBody(ObjectNode line, byte[] body) {
            try {
                boolean protobuf = Arrays.equals(body, 0, Math.min(4, body.length), PROTOBUF, 0, 4);
                JsonNode tree = protobuf ? ProtobufObjects.read(body) : Json.read(body);
                return line.set("body", secrets ? tree : redacted(tree, ofSecrets, null));
            } catch (JacksonException | ProtobufException neither) {
                String text = new String(body, UTF_8);
                boolean legible = !ofSecrets && text.chars().noneMatch(c -> c == 0xFFFD || c < ' ' && !Character.isWhitespace(c));
                return legible ? line.put("text", text) : line.put("bytes", body.length);
            }
        }
    }

    /**
     * Replaces what is secret in the tree, which is changed.
     *
     * @param hidden what to replace all texts by; null for none but those that are known to be secret
     */
    private static JsonNode redacted(JsonNode node, boolean inSecret, @Nullable String hidden) {
        if (node instanceof ArrayNode array) {
            array.forEach(item -> redacted(item, inSecret, hidden));
        } else if (node instanceof ObjectNode object) {
            boolean secret = inSecret || Json.text(object, "kind").equals("Secret") && Json.text(object, "apiVersion").equals("v1");
            for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
                String name = field.getKey();
                boolean data = secret && (name.equals("stringData") || name.endsWith("/last-applied-configuration")
                        || name.equals("value") && object.has("op")); // of a JSON patch
                String hide = hidden != null ? hidden : secret && name.equals("data") ? LEFT_OUT_BASE64 : data ? LEFT_OUT : null;
                if (!field.getValue().isString()) {
                    redacted(field.getValue(), secret, hide);
                } else if (hide != null || (name.equals("value") ? Json.text(object, "name") : name).matches(SECRET_NAME)) {
                    object.put(name, hide != null ? hide : LEFT_OUT);
                }
            }
        }
        return node;
    }
}
