package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import tools.jackson.databind.node.ObjectNode;

/** The encoding of an answer. Answers are created as JSON, and translated for clients that want another encoding. */
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

    /** The encoding of a {@code Content-Type} that this server sends. */
    static Encoding of(String contentType) {
        return Stream.of(values()).filter(encoding -> contentType.startsWith(encoding.mediaType)).findFirst().orElse(JSON);
    }

    /** Translates an answer that is not a stream. */
    Mono<Answer> whole(Answer answer) {
        if (this == JSON || !answer.headers().first("Content-Type").orElse("").equals(Answer.JSON)) {
            return Mono.just(answer);
        }
        return answer.bytes().map(json -> (ObjectNode) Json.read(json))
                .map(tree -> this == PROTOBUF && !ProtobufObjects.canWrite(tree)
                        ? Answer.json(answer.status(), tree)
                        : Answer.bytes(answer.status(), mediaType, writer.apply(tree)))
                .map(translated -> withHeadersOf(answer, translated));
    }

    /** Translates a watch, in which each event is one buffer. There is none in YAML, which cannot separate the documents of a stream. */
    Answer stream(Answer answer) {
        return this == JSON
                ? answer
                : answer.replace("Content-Type", mediaType + ";stream=watch")
                        .body(answer.body().map(this::event));
    }

    /** Translates a single event of a watch. */
    ByteBuf event(ByteBuf line) {
        return this == PROTOBUF ? Unpooled.wrappedBuffer(ProtobufObjects.event((ObjectNode) Json.read(Answer.take(line)))) : line;
    }

    /** The translated answer with those headers that do not depend on its bytes. */
    private static Answer withHeadersOf(Answer answer, Answer translated) {
        List<Map.Entry<String, String>> all = translated.without();
        all.addAll(answer.without("Content-Type", "Content-Length", "Cache-Control"));
        return new Answer(translated.status(), Headers.copyOf(all), translated.body());
    }

}
