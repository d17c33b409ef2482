package io.reactiveinformer.controller;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.util.Set;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Answers of a server written in Go, which has left out zero values. */
record AnswersAsFromGo(Transport server) implements Transport {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Fields that Go leaves out if they are zero. */
    private static final Set<String> LEFT_OUT = Set.of("minReadySeconds", "paused", "hostNetwork", "hostPID", "tty", "stdin", "value",
            "initialDelaySeconds", "readOnly", "subPath", "publishNotReadyAddresses", "nodePort", "hostPort", "workingDir", "nodeSelector",
            "command", "args", "hostname", "priorityClassName");

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Answer, ? extends Publisher<R>> reader) {
        return server.exchange(request, answer -> request.uri().contains("watch=") || !isJson(answer)
                ? reader.apply(answer)
                : reader.apply(new Answer(answer.status(), answer.headers(), answer.body()
                        .map(ByteBufUtil::getBytes)
                        .collectList()
                        .map(parts -> Unpooled.wrappedBuffer(parts.toArray(byte[][]::new)))
                        .map(AnswersAsFromGo::asFromGo)
                        .flux())));
    }

    @Override
    public Mono<Void> dispose() {
        return Mono.empty();
    }

    private static boolean isJson(Transport.Answer answer) {
        return answer.headers().first("Content-Type").orElse("").contains("json");
    }

    private static ByteBuf asFromGo(ByteBuf body) {
        JsonNode tree = JSON.readTree(ByteBufUtil.getBytes(body));
        leaveOut(tree);
        return Unpooled.wrappedBuffer(JSON.writeValueAsBytes(tree));
    }

    private static void leaveOut(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.properties().removeIf(property -> LEFT_OUT.contains(property.getKey()) && isZero(property.getValue()));
        }
        tree.forEach(AnswersAsFromGo::leaveOut);
    }

    private static boolean isZero(JsonNode value) {
        return Set.of("0", "false", "\"\"", "[]", "{}", "null").contains(value.toString());
    }
}
