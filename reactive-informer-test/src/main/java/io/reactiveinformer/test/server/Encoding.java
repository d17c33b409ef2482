package io.reactiveinformer.test.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.test.cluster.Json;
import io.reactiveinformer.test.cluster.YamlText;
import io.reactiveinformer.test.protobuf.ProtobufObjects;
import java.io.ByteArrayOutputStream;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** How an answer is written. All is made as JSON; who wants something else gets that translated. */
enum Encoding {
    JSON(Answer.JSON, Json::write),
    YAML("application/yaml", tree -> Json.utf8(YamlText.write(tree))),
    PROTOBUF("application/vnd.kubernetes.protobuf", ProtobufObjects::write);

    private final String mediaType;

    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    private final Function<ObjectNode, byte[]> writer;

    Encoding(String mediaType, Function<ObjectNode, byte[]> writer) {
        this.mediaType = mediaType;
        this.writer = writer;
    }

    /** An answer with an end. */
    Mono<Answer> whole(Answer answer) {
        if (this == JSON || !answer.headers().first("Content-Type").orElse("").equals(Answer.JSON)) {
            return Mono.just(answer);
        }
        return answer.body()
                .collect(ByteArrayOutputStream::new, (whole, part) -> whole.writeBytes(take(part)))
                .map(json -> withWarnings(answer, Answer.bytes(answer.status(), mediaType, writer.apply((ObjectNode) Json.read(json.toByteArray())))));
    }

    /** A watch, each of whose events is one buffer. YAML has none: it has no way to tell one document of a stream from the next. */
    Answer stream(Answer answer) {
        return this == JSON
                ? answer
                : answer.replace("Content-Type", mediaType + ";stream=watch")
                        .body(answer.body().map(line -> Unpooled.wrappedBuffer(ProtobufObjects.event((ObjectNode) Json.read(take(line))))));
    }

    private static Answer withWarnings(Answer answer, Answer translated) {
        Answer warned = translated;
        for (String warning : answer.headers().all("Warning")) {
            warned = warned.with("Warning", warning);
        }
        return warned;
    }

    private static byte[] take(ByteBuf part) {
        byte[] bytes = new byte[part.readableBytes()];
        part.readBytes(bytes).release();
        return bytes;
    }
}
