package io.reactiveinformer.test;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A server whose deployments have fields that no model has: in the specification, and in elements of lists. Answers in JSON. */
record NewerServer(Transport server) implements Transport {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<String> PLACES = List.of("/spec", "/spec/template/spec/containers/0",
            "/spec/template/spec/containers/0/volumeMounts/0");

    /** The places at which an object lacks them. */
    static List<String> lost(JsonNode object) {
        return PLACES.stream().filter(place -> !object.at(place).has("ofANewerVersion")).toList();
    }

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Answer, ? extends Publisher<R>> reader) {
        HttpRequest.Headers json = HttpRequest.Headers.of("Accept", "application/json")
                .with("Content-Type", request.headers().first("Content-Type").orElse("application/json"));
        return server.exchange(request.withHeaders(json), answer -> reader.apply(new Answer(answer.status(), answer.headers(), answer.body()
                .map(ByteBufUtil::getBytes)
                .collectList()
                .map(parts -> Unpooled.wrappedBuffer(parts.toArray(byte[][]::new)))
                .map(NewerServer::newer)
                .flux())));
    }

    private static ByteBuf newer(ByteBuf body) {
        JsonNode tree = JSON.readTree(ByteBufUtil.getBytes(body));
        add(tree);
        tree.path("items").forEach(NewerServer::add);
        return Unpooled.copiedBuffer(tree.toString(), StandardCharsets.UTF_8);
    }

    private static void add(JsonNode object) {
        for (String place : PLACES) {
            if (object.at(place) instanceof ObjectNode there) {
                there.putObject("ofANewerVersion").put("a", 1);
            }
        }
    }

    @Override
    public Mono<Void> dispose() {
        return Mono.empty();
    }
}
